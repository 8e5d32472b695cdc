"""Diagnostics of a plan: tiles that do not fit, each with the buffer, the bytes and the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gen.chips import Chip, UbUse
from gen.errors import Diagnostic
from gen.plan.model import Buffer, Form, Tree, TreePlan, ceil_div
from gen.spec import Spec

Trees = Callable[[int], Mapping[Form, TreePlan]]
"""The plans of the trees as a function of the tile."""

_TREE_NAME = {Tree.A: "A tree", Tree.M: "M tree", Tree.ASCENDC: "Ascend C"}
_UB_USE = {Tree.A: UbUse.A_TREE, Tree.M: UbUse.M_TREE_SIMT, Tree.ASCENDC: UbUse.ASCENDC}


def capacity(tree: Tree, chip: Chip, memory: str) -> int:
    """Bytes that a kernel of `tree` may allocate in `memory` of `chip`."""
    if memory == "UB":
        return chip.usable_ub(_UB_USE[tree])
    if memory == "L1":
        return chip.l1_usable
    return int(getattr(chip, memory.lower()))


def vector_workers(tree: Tree, chip: Chip, tiles: int) -> tuple[int, int]:
    """(blocks, workers) of a vector kernel. A block of the A tree is an AI Core: its two AIVs take tiles."""
    if tree is Tree.A:
        blocks = min(chip.aic, ceil_div(tiles, 2))
        return blocks, 2 * blocks
    blocks = min(chip.aiv, tiles)
    return blocks, blocks


def fits(tree: Tree, chip: Chip, buffers: Iterable[Buffer]) -> bool:
    """Whether the sum of the buffers fits each memory."""
    return not _overflows(tree, chip, buffers)


def _overflows(tree: Tree, chip: Chip, buffers: Iterable[Buffer]) -> dict[str, tuple[int, int]]:
    used: dict[str, int] = {}
    for b in buffers:
        used[b.memory] = used.get(b.memory, 0) + b.bytes
    return {
        memory: (size, capacity(tree, chip, memory))
        for memory, size in used.items()
        if size > capacity(tree, chip, memory)
    }


def too_large(plan: TreePlan) -> str:
    """Why the buffers of `plan` do not fit their memories, or an empty string."""
    over = _overflows(plan.tree, plan.chip, plan.buffers)
    return "; ".join(
        f"its buffers in {memory} take {size} bytes, the limit on {plan.chip.name} is {limit}"
        for memory, (size, limit) in over.items()
    )


def diagnose(
    spec: Spec, field: tuple[str | int, ...], plan: TreePlan, advice: str
) -> list[Diagnostic]:
    """One diagnostic per memory that the buffers of `plan` overflow, pointing at `field` of the spec."""
    found = []
    for memory, (size, limit) in _overflows(plan.tree, plan.chip, plan.buffers).items():
        biggest = max((b for b in plan.buffers if b.memory == memory), key=lambda b: b.bytes)
        shape = " x ".join(map(str, biggest.shape))
        copies = f"{biggest.stages} x " if biggest.stages > 1 else ""
        found.append(
            spec.diagnostic(
                "E201",
                f"{_TREE_NAME[plan.tree]} on {plan.chip.name}: the buffers in {memory} take {size} bytes, the limit is"
                f" {limit}; the largest, `{biggest.name}`, is {copies}[{shape}] {biggest.dtype} ="
                f" {biggest.bytes} bytes",
                field,
                advice,
            )
        )
    return found


def largest_that_fits(candidates: Iterable[int], trees: Trees) -> int | None:
    """The first of `candidates` (ordered from large to small) whose buffers fit every tree."""

    def fit(value: int) -> bool:
        return all(fits(p.tree, p.chip, p.buffers) for p in trees(value).values())

    return next((value for value in candidates if fit(value)), None)
