"""Casts: every pair of types that a chip has, every mode, widths that differ, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.ops.ops_model import (
    BF16,
    NUMPY,
    Array,
    Chip,
    DType,
    Model,
    Round,
    Space,
    VecShape,
    assert_same,
    bits,
    numbers,
    ordinary,
    u64,
)

D = 128 * 1024
FIVE = [Round.RINT, Round.FLOOR, Round.CEIL, Round.ROUND, Round.TRUNC]
N = 4001


def to_integral(x: Array, mode: Round) -> Array:
    """Doubles to integral doubles."""
    match mode:
        case Round.FLOOR:
            return np.floor(x)
        case Round.CEIL:
            return np.ceil(x)
        case Round.TRUNC:
            return np.trunc(x)
        case Round.ROUND:
            return np.where(np.isfinite(x), np.trunc(x + np.copysign(0.5, x)), x)
        case _:
            return np.rint(x)


def to_integers(x: Array, mode: Round, dtype: Any) -> Array:
    """With saturation; NaN gives 0."""
    info = np.iinfo(dtype)
    r = to_integral(x.astype(np.float64), mode)
    out = np.zeros(x.shape, dtype)
    for i, v in enumerate(r):
        if not np.isnan(v):
            out[i] = info.max if v >= info.max else info.min if v <= info.min else int(v)
    return out


def run(
    model: Model, types: tuple[DType, DType], x: Array, mode: Round, *, saturate: bool = True
) -> Array:
    dst, src = types
    source = model.put(Space.UB, 0, x)
    at = model.at(Space.UB, D)
    model.run("cast", dst, at, src, source, mode, saturate, VecShape(count=x.size), 1.0)
    assert model.findings() == ""
    return model.get(Space.UB, D, x.size, NUMPY[dst])


@pytest.mark.parametrize(
    ("dst", "src", "mode"),
    [
        (DType.F16, DType.F32, Round.RINT),
        (DType.F16, DType.F32, Round.NONE),
        (DType.BF16, DType.F32, Round.RINT),
        (DType.F32, DType.F16, Round.NONE),
        (DType.F32, DType.BF16, Round.NONE),
    ],
)
def test_floats_to_nearest_even(model: Model, dst: DType, src: DType, mode: Round) -> None:
    x = numbers(NUMPY[src], N)
    expected = x.astype(np.float32).astype(NUMPY[dst])
    assert_same(run(model, (dst, src), x, mode, saturate=False), expected)


@pytest.mark.parametrize(
    ("dst", "mode"),
    [(t, m) for t in (DType.F16, DType.BF16) for m in FIVE[1:]] + [(DType.F16, Round.ODD)],
)
def test_floats_in_directed_modes(model: Model, dst: DType, mode: Round) -> None:
    """Between two neighbours, the mode decides; checked by the definition on finite results."""
    x = ordinary(np.dtype(np.float32), N, scale=100.0)
    got = run(model, (dst, DType.F32), x, mode).astype(np.float64)
    nearest = x.astype(NUMPY[dst]).astype(np.float64)
    step = np.spacing(np.abs(x), dtype=np.float32).astype(np.float64)
    assert (step > 0).all()
    match mode:
        case Round.FLOOR:
            assert (got <= x).all()
        case Round.CEIL:
            assert (got >= x).all()
        case Round.TRUNC:
            assert (np.abs(got) <= np.abs(x)).all()
        case Round.ROUND:
            ties = np.abs(np.abs(got - x) - np.abs(nearest - x)) == 0
            assert ties.all()
        case Round.ODD:
            odd = bits(got.astype(np.float32).astype(NUMPY[dst])) & 1 == 1
            assert (odd | (got == x)).all()
    exponent = 2.0 ** (np.frexp(x.astype(np.float64))[1] - {DType.F16: 11, DType.BF16: 8}[dst])
    assert (np.abs(got - x) < exponent).all()


@pytest.mark.parametrize("mode", FIVE)
@pytest.mark.parametrize(
    ("dst", "src"),
    [
        (DType.I32, DType.F32),
        (DType.I16, DType.F32),
        (DType.I64, DType.F32),
        (DType.I32, DType.F16),
        (DType.I16, DType.F16),
        (DType.I8, DType.F16),
        (DType.U8, DType.F16),
        (DType.I32, DType.BF16),
    ],
)
def test_floats_to_integers(model: Model, dst: DType, src: DType, mode: Round) -> None:
    halves = (np.arange(-400, 400) / 2).astype(np.float32).astype(NUMPY[src])
    x = np.concatenate([numbers(NUMPY[src], N - 800), halves])
    assert_same(run(model, (dst, src), x, mode), to_integers(x, mode, NUMPY[dst]))


@pytest.mark.parametrize("mode", FIVE)
def test_float_to_float_rounds_to_an_integral_value(model: Model, mode: Round) -> None:
    x = np.concatenate(
        [numbers(np.dtype(np.float32), 2000), (np.arange(-200, 200) / 4).astype(np.float32)]
    )
    got = run(model, (DType.F32, DType.F32), x, mode)
    expected = to_integral(x.astype(np.float64), mode).astype(np.float32)
    assert_same(got, np.where(np.isnan(x), x, np.copysign(expected, x)))


def integer_to_float(value: int, mode: Round) -> float:
    """By comparing with both neighbours."""
    nearest = np.float32(value)
    exact = Fraction(value)
    down = (
        nearest if Fraction(float(nearest)) <= exact else np.nextafter(nearest, np.float32(-np.inf))
    )
    up = nearest if Fraction(float(nearest)) >= exact else np.nextafter(nearest, np.float32(np.inf))
    low, high = Fraction(float(down)), Fraction(float(up))
    match mode:
        case Round.FLOOR:
            return float(down)
        case Round.CEIL:
            return float(up)
        case Round.TRUNC:
            return float(down if value > 0 else up)
        case Round.ROUND:
            if exact - low == high - exact:
                return float(up if value > 0 else down)
            return float(nearest)
        case _:
            return float(nearest)


@pytest.mark.parametrize("mode", FIVE)
@pytest.mark.parametrize("src", [DType.I32, DType.I64])
def test_integers_to_float(model: Model, src: DType, mode: Round) -> None:
    ties = np.array([(1 << 25) + k for k in range(-9, 10)], np.int64)
    x = np.concatenate(
        [numbers(NUMPY[src], 500), ties.astype(NUMPY[src]), -ties.astype(NUMPY[src])]
    )
    expected = np.array([integer_to_float(int(v), mode) for v in x], np.float32)
    assert_same(run(model, (DType.F32, src), x, mode), expected)


@pytest.mark.parametrize("src", [DType.I8, DType.U8, DType.I16])
def test_small_integers_to_half(model: Model, src: DType) -> None:
    x = numbers(NUMPY[src], N)
    assert_same(run(model, (DType.F16, src), x, Round.NONE), x.astype(np.float16))


def test_int32_to_half_is_scaled(model: Model) -> None:
    x = np.array([100, -3, 70000, 0, 1 << 30], np.int32)
    source = model.put(Space.UB, 0, x)
    shape = VecShape(count=5)
    model.run(
        "cast", DType.F16, model.at(Space.UB, D), DType.I32, source, Round.NONE, False, shape, 0.01
    )
    scale = np.float64(np.float16(0.01))
    assert_same(model.get(Space.UB, D, 5, np.float16), (x * scale).astype(np.float16))


@pytest.mark.parametrize(
    ("dst", "src"), [(DType.I16, DType.I32), (DType.I64, DType.I32), (DType.I32, DType.I64)]
)
@pytest.mark.parametrize("saturate", [True, False])
def test_integers_to_integers(model: Model, dst: DType, src: DType, saturate: bool) -> None:
    x = numbers(NUMPY[src], N)
    info = np.iinfo(NUMPY[dst])
    clipped = np.clip(x.astype(object), info.min, info.max).astype(NUMPY[dst])
    expected = clipped if saturate else x.astype(NUMPY[dst])
    assert_same(run(model, (dst, src), x, Round.NONE, saturate=saturate), expected)


@pytest.mark.parametrize(
    ("dst", "src"),
    [(DType.U8, DType.I16), (DType.U32, DType.I16), (DType.I16, DType.U32), (DType.U16, DType.I32)],
)
def test_dav_3510_converts_between_signs(a5: Model, dst: DType, src: DType) -> None:
    x = numbers(NUMPY[src], N)
    info = np.iinfo(NUMPY[dst])
    expected = np.clip(x.astype(np.int64), info.min, info.max).astype(NUMPY[dst])
    assert_same(run(a5, (dst, src), x, Round.NONE), expected)


def test_dav_3510_converts_half_to_bfloat16(a5: Model) -> None:
    x = numbers(np.dtype(np.float16), N)
    expected = x.astype(np.float32).astype(BF16)
    assert_same(run(a5, (DType.BF16, DType.F16), x, Round.RINT, saturate=False), expected)


@pytest.mark.parametrize(
    ("dst", "src", "mode", "message"),
    [
        (
            DType.F16,
            DType.BF16,
            Round.RINT,
            "Cast from bfloat16 to half with CAST_RINT: no such instruction on dav-2201",
        ),
        (DType.BF16, DType.F32, Round.NONE, "Cast from float to bfloat16 with CAST_NONE"),
        (DType.F32, DType.F16, Round.RINT, "Cast from half to float with CAST_RINT"),
        (DType.I32, DType.I16, Round.NONE, "Cast from int16 to int32"),
    ],
)
def test_pairs_outside_the_table_are_unsupported(
    a2: Model, dst: DType, src: DType, mode: Round, message: str
) -> None:
    shape = VecShape(count=64)
    assert (
        a2.run("cast", dst, a2.at(Space.UB, D), src, a2.at(Space.UB), mode, False, shape, 1.0) == []
    )
    assert message in a2.findings()


# ---- strides ---------------------------------------------------------------------------------------------------------


def test_repeats_count_the_wider_type(model: Model) -> None:
    """Half to float: 64 lanes a repeat, four blocks of half and eight of float."""
    x = ordinary(np.dtype(np.float16), 3 * 64)
    source = model.put(Space.UB, 0, x)
    shape = VecShape(repeats=3, src0_rep=4)
    (i,) = model.run(
        "cast", DType.F32, model.at(Space.UB, D), DType.F16, source, Round.NONE, False, shape, 1.0
    )
    assert_same(model.get(Space.UB, D, 192, np.float32), x.astype(np.float32))
    assert i.of(write=True)[0].box() == (1, 768, 0)
    assert i.of(write=False)[0].box() == (1, 384, 0)


@pytest.mark.parametrize(("dst_blk", "src_blk"), [(1, 2), (2, 1), (3, 2)])
def test_block_strides_count_each_type_s_own_blocks(
    model: Model, dst_blk: int, src_blk: int
) -> None:
    x = ordinary(np.dtype(np.float32), 4096)
    source = model.put(Space.UB, 0, x)
    lanes = 50
    shape = VecShape(
        repeats=2,
        mask=(u64 * 2)((1 << lanes) - 1, 0),
        dst_blk=dst_blk,
        src0_blk=src_blk,
        dst_rep=20,
        src0_rep=30,
    )
    model.run(
        "cast", DType.F16, model.at(Space.UB, D), DType.F32, source, Round.RINT, False, shape, 1.0
    )
    got = model.get(Space.UB, D, 2048, np.float16)
    expected = np.full(2048, np.uint16(0xFFFF).view(np.float16))
    for r in range(2):
        for lane in range(lanes):
            dst = r * 320 + (lane // 16) * dst_blk * 16 + lane % 16
            src = r * 240 + (lane // 8) * src_blk * 8 + lane % 8
            expected[dst] = np.float16(x[src])
    assert_same(got, expected)


def test_narrowing_in_place_is_fine_and_widening_is_reported(model: Model) -> None:
    x = ordinary(np.dtype(np.float32), 3000)
    at = model.put(Space.UB, 0, x)
    shape = VecShape(count=3000)
    model.run("cast", DType.BF16, at, DType.F32, at, Round.RINT, False, shape, 1.0)
    assert_same(model.get(Space.UB, 0, 3000, BF16), x.astype(BF16))
    assert model.findings() == ""
    model.lib.h_reset(int(Chip.A2), 0)
    model.run("cast", DType.F32, at, DType.F16, at, Round.NONE, False, shape, 1.0)
    assert model.findings().startswith("operand-overlap: ")


def test_axpy_from_half_to_float(model: Model) -> None:
    x, y = ordinary(np.dtype(np.float16), 128, 1), ordinary(np.dtype(np.float32), 128, 2)
    dst, src = model.put(Space.UB, D, y), model.put(Space.UB, 0, x)
    model.run("axpy_widening", dst, src, 0.3, VecShape(repeats=2, src0_rep=4))
    exact = x.astype(np.float64) * float(np.float16(0.3)) + y
    assert_same(model.get(Space.UB, D, 128, np.float32), exact.astype(np.float32))
