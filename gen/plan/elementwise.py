"""Plans of elementwise kernels: the flattened tensors in tiles, tile t to vector core t % workers."""

from __future__ import annotations

import struct
from itertools import chain

from gen.chips import ASCEND910B, ASCEND950, CHIPS, Chip
from gen.errors import Diagnostic, GenError
from gen.plan.forms import PLAIN, of_forms
from gen.plan.limits import Trees, diagnose, largest_that_fits, vector_workers
from gen.plan.model import (
    Buffer,
    ElementwisePlan,
    Form,
    Tree,
    TreePlan,
    VecInstr,
    ceil_div,
    round_up,
)
from gen.plan.program import Program, build, fences
from gen.spec import DType, ElementwiseSpec

TILE_UNIT = 128
"""A tile is a multiple of this: whole 256-byte vector repeats of both element sizes, and 32 SIMT threads of 4."""
DEFAULT_TILE = 8192
"""32 KiB of float32: above the 16 KiB from which a DMA transfer reaches its bandwidth (Ascend C guide, data copy)."""
DEFAULT_STAGES = 2
SIMT_THREADS = (256, 128, 64, 32)
SIMT_VECTOR = 4
EVENT_IDS = 8
MUTEX_IDS = 28
A_TREE_DIGITS = 7
"""Significant digits with which tilelang-ascend 0.1.4 prints a float constant."""


def plan_elementwise(spec: ElementwiseSpec) -> ElementwisePlan:
    """Plans `spec`. Raises GenError when a tile that the spec gives is misaligned or does not fit a chip."""
    elements = spec.elements
    program = build(spec)
    stages = spec.stages or max(1, min(DEFAULT_STAGES, _most_stages(spec)))
    chips = _chips(spec)

    def form(f: Form, chip: Chip, tile: int) -> TreePlan:
        return _form(spec, program, f, chip, elements, tile, stages)

    def trees(tile: int) -> dict[Form, TreePlan]:
        return {f: form(f, chips[f.tree], tile) for f in PLAIN}

    tile = spec.tile or _default_tile(spec, elements, trees)
    problems = _tile_problems(spec, tile, trees)
    if problems:
        raise GenError(problems)
    plans, refused = of_forms(
        spec, chips, lambda f, chip: form(f, chip, tile), _refusals(spec, program.code, stages)
    )
    names = set(spec.inputs.names)
    return ElementwisePlan(
        spec=spec,
        elements=elements,
        tile=tile,
        tiles=ceil_div(elements, tile),
        tail=elements - (ceil_div(elements, tile) - 1) * tile,
        stages=min(stages, max(p.rounds for p in trees(tile).values())),
        program=program.code,
        work=program.work,
        fences=fences(program.code, program.work, passes=2),
        fences_once=fences(program.code, program.work, passes=1),
        release_after=max(i for i, v in enumerate(program.code) if set(v.srcs) & names),
        store_from=min(i for i, v in enumerate(program.code) if v.dst == spec.output.name),
        threads=next(t for t in SIMT_THREADS if tile % (t * SIMT_VECTOR) == 0),
        trees=plans,
        refused=refused,
    )


def _chips(spec: ElementwiseSpec) -> dict[Tree, Chip]:
    return {Tree.A: ASCEND910B, Tree.M: ASCEND950, Tree.ASCENDC: CHIPS[spec.chip.ascendc]}


