"""`tl.ascend_auto_cv_combine`: of a kernel without T.Scope the cube core gets its statements, the vector cores theirs.

A statement belongs to the core in whose memory its first buffer lies. One without a buffer goes where the last one went
that had one, and nowhere before the first. Loops, conditions and names stay on a core as long as they have something of
its own in them. (As tilelang-ascend 0.1.4 does it.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from . import auto_cross
from .auto_cross import Flag, flagged
from .buffer import Buffer
from .expression import ANY
from .pipeline import Statement as Step
from .program import (
    Block,
    Branch,
    Core,
    Key,
    Named,
    Node,
    Outer,
    Staged,
    Statement,
    Store,
    at,
    base,
    nodes,
    simplified,
    source,
)
from .refusal import RefusalError, unsupported

EVERYWHERE = ("printf",)
"""Operations that both kinds of cores keep."""
PLAIN = (
    "set_flag",
    "wait_flag",
    "barrier_all",
    "pipe_barrier",
    "set_cross_flag",
    "wait_cross_flag",
)
"""Operations without a buffer that the compiler takes there."""


@dataclass(frozen=True)
class Side:
    """What one kind of core keeps, what it leaves out, and the flags of the other kind that it sets and waits for."""

    is_cube: bool
    kept: frozenset[Key]
    left_out: frozenset[Key]
    flags: Mapping[Key, Sequence[Flag]] = field(default_factory=dict)

    def of(self, block: list[Node]) -> list[Node]:
        """The statements of a kernel that it has, with its flags."""
        return flagged(_pruned(_filtered(block, self._keeps, self.is_cube)), self.flags)

    def _keeps(self, node: Node) -> bool:
        return base(node.key) in self.kept

    def statements(self, made: Sequence[tuple[int, Node]], steps: Sequence[Step]) -> list[Step]:
        """Of the steps of a T.Pipelined, those that it has. Raises RefusalError."""
        if not any(self._keeps(node) for node in nodes([node for _, node in made])):
            return []
        found = []
        for (_, node), step in zip(made, steps, strict=True):
            inside = [n for n in nodes([node]) if isinstance(n, Statement | Store)]
            mine = [n for n in inside if self._keeps(n)]
            if not mine and not isinstance(node, Branch):
                continue
            if mine and len(mine) < len(inside):
                raise at(
                    node, unsupported("a T.Pipelined with stages over a statement of both cores")
                )
            flags = self.flags.get(base(node.key), ())
            found += [Step(step.turn, flag=1) for flag in flags if not flag.sets]
            found.append(step if mine else Step(step.turn, step.waiting))
            found += [Step(step.turn, flag=-1) for flag in flags if flag.sets]
        return found


def sides(program: list[Node], *, cross: bool) -> dict[bool, Side]:
    """Of the cube core and of the vector cores. Raises RefusalError."""
    whole = source(program)
    known = list(nodes(whole))
    calls = [n for n in known if isinstance(n, Statement | Store)]
    kept = {is_cube: _kept(calls, is_cube) for is_cube in (True, False)}
    mine = {
        is_cube: _pruned(_filtered(whole, lambda n, keys=keys: n.key in keys, is_cube))  # type: ignore[misc]
        for is_cube, keys in kept.items()
    }
    alive = {is_cube: {n.key for n in nodes(simplified(part))} for is_cube, part in mine.items()}
    flags = auto_cross.flags(mine[True], mine[False]) if cross else {}
    found = {}
    for is_cube, part in mine.items():
        there = kept[is_cube] | alive[is_cube] | _around(part)
        out = frozenset(n.key for n in known if n.key not in there)
        found[is_cube] = Side(is_cube, frozenset(kept[is_cube]), out, flags.get(is_cube, {}))
    _check_reads(mine[True])
    if kept[False] and any(_is_variable(node) for node in known):
        raise RefusalError(
            "with tl.ascend_auto_cv_combine the compiler keeps what is assigned to a variable of T.alloc_var for the"
            " cube core only",
            "write T.Scope and leave that option out",
        )
    return found


def combined(program: list[Node], found: Mapping[bool, Side]) -> list[Node]:
    """One kernel of both, as the passes behind see it."""
    parts = [(key(side.is_cube), simplified(side.of(program))) for side in found.values()]
    return [Core(of, part) for of, part in parts if part]


def key(is_cube: bool) -> Key:
    """What the block of one kind of core is called."""
    return ("share", is_cube)


def _is_variable(node: Node) -> bool:
    return isinstance(node, Store) and not isinstance(node.target, Buffer)


def _around(program: list[Node]) -> set[Key]:
    """What has a statement of the core in it."""
    found = set()
    for node in nodes(program):
        inner = nodes([node])
        if isinstance(node, Outer) and any(isinstance(n, Statement | Store) for n in inner):
            found.add(node.key)
    return found


def _filtered(block: list[Node], keeps: Callable[[Node], bool], is_cube: bool) -> list[Node]:
    found: list[Node] = []
    for node in block:
        if isinstance(node, Staged):
            parts = {is_cube: _filtered(node.parts.get(is_cube, []), keeps, is_cube)}
            found.append(replace(node, parts={None: parts[is_cube]}))
        elif isinstance(node, Branch):
            one, two = (_filtered(side, keeps, is_cube) for side in node.sides)
            found.append(replace(node, sides=(one, two)))
        elif isinstance(node, Block):
            found.append(replace(node, body=_filtered(node.body, keeps, is_cube)))
        elif keeps(node):
            found.append(node)
    return found


def _pruned(block: list[Node]) -> list[Node]:
    """Without the names that nothing reads."""
    found: list[Node] = []
    for node in block:
        if isinstance(node, Staged):
            found.append(replace(node, parts={k: _pruned(p) for k, p in node.parts.items()}))
        elif isinstance(node, Branch):
            one, two = (_pruned(side) for side in node.sides)
            found.append(replace(node, sides=(one, two)))
        elif isinstance(node, Named):
            body = _pruned(node.body)
            found += [replace(node, body=body)] if _reads(body, node) else body
        elif isinstance(node, Block):
            found.append(replace(node, body=_pruned(node.body)))
        else:
            found.append(node)
    return found


def _reads(block: list[Node], name: Named) -> bool:
    """Whether something that a core keeps reads a name."""
    used = {number for node in nodes(simplified(block)) for number in node.names}
    if name.number not in used and ANY in used:
        raise at(
            name, unsupported("tl.ascend_auto_cv_combine over comparisons of floats under a name")
        )
    return name.number in used


def _kept(statements: list[Any], is_cube: bool) -> set[Key]:
    kept = set()
    here = False
    for node in statements:
        side = _cube(node)
        if isinstance(node, Store):
            keeps = side == is_cube
        elif side is not None:
            keeps = here = side == is_cube
        else:
            keeps = here or node.name in EVERYWHERE
            if node.name not in (*EVERYWHERE, *PLAIN):
                raise at(node, unsupported(f"tl.ascend_auto_cv_combine over T.{node.name}"))
        if keeps:
            kept.add(node.key)
    return kept


def _cube(node: Statement | Store) -> bool | None:
    """Whether it is the cube core's; None where it says nothing of that."""
    if isinstance(node, Store):
        return bool(getattr(node.target, "scope", "") != "ub")
    return node.touched[0].scope != "ub" if node.touched else None


def _check_reads(program: list[Node]) -> None:
    """The cube core has no UB to read from. `program`: what it keeps."""
    for node in nodes(simplified(program)):
        loaded = node.loaded if isinstance(node, Outer | Store | Statement) else ()
        for buffer in loaded:
            if isinstance(buffer, Buffer) and buffer.scope == "ub":
                refusal = RefusalError(
                    f"the cube core reads an element of {buffer.name} here, too, and {buffer.name} is in UB, which it"
                    " has not",
                    "read it from a tensor in GM, or where only statements of the vector cores follow",
                )
                raise at(node, refusal)
