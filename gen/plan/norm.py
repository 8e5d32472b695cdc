"""Plans of row norms: whole rows in UB, a tile of rows to vector core t % workers."""

from __future__ import annotations

from collections.abc import Collection

from gen.chips import ASCEND910B, ASCEND950, CHIPS, Chip
from gen.errors import Diagnostic, GenError
from gen.plan.forms import PLAIN, of_forms
from gen.plan.limits import Trees, capacity, diagnose, fits, largest_that_fits, vector_workers
from gen.plan.model import Buffer, Form, NormPlan, Tree, TreePlan, ceil_div, round_up
from gen.spec import DType, NormSpec

WIDTH_UNIT = 16
"""Elements in 32 bytes of a 16-bit type: rows of this multiple start on a block in every type."""
TILE_ELEMENTS = 8192
MAX_TILE_ROWS = 64
DEFAULT_STAGES = 2
MAX_THREADS = 256
WARP = 32
SIMT_VECTOR_BYTES = 8
"""Widest access of a SIMT thread: 64 bits (tilelang 0.1.15, target attribute max_vector_bits)."""
F32 = DType.FLOAT32


def plan_norm(spec: NormSpec) -> NormPlan:
    """Plans `spec`. Raises GenError when a tile that the spec gives does not fit a chip, or no tree can hold a row.

    A tree that cannot hold a row in UB, not even with one stage, is refused.
    """
    chips = {Tree.A: ASCEND910B, Tree.M: ASCEND950, Tree.ASCENDC: CHIPS[spec.chip.ascendc]}
    stages = spec.stages or _default_stages(spec, chips)

    def trees(rows: int, of: Collection[Form] = PLAIN) -> dict[Form, TreePlan]:
        return {f: _form(spec, f, chips[f.tree], rows, stages) for f in of}

    too_long = {
        f: _too_long(spec, p) for f, p in trees(1).items() if not fits(p.tree, p.chip, p.buffers)
    }
    kept = [form for form in PLAIN if form not in too_long]
    if not kept:
        raise GenError(_problems(spec, spec.tile.rows if spec.tile else 1, trees))

    def kept_trees(rows: int) -> dict[Form, TreePlan]:
        return trees(rows, kept)

    rows = spec.tile.rows if spec.tile else _default_rows(spec, kept_trees)
    problems = _problems(spec, rows, kept_trees)
    if problems:
        raise GenError(problems)
    plans, refused = of_forms(
        spec, chips, lambda form, chip: _form(spec, form, chip, rows, stages), too_long
    )
    tiles = ceil_div(spec.rows, rows)
    return NormPlan(
        spec=spec,
        tile_rows=rows,
        width=round_up(spec.cols, WIDTH_UNIT),
        tiles=tiles,
        tail_rows=spec.rows - (tiles - 1) * rows,
        stages=min(stages, max(p.rounds for p in plans.values())),
        threads=_threads(spec, rows),
        simt_width=_simt_width(spec),
        trees=plans,
        refused=refused,
    )


def _default_stages(spec: NormSpec, chips: dict[Tree, Chip]) -> int:
    plans = [_form(spec, f, chips[f.tree], 1, DEFAULT_STAGES) for f in PLAIN]
    return DEFAULT_STAGES if all(fits(p.tree, p.chip, p.buffers) for p in plans) else 1


def _too_long(spec: NormSpec, plan: TreePlan) -> str:
    limit = capacity(plan.tree, plan.chip, "UB")
    return (
        f"a row of {spec.cols} {spec.dtype} elements does not fit UB whole: with its work buffers it takes"
        f" {plan.used('UB')} bytes, the limit on {plan.chip.name} is {limit}"
    )


def _simt_width(spec: NormSpec) -> int:
    """A power of two while one pass of all threads is longer than a row: then several rows share a pass."""
    one_pass = MAX_THREADS * _simt_vector(spec)
    if spec.cols > one_pass:
        return round_up(spec.cols, one_pass)
    return max(WIDTH_UNIT, 1 << (spec.cols - 1).bit_length())