def _form(
    spec: ElementwiseSpec,
    program: Program,
    form: Form,
    chip: Chip,
    elements: int,
    tile: int,
    stages: int,
) -> TreePlan:
    tiles = ceil_div(elements, tile)
    tree = form.tree
    blocks, workers = vector_workers(tree, chip, tiles)
    rounds = ceil_div(tiles, workers)
    stages = 1 if form is Form.A_AUTO else min(stages, rounds)
    buffers = [Buffer(t.name, "UB", t.dtype, (tile,), stages) for t in (*spec.inputs, spec.output)]
    if tree is not Tree.M:
        buffers += [Buffer(w, "UB", spec.compute, (tile,)) for w in program.work]
    if tree is Tree.A and any(v.tmp for v in program.code):
        # The compiler adds one uint8 buffer as large as the source of the operation that needs scratch.
        buffers.append(Buffer("tmp_ub", "UB", spec.compute, (tile,)))
    return TreePlan(form, chip, blocks, workers, rounds, stages, tuple(buffers))


def _default_tile(spec: ElementwiseSpec, elements: int, trees: Trees) -> int:
    workers = ASCEND910B.aiv
    step = SIMT_THREADS[0] * SIMT_VECTOR
    wanted = min(DEFAULT_TILE, round_up(ceil_div(elements, workers), step))
    found = largest_that_fits(chain(range(wanted, 0, -step), range(step, 0, -TILE_UNIT)), trees)
    if found is None:
        raise GenError(_tile_problems(spec, TILE_UNIT, trees))
    return found


def _tile_problems(spec: ElementwiseSpec, tile: int, trees: Trees) -> list[Diagnostic]:
    best = largest_that_fits(range(round_up(tile, TILE_UNIT), 0, -TILE_UNIT), trees)
    advice = f"the largest tile that fits all three trees is {best}"
    if not best:
        advice = "use fewer stages or inputs"
    found = [d for p in trees(tile).values() for d in diagnose(spec, ("tile",), p, advice)]
    if tile % TILE_UNIT:
        message = f"tile {tile} is not a multiple of {TILE_UNIT} elements"
        help = f"use {best}" if best else advice
        found.insert(0, spec.diagnostic("E202", message, ("tile",), help))
    return found


def _most_stages(spec: ElementwiseSpec) -> int:
    """Buffers that a queue of the Ascend C kernel may have, every tensor having a queue.

    On ascend910b each free input buffer holds one of 8 event ids of V_MTE2; on ascend950 every
    buffer has one of 28 mutexes (asc-devkit, impl/basic_api: kernel_event.h, kernel_tpipe_impl).
    """
    if spec.chip.ascendc == ASCEND910B.name:
        return EVENT_IDS // len(spec.inputs)
    return MUTEX_IDS // (len(spec.inputs) + 1)


def _refusals(spec: ElementwiseSpec, code: tuple[VecInstr, ...], stages: int) -> dict[Form, str]:
    refused = _long_constants(spec, code)
    if stages > _most_stages(spec):
        ids = "event ids" if spec.chip.ascendc == ASCEND910B.name else "buffer mutexes"
        refused[Form.ASCENDC] = (
            f"{len(spec.inputs)} input queues of {stages} buffers need more {ids} than"
            f" {spec.chip.ascendc} has; use fewer stages or inputs"
        )
    return refused


def _long_constants(spec: ElementwiseSpec, code: tuple[VecInstr, ...]) -> dict[Form, str]:
    long = [
        v.scalar
        for v in code
        if v.scalar is not None and _digits(v.scalar, spec.compute) > A_TREE_DIGITS
    ]
    if not long:
        return {}
    return {
        Form.A: f"the constant {long[0]!r} needs {_digits(long[0], spec.compute)} significant digits and"
        f" tilelang-ascend 0.1.4 prints {A_TREE_DIGITS}: the kernel would compute with another number"
    }


def _digits(value: float, dtype: DType) -> int:
    """Decimal digits with which `value`, rounded to `dtype`, must be printed to read back as itself."""
    code = "e" if dtype is DType.FLOAT16 else "f"

    def rounded(x: float) -> bytes:
        try:
            return struct.pack(code, x)
        except OverflowError:  # a shorter decimal may round beyond the largest number
            return b""

    return next(d for d in range(1, 18) if rounded(float(f"{value:.{d - 1}e}")) == rounded(value))
