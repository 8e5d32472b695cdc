"""Plans of GEMM: C tiles to cubes, K through L1 in steps of bk and through L0A/L0B in steps of k0."""

from __future__ import annotations

from itertools import product

from gen.chips import ASCEND910B, ASCEND950, Chip
from gen.errors import Diagnostic, GenError
from gen.plan.limits import diagnose, fits
from gen.plan.model import Buffer, GemmPlan, Tree, TreePlan, ceil_div, round_up
from gen.spec import DType, GemmSpec

FRACTAL = 16
"""Rows and columns of a cube fractal; every tile extent is a multiple (tilelang-ascend src/tl_templates, gemm_v0)."""
DEFAULT_TILE = (128, 256)
DEFAULT_K_BYTES = 256
"""Bytes of K per row of an L1 tile: 128 half or 64 float elements."""
DEFAULT_STAGES = 2
L0_STAGES = 2
GEMM_V0_K = 128
"""gemm_v0 walks K in L0 steps of 128 elements, double-buffered when the L1 tile is longer."""


def plan_gemm(spec: GemmSpec) -> GemmPlan:
    """Plans `spec`. Raises GenError when a tile that the spec gives is misaligned or does not fit a chip."""
    stages = spec.stages or DEFAULT_STAGES
    bm, bn, bk = _tile(spec, stages)
    k0 = _k0(spec.a, bm, bn, bk)
    problems = _problems(spec, bm, bn, bk, k0, stages)
    if problems:
        raise GenError(problems)
    refused = _refusals(spec)
    trees = _trees(spec, bm, bn, bk, k0 or FRACTAL, stages)
    k_tiles = ceil_div(spec.k, bk)
    return GemmPlan(
        spec=spec,
        bm=bm,
        bn=bn,
        bk=bk,
        k0=k0 or FRACTAL,
        m_tiles=ceil_div(spec.m, bm),
        n_tiles=ceil_div(spec.n, bn),
        k_tiles=k_tiles,
        k_tail=spec.k - (k_tiles - 1) * bk,
        stages=stages,
        trees={t: p for t, p in trees.items() if t not in refused},
        refused=refused,
    )