def _simt_vector(spec: NormSpec) -> int:
    return SIMT_VECTOR_BYTES // spec.dtype.bytes


def _threads(spec: NormSpec, rows: int) -> int:
    """As many threads as divide the tile into whole vectors; else the compiler gives each thread a whole row.

    Rows share a pass of the threads only where one warp or less holds a row: across warps, the reduction of tilelang
    0.1.15 serves the first row of a pass alone (tl_templates/ascend/reduce.h, cross_warp_reduce).
    """
    width, vector = _simt_width(spec), _simt_vector(spec)
    elements = rows * width
    counts = (
        t
        for t in (256, 128, 64)
        if elements % (t * vector) == 0 and (width <= WARP * vector or t * vector <= width)
    )
    return next(counts, WARP)


def _reduction(spec: NormSpec, rows: int, width: int) -> list[Buffer]:
    """Workspace of tilelang 0.1.15 for a row spread over several warps (tl_templates/ascend/reduce.h)."""
    threads = _threads(spec, rows)
    if min(threads, width // _simt_vector(spec)) <= WARP:
        return []
    return [Buffer("reduce", "UB", F32, (threads,))]


def _form(spec: NormSpec, form: Form, chip: Chip, tile_rows: int, stages: int) -> TreePlan:
    tree = form.tree
    tiles = ceil_div(spec.rows, tile_rows)
    blocks, workers = vector_workers(tree, chip, tiles)
    rounds = ceil_div(tiles, workers)
    stages = 1 if form is Form.A_AUTO else min(stages, rounds)
    width = _simt_width(spec) if tree is Tree.M else round_up(spec.cols, WIDTH_UNIT)
    tile = (tile_rows, width)
    buffers = [
        Buffer("x", "UB", spec.dtype, tile, stages),
        Buffer("y", "UB", spec.dtype, tile, stages),
    ]
    if spec.weight:
        buffers.append(Buffer("w", "UB", spec.dtype, (width,)))
    if tree is Tree.M:
        buffers += _reduction(spec, tile_rows, width)
    else:
        buffers += _work(spec, tree, tile_rows, width)
    return TreePlan(form, chip, blocks, workers, rounds, stages, tuple(buffers))


def _work(spec: NormSpec, tree: Tree, rows: int, width: int) -> list[Buffer]:
    work = [Buffer("square", "UB", F32, (rows, width))]
    if tree is Tree.A:
        work.append(Buffer("sum", "UB", F32, (rows, 1)))
    else:
        # ReduceSum over a row keeps one partial sum per repeat of 256 bytes (Ascend C API, ReduceSum).
        work += [
            Buffer("sum", "UB", F32, (rows,)),
            Buffer("reduce", "UB", F32, (ceil_div(width, 64),)),
        ]
    if spec.dtype is not F32:
        work.append(Buffer("xf", "UB", F32, (rows, width)))
        if spec.weight:
            work.append(Buffer("wf", "UB", F32, (width,)))
    if tree is Tree.A:
        # The compiler adds scratch for reduce_sum as large as its source.
        work.append(Buffer("tmp_ub", "UB", F32, (rows, width)))
    return work


def _default_rows(spec: NormSpec, trees: Trees) -> int:
    share = max(1, spec.rows // ASCEND910B.aiv)
    wanted = max(1, min(MAX_TILE_ROWS, TILE_ELEMENTS // _simt_width(spec), share))
    rows = largest_that_fits(range(wanted, 0, -1), trees) or 1
    # Short rows share a pass of the threads, which a power of two of them divides.
    return 1 << (rows.bit_length() - 1)


def _problems(spec: NormSpec, rows: int, trees: Trees) -> list[Diagnostic]:
    best = largest_that_fits(range(rows, 0, -1), trees)
    if best:
        advice = f"the largest tile that fits all three trees is {best} rows"
        field: tuple[str, ...] = ("tile", "rows")
    else:
        advice, field = "a row must fit UB whole; use fewer columns", ("cols",)
    return [d for p in trees(rows).values() for d in diagnose(spec, field, p, advice)]
