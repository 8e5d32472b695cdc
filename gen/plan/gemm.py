"""Plans of GEMM: C tiles to cubes, K through L1 in steps of bk and through L0A/L0B in steps of k0."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from gen.chips import ASCEND910B, ASCEND950, Chip
from gen.errors import Diagnostic, GenError
from gen.plan.forms import PLAIN, of_forms
from gen.plan.limits import diagnose, fits
from gen.plan.model import (
    ORDERED_FRACTALS,
    Buffer,
    Form,
    GemmPlan,
    Tree,
    TreePlan,
    ceil_div,
    round_up,
)
from gen.spec import DType, GemmSpec

FRACTAL = 16
"""Side of a cube fractal; every tile extent is a multiple (tilelang-ascend tl_templates, gemm_v0)."""
DEFAULT_M, DEFAULT_N = 128, 256
DEFAULT_K_BYTES = 256
"""Bytes of K per row of an L1 tile: 128 half or 64 float elements."""
DEFAULT_STAGES = 2
L0_STAGES = 2
GROUP_BYTES = 32
"""Copies into L1 write whole groups of K: what is missing in the last one is zero (Ascend C API, Nd2NzParams)."""
GEMM_V0_K = 128
"""gemm_v0 walks K in L0 steps of 128 elements, double-buffered when the L1 tile is longer."""
CHIPS = {Tree.A: ASCEND910B, Tree.M: ASCEND950, Tree.ASCENDC: ASCEND910B}


@dataclass(frozen=True)
class _Tile:
    """Elements of one step, and copies of its L1 tiles."""

    m: int
    n: int
    k: int
    stages: int

    def k0(self, dtype: DType) -> int | None:
        """The longest divisor of k, in fractals, with which A and B fit half of L0A and of L0B."""
        half = ASCEND910B.l0a // L0_STAGES
        sizes = (k for k in range(self.k, 0, -1) if self.k % k == 0 and k % FRACTAL == 0)
        return next((k for k in sizes if max(self.m, self.n) * k * dtype.bytes <= half), None)

    def accumulates_unordered(self, dtype: DType) -> bool:
        """Whether one L1 tile takes several Mmads of so few fractals that none orders the next."""
        fractals = (self.m // FRACTAL) * (self.n // FRACTAL)
        return fractals < ORDERED_FRACTALS and self.k0(dtype) != self.k


def plan_gemm(spec: GemmSpec) -> GemmPlan:
    """Plans `spec`. Raises GenError when a tile that the spec gives is misaligned or does not fit."""
    tile = _tile(spec)
    problems = _problems(spec, tile)
    if problems:
        raise GenError(problems)
    trees, refused = of_forms(
        spec, CHIPS, lambda form, chip: _form(spec, form, chip, tile), _refusals(spec, tile)
    )
    k_tiles = ceil_div(spec.k, tile.k)
    return GemmPlan(
        spec=spec,
        bm=tile.m,
        bn=tile.n,
        bk=tile.k,
        k0=tile.k0(spec.a) or FRACTAL,
        m_tiles=ceil_div(spec.m, tile.m),
        n_tiles=ceil_div(spec.n, tile.n),
        k_tiles=k_tiles,
        k_tail=spec.k - (k_tiles - 1) * tile.k,
        stages=tile.stages,
        trees=trees,
        refused=refused,
    )


def _tile(spec: GemmSpec) -> _Tile:
    stages = spec.stages or DEFAULT_STAGES
    if spec.tile:
        return _Tile(spec.tile.m, spec.tile.n, spec.tile.k, stages)
    tile = _Tile(
        min(DEFAULT_M, round_up(spec.m, FRACTAL)),
        min(DEFAULT_N, round_up(spec.n, FRACTAL)),
        min(DEFAULT_K_BYTES // spec.a.bytes, round_up(spec.k, FRACTAL)),
        stages,
    )
    while tile.k > FRACTAL and not _fits(spec, tile):
        tile = replace(tile, k=round_up(tile.k // 2, FRACTAL))
    while tile.accumulates_unordered(spec.a):
        tile = replace(tile, k=tile.k - FRACTAL)
    return tile


def _fits(spec: GemmSpec, tile: _Tile) -> bool:
    plans = _trees(spec, tile).values()
    return tile.k0(spec.a) is not None and all(fits(p.tree, p.chip, p.buffers) for p in plans)


def _trees(spec: GemmSpec, tile: _Tile) -> dict[Form, TreePlan]:
    return {form: _form(spec, form, CHIPS[form.tree], tile) for form in PLAIN}


def _form(spec: GemmSpec, form: Form, chip: Chip, tile: _Tile) -> TreePlan:
    tiles = ceil_div(spec.m, tile.m) * ceil_div(spec.n, tile.n)
    blocks = min(chip.aic, tiles)
    rounds = ceil_div(tiles, blocks)
    most = 1 if form is Form.A_AUTO else rounds * ceil_div(spec.k, tile.k)
    tile = replace(tile, stages=min(tile.stages, most))
    k_l0, l0_stages = tile.k0(spec.a) or FRACTAL, L0_STAGES
    if form.tree is Tree.A:
        k_l0, l0_stages = (tile.k, 1) if tile.k <= GEMM_V0_K else (GEMM_V0_K, L0_STAGES)
    buffers = (
        *_l1(spec, form, tile, rounds),
        Buffer("a2", "L0A", spec.a, (tile.m, k_l0), l0_stages),
        Buffer("b2", "L0B", spec.b, (tile.n, k_l0), l0_stages),
        Buffer("c1", "L0C", DType.FLOAT32, (tile.m, tile.n)),
    )
    return TreePlan(form, chip, blocks, blocks, rounds, tile.stages, buffers)


def _l1(spec: GemmSpec, form: Form, tile: _Tile, rounds: int) -> list[Buffer]:
    """The L1 tiles, and those of the K tail where it has tiles of its own (`a_tail`, `b_tail`)."""
    if not _peels_k(spec, form, tile):
        return _pair(spec, ("a1", "b1"), tile)
    whole, tail = divmod(spec.k, tile.k)
    unit = FRACTAL if form is Form.A else GROUP_BYTES // spec.a.bytes
    rest = replace(tile, k=round_up(tail, unit), stages=1)
    if not whole:
        return _pair(spec, ("a1", "b1"), rest)
    # A ring of the A tree begins anew with each tile of C.
    most = whole if form is Form.A else whole * rounds
    buffers = _pair(spec, ("a1", "b1"), replace(tile, stages=min(tile.stages, most)))
    return buffers + _pair(spec, ("a_tail", "b_tail"), rest) if tail else buffers


def _peels_k(spec: GemmSpec, form: Form, tile: _Tile) -> bool:
    """Whether the K tail is kept apart, in tiles as wide as it is."""
    if form is Form.A:
        # tilelang-ascend zero-fills a partial L1 tile only when it is not a slice of a staged buffer.
        return tile.stages > 1
    if form is Form.M_MANUAL:
        # tilelang fills the columns behind the K tail and the rows behind an M or N tail one after the other, and
        # only its scheduler puts a barrier between the two: the columns must need no filling.
        filled = round_up(spec.k % tile.k, GROUP_BYTES // spec.a.bytes) % tile.k
        return filled != 0 and (spec.m % tile.m != 0 or spec.n % tile.n != 0)
    return False


def _pair(spec: GemmSpec, names: tuple[str, str], tile: _Tile) -> list[Buffer]:
    a, b = names
    return [
        Buffer(a, "L1", spec.a, (tile.m, tile.k), tile.stages),
        Buffer(b, "L1", spec.b, (tile.n, tile.k), tile.stages),
    ]


def _problems(spec: GemmSpec, tile: _Tile) -> list[Diagnostic]:
    sizes = {"m": tile.m, "n": tile.n, "k": tile.k}
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
    advice = _advice(spec, tile.stages)
    for plan in _trees(spec, tile).values():
        found += diagnose(spec, ("tile",), plan, advice)
    return found


def _advice(spec: GemmSpec, stages: int) -> str:
    depths = (DEFAULT_K_BYTES // spec.a.bytes, 32, 16)
    for m, n, k in product((128, 64, 32, 16), (256, 128, 64, 32, 16), depths):
        if _fits(spec, _Tile(m, n, k, stages)):
            return f"a tile that fits all three trees is {{m: {m}, n: {n}, k: {k}}}"
    return "use fewer stages"


def _refusals(spec: GemmSpec, tile: _Tile) -> dict[Form, str]:
    refused = {}
    if spec.a is DType.FLOAT32 and not spec.transpose_b:
        refused[Form.A] = (
            "gemm_v0 of tilelang-ascend 0.1.4 loads float32 B stored as [K, N] wrongly:"
            " LoadData cannot transpose 4-byte elements on ascend910b; store B as [N, K]"
            " (`transpose_b: true`)"
        )
    if tile.accumulates_unordered(spec.a):
        refused[Form.M] = (
            f"tilelang 0.1.15 splits a {tile.k}-deep L1 tile into several Mmads without a barrier,"
            f" and a {tile.m} x {tile.n} tile has too few fractals ({ORDERED_FRACTALS} are needed)"
            f" for the Cube to order them; use a tile k of at most {tile.k0(spec.a)}"
        )
    return refused