def _tile(spec: GemmSpec, stages: int) -> tuple[int, int, int]:
    given = spec.tile
    bk_full = DEFAULT_K_BYTES // spec.a.bytes
    bm = (given and given.m) or min(DEFAULT_TILE[0], round_up(spec.m, FRACTAL))
    bn = (given and given.n) or min(DEFAULT_TILE[1], round_up(spec.n, FRACTAL))
    bk = (given and given.k) or min(bk_full, round_up(spec.k, FRACTAL))
    while not (given and given.k) and bk > FRACTAL and not _fit(spec, bm, bn, bk, stages):
        bk = round_up(bk // 2, FRACTAL)
    return bm, bn, bk


def _fit(spec: GemmSpec, bm: int, bn: int, bk: int, stages: int) -> bool:
    k0 = _k0(spec.a, bm, bn, bk)
    plans = _trees(spec, bm, bn, bk, k0 or FRACTAL, stages).values()
    return k0 is not None and all(fits(p.tree, p.chip, p.buffers) for p in plans)


def _k0(dtype: DType, bm: int, bn: int, bk: int) -> int | None:
    """The longest divisor of bk, in fractals, whose A and B tiles fit half of L0A and half of L0B."""
    half = ASCEND910B.l0a // L0_STAGES
    sizes = (k for k in range(bk, 0, -1) if bk % k == 0 and k % FRACTAL == 0)
    return next((k for k in sizes if max(bm, bn) * k * dtype.bytes <= half), None)


def _trees(spec: GemmSpec, bm: int, bn: int, bk: int, k0: int, stages: int) -> dict[Tree, TreePlan]:
    tiles = ceil_div(spec.m, bm) * ceil_div(spec.n, bn)
    chips = {Tree.A: ASCEND910B, Tree.M: ASCEND950, Tree.ASCENDC: ASCEND910B}
    return {t: _tree(spec, t, chip, tiles, bm, bn, bk, k0, stages) for t, chip in chips.items()}


def _tree(
    spec: GemmSpec,
    tree: Tree,
    chip: Chip,
    tiles: int,
    bm: int,
    bn: int,
    bk: int,
    k0: int,
    stages: int,
) -> TreePlan:
    k_l0, l0_stages = k0, L0_STAGES
    if tree is Tree.A:
        k_l0, l0_stages = (bk, 1) if bk <= GEMM_V0_K else (GEMM_V0_K, L0_STAGES)
    blocks = min(chip.aic, tiles)
    rounds = ceil_div(tiles, blocks)
    stages = min(stages, rounds * ceil_div(spec.k, bk))
    buffers = (
        *_l1(spec, tree, bm, bn, bk, stages),
        Buffer("a2", "L0A", spec.a, (bm, k_l0), l0_stages),
        Buffer("b2", "L0B", spec.b, (bn, k_l0), l0_stages),
        Buffer("c1", "L0C", DType.FLOAT32, (bm, bn)),
    )
    return TreePlan(tree, chip, blocks, blocks, rounds, stages, buffers)


def _l1(spec: GemmSpec, tree: Tree, bm: int, bn: int, bk: int, stages: int) -> list[Buffer]:
    whole, tail = divmod(spec.k, bk)
    if tree is not Tree.A or stages == 1:
        return _pair(spec, "a1", "b1", bm, bn, bk, stages)
    # tilelang-ascend zero-fills a partial L1 tile only when it is not a slice of a staged buffer: the K tail has tiles
    # of its own.
    kp = round_up(tail, FRACTAL)
    if not whole:
        return _pair(spec, "a1", "b1", bm, bn, kp, 1)
    buffers = _pair(spec, "a1", "b1", bm, bn, bk, min(stages, whole))
    return buffers + _pair(spec, "a_tail", "b_tail", bm, bn, kp, 1) if tail else buffers


def _pair(spec: GemmSpec, a: str, b: str, bm: int, bn: int, k: int, stages: int) -> list[Buffer]:
    return [Buffer(a, "L1", spec.a, (bm, k), stages), Buffer(b, "L1", spec.b, (bn, k), stages)]


def _problems(spec: GemmSpec, bm: int, bn: int, bk: int, k0: int | None, stages: int) -> list[Diagnostic]:
    sizes = {"m": bm, "n": bn, "k": bk}
    found = [
        spec.diagnostic(
            "E202",
            f"tile {name} = {size} is not a multiple of {FRACTAL}, the side of a cube fractal",
            ("tile", name),
            f"use {round_up(size, FRACTAL)}",
        )
        for name, size in sizes.items()
        if size % FRACTAL
    ]
    if found:
        return found
    advice = _advice(spec, stages)
    for plan in _trees(spec, bm, bn, bk, k0 or FRACTAL, stages).values():
        found += diagnose(spec, ("tile",), plan, advice)
    return found


def _advice(spec: GemmSpec, stages: int) -> str:
    extents = (256, 128, 64, 32, 16)
    for bm, bn, bk in product((128, 64, 32, 16), extents, (DEFAULT_K_BYTES // spec.a.bytes, 32, 16)):
        if _fit(spec, bm, bn, bk, stages):
            return f"a tile that fits all three trees is {{m: {bm}, n: {bn}, k: {bk}}}"
    return "use fewer stages"


def _refusals(spec: GemmSpec) -> dict[Tree, str]:
    if spec.a is DType.FLOAT32 and not spec.transpose_b:
        return {
            Tree.A: "gemm_v0 of tilelang-ascend 0.1.4 loads float32 B stored as [K, N] wrongly: LoadData cannot"
            " transpose 4-byte elements on ascend910b; store B as [N, K] (`transpose_b: true`)"
        }
    return {}
