"""Plans of row norms: whole rows in UB, a tile of rows to vector core t % workers."""

from __future__ import annotations

from gen.chips import ASCEND910B, ASCEND950, CHIPS, Chip
from gen.errors import Diagnostic, GenError
from gen.plan.limits import diagnose, largest_that_fits
from gen.plan.model import Buffer, NormPlan, Tree, TreePlan, ceil_div, round_up
from gen.spec import DType, NormSpec

WIDTH_UNIT = 16
"""Elements in 32 bytes of a 16-bit type: rows of this multiple start on a block in every type."""
TILE_ELEMENTS = 8192
MAX_TILE_ROWS = 64
DEFAULT_STAGES = 2
SIMT_THREADS = 256
F32 = DType.FLOAT32


def plan_norm(spec: NormSpec) -> NormPlan:
    """Plans `spec`. Raises GenError when a tile that the spec gives, or a single row, does not fit a chip."""
    stages = spec.stages or DEFAULT_STAGES
    chips = {Tree.A: ASCEND910B, Tree.M: ASCEND950, Tree.ASCENDC: CHIPS[spec.chip.ascendc]}

    def trees(rows: int) -> dict[Tree, TreePlan]:
        return {t: _tree(spec, t, chip, rows, stages) for t, chip in chips.items()}

    rows = (spec.tile and spec.tile.rows) or _default_rows(spec, chips, trees)
    problems = _problems(spec, rows, trees)
    if problems:
        raise GenError(problems)
    tiles = ceil_div(spec.rows, rows)
    return NormPlan(
        spec=spec,
        tile_rows=rows,
        width=round_up(spec.cols, WIDTH_UNIT),
        tiles=tiles,
        tail_rows=spec.rows - (tiles - 1) * rows,
        stages=stages,
        threads=SIMT_THREADS,
        simt_width=_simt_width(spec),
        trees=trees(rows),
        refused={},
    )


def _simt_width(spec: NormSpec) -> int:
    return round_up(spec.cols, SIMT_THREADS * (8 // spec.dtype.bytes))


def _tree(spec: NormSpec, tree: Tree, chip: Chip, rows: int, stages: int) -> TreePlan:
    width = _simt_width(spec) if tree is Tree.M else round_up(spec.cols, WIDTH_UNIT)
    tile = (rows, width)
    buffers = [Buffer("x", "UB", spec.dtype, tile, stages), Buffer("y", "UB", spec.dtype, tile, stages)]
    if spec.weight:
        buffers.append(Buffer("w", "UB", spec.dtype, (width,)))
    if tree is Tree.M:
        # Workspace of the reduction over the threads (tl_templates/ascend/reduce.h): one float for each.
        buffers.append(Buffer("reduce", "UB", F32, (SIMT_THREADS,)))
    else:
        buffers += _work(spec, tree, rows, width)
    tiles = ceil_div(spec.rows, rows)
    if tree is Tree.A:
        blocks = min(chip.aic, ceil_div(tiles, 2))
        workers = 2 * blocks
    else:
        blocks = workers = min(chip.aiv, tiles)
    return TreePlan(tree, chip, blocks, workers, ceil_div(tiles, workers), tuple(buffers))


def _work(spec: NormSpec, tree: Tree, rows: int, width: int) -> list[Buffer]:
    work = [Buffer("square", "UB", F32, (rows, width)), Buffer("sum", "UB", F32, (rows, 1))]
    if spec.dtype is not F32:
        work.append(Buffer("xf", "UB", F32, (rows, width)))
        if spec.weight:
            work.append(Buffer("wf", "UB", F32, (width,)))
    if tree is Tree.A:
        # The compiler adds scratch for reduce_sum as large as its source.
        work.append(Buffer("tmp_ub", "UB", F32, (rows, width)))
    return work


def _default_rows(spec, chips, trees) -> int:  # type: ignore[no-untyped-def]
    workers = min(chip.aiv for chip in chips.values())
    share = max(1, spec.rows // workers)
    wanted = max(1, min(MAX_TILE_ROWS, TILE_ELEMENTS // _simt_width(spec), share))
    found = largest_that_fits(range(wanted, 0, -1), trees)
    return found or 1


def _problems(spec, rows, trees) -> list[Diagnostic]:  # type: ignore[no-untyped-def]
    best = largest_that_fits(range(rows, 0, -1), trees)
    if best:
        advice, field = f"the largest tile that fits all three trees is {best} rows", ("tile", "rows")
    else:
        advice, field = "a row must fit UB whole; use fewer columns, or one stage", ("cols",)
    return [d for p in trees(rows).values() for d in diagnose(spec, field, p, advice)]
