"""Elementwise vector instructions: values in every type, masks, strides, regions, overlaps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.ops.ops_model import (
    ABSENT,
    NUMPY,
    Array,
    Chip,
    DType,
    Model,
    Pipe,
    Space,
    VecOp,
    VecShape,
    assert_same,
    bits,
    call,
    numbers,
    ordinary,
    u64,
)

FLOATS = [DType.F32, DType.F16, DType.BF16]
COUNTS = [1, 7, 64, 1000, 2049]
A, B, D = 0, 64 * 1024, 128 * 1024


def once(exact: Array, t: DType) -> Array:
    """A double rounded once to the type (float first rounded to odd, as the double rounding would show)."""
    if t == DType.F32:
        return exact.astype(np.float32)
    nearest = exact.astype(np.float32)
    low = np.where(
        np.abs(nearest.astype(np.float64)) > np.abs(exact),
        np.nextafter(nearest, np.float32(0)),
        nearest,
    )
    inexact = (low.astype(np.float64) != exact) & np.isfinite(exact)
    odd = (bits(low) | inexact).astype(np.uint32).view(np.float32)
    return np.where(np.isfinite(exact), odd, nearest).astype(np.float32).astype(NUMPY[t])


def greatest(x: Array, y: Array) -> Array:
    """max with NaN winning and +0 above -0."""
    zero = (x == 0) & (y == 0)
    return np.where(zero, np.where(np.signbit(x) & np.signbit(y), -0.0, 0.0), np.maximum(x, y))


def least(x: Array, y: Array) -> Array:
    return -greatest(-x, -y)


BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": greatest,
    "min": least,
}


def exists(model: Model, chip: Chip, op: str, t: DType) -> bool:
    """Whether the chip has the operation; where it has not, the model must say so."""
    if (
        chip == Chip.A5
        or op == "copy"
        or NUMPY[t] in (np.float32, np.float16, np.int32, np.uint32, np.int16, np.uint16)
    ):
        return True
    where = (model.at(Space.UB, D), model.at(Space.UB, A), model.at(Space.UB, B))
    assert model.run("vec", VecOp[op], t, *where, 0.0, VecShape(count=64)) == []
    assert "on dav-2201" in model.findings()
    return False


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("t", FLOATS)
@pytest.mark.parametrize("n", COUNTS)
def test_two_floats_give_the_correctly_rounded_result(
    model: Model, chip: Chip, op: str, t: DType, n: int
) -> None:
    if not exists(model, chip, op, t):
        return
    x, y = numbers(NUMPY[t], n, 1), numbers(NUMPY[t], n, 2)
    where = (model.at(Space.UB, D), model.put(Space.UB, A, x), model.put(Space.UB, B, y))
    (i,) = model.run("vec", VecOp[op], t, *where, 0.0, VecShape(count=n))
    exact = BINARY[op](x.astype(np.longdouble), y.astype(np.longdouble)).astype(np.float64)
    if t == DType.F32:
        exact = BINARY[op](x, y).astype(np.float64)
    assert_same(model.get(Space.UB, D, n, NUMPY[t]), once(exact, t))
    size = n * NUMPY[t].itemsize
    assert [r.box() for r in i.of(write=True)] == [(1, size, 0)]
    assert [r.box() for r in i.of(write=False)] == [(1, size, 0)] * 2
    assert i.pipe == Pipe.V


@pytest.mark.parametrize("op", ["mul", "div"])
def test_subnormal_bfloat16_is_rounded_once(a5: Model, op: str) -> None:
    n = 16384
    rng = np.random.default_rng(4)
    x = (rng.uniform(1, 2, n) * 2.0 ** rng.integers(-74, -66, n)).astype(np.float32)
    y = (rng.uniform(1, 2, n) * 2.0 ** (-62 if op == "mul" else 62)).astype(np.float32)
    x, y = x.astype(NUMPY[DType.BF16]), y.astype(NUMPY[DType.BF16])
    where = (a5.at(Space.UB, D), a5.put(Space.UB, A, x), a5.put(Space.UB, B, y))
    a5.run("vec", VecOp[op], DType.BF16, *where, 0.0, VecShape(count=n))
    exact = BINARY[op](x.astype(np.float64), y.astype(np.float64))
    got = a5.get(Space.UB, D, n, NUMPY[DType.BF16])
    nearest = np.rint(exact * 2.0**133) * 2.0**-133  # the last place of every subnormal
    subnormal = np.abs(nearest) < 2.0**-126
    assert subnormal.sum() > n // 4
    assert (got.astype(np.float64) == nearest)[subnormal].all()


SCALAR: dict[str, Callable[[Array, Any], Array]] = {
    "adds": lambda x, s: x + s,
    "muls": lambda x, s: x * s,
    "maxs": lambda x, s: greatest(x, np.full_like(x, s)),
    "mins": lambda x, s: least(x, np.full_like(x, s)),
    "leaky_relu": lambda x, s: np.where(x >= 0, x, x * s),
}


@pytest.mark.parametrize("op", SCALAR)
@pytest.mark.parametrize("t", FLOATS)
def test_a_scalar_has_the_precision_of_the_element(
    model: Model, chip: Chip, op: str, t: DType
) -> None:
    if not exists(model, chip, op, t):
        return
    x = numbers(NUMPY[t], 3000, 1)
    s = 0.1
    src = model.put(Space.UB, A, x)
    model.run("vec", VecOp[op], t, model.at(Space.UB, D), src, ABSENT, s, VecShape(count=3000))
    element = np.array([s], np.float32).astype(NUMPY[t])[0]
    if t == DType.F32:
        expected = SCALAR[op](x, element)
    else:
        expected = once(SCALAR[op](x.astype(np.float64), float(element)), t)
    assert_same(model.get(Space.UB, D, 3000, NUMPY[t]), expected.astype(NUMPY[t]))


UNARY: dict[str, Callable[[Array], Array]] = {
    "abs": np.abs,
    "sqrt": np.sqrt,
    "relu": lambda x: greatest(x, np.zeros_like(x)),
    "reciprocal": lambda x: 1 / x,
    "round": np.rint,
    "copy": lambda x: x,
}


@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("t", FLOATS)
def test_one_float_gives_the_correctly_rounded_result(
    model: Model, chip: Chip, op: str, t: DType
) -> None:
    if not exists(model, chip, op, t):
        return
    x = numbers(NUMPY[t], 5000, 1)
    src = model.put(Space.UB, A, x)
    model.run("vec", VecOp[op], t, model.at(Space.UB, D), src, ABSENT, 0.0, VecShape(count=5000))
    if t == DType.F32:
        expected = UNARY[op](x)
    else:
        expected = once(UNARY[op](x.astype(np.longdouble)).astype(np.float64), t)
    assert_same(model.get(Space.UB, D, 5000, NUMPY[t]), expected.astype(NUMPY[t]))


@pytest.mark.parametrize("t", [DType.F16, DType.BF16])
@pytest.mark.parametrize("op", ["sqrt", "reciprocal"])
def test_every_16_bit_root_and_reciprocal_is_correctly_rounded(
    a5: Model, op: str, t: DType
) -> None:
    x = np.arange(1 << 16, dtype=np.uint16).view(NUMPY[t])
    half = x.size // 2
    for part in (x[:half], x[half:]):
        src = a5.put(Space.UB, 0, part)
        dst = a5.at(Space.UB, 128 * 1024)
        a5.run("vec", VecOp[op], t, dst, src, ABSENT, 0.0, VecShape(count=half))
        got = a5.get(Space.UB, 128 * 1024, half, NUMPY[t])
        assert_same(got, once(UNARY[op](part.astype(np.longdouble)).astype(np.float64), t))


THREE = {"mul_add_dst": (0, 1, 2), "fused_mul_add": (0, 2, 1), "axpy": (0, None, 2)}


def multiply_add(x: Array, y: Array, z: Array, t: DType) -> Array:
    """x * y + z, exactly (rational numbers), rounded once."""
    from fractions import Fraction

    out = np.empty(x.size, NUMPY[t])
    for i, (a, b, c) in enumerate(zip(x, y, z, strict=True)):
        if not all(map(np.isfinite, (float(a), float(b), float(c)))):
            out[i] = np.float32(float(a) * float(b) + float(c))
            continue
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        out[i] = round_fraction(exact, t)
    return out


def round_fraction(exact: Any, t: DType) -> Any:
    """To nearest even by comparing with both neighbours."""
    from fractions import Fraction

    guess = np.array([float(exact)], np.float64).astype(np.float32).astype(NUMPY[t])
    if exact == 0 or not np.isfinite(float(guess[0])):
        return guess[0]
    code = int(bits(guess)[0])
    around = [c for c in (code - 1, code, code + 1) if 0 <= c < 1 << (8 * guess.itemsize)]
    candidates = np.array(around, bits(guess).dtype).view(NUMPY[t])
    finite = [c for c in candidates if np.isfinite(float(c))]
    return min(
        finite, key=lambda c: (abs(Fraction(float(c)) - exact), int(bits(np.array([c]))[0]) & 1)
    )


@pytest.mark.parametrize("op", THREE)
@pytest.mark.parametrize("t", FLOATS)
def test_multiply_add_rounds_once(model: Model, chip: Chip, op: str, t: DType) -> None:
    if not exists(model, chip, op, t):
        return
    n = 600
    x, y, z = (numbers(NUMPY[t], n, k) for k in range(3))
    # Sums that cancel or tie are where a second rounding would show.
    z[: n // 2] = -(x[: n // 2].astype(np.float32) * y[: n // 2].astype(np.float32)).astype(
        NUMPY[t]
    )
    model.put(Space.UB, D, z)
    where = (model.at(Space.UB, D), model.put(Space.UB, A, x), model.put(Space.UB, B, y))
    s = 0.75
    (i,) = model.run("vec", VecOp[op], t, *where, s, VecShape(count=n))
    match op:
        case "mul_add_dst":
            expected = multiply_add(x, y, z, t)
        case "fused_mul_add":
            expected = multiply_add(x, z, y, t)
        case _:
            expected = multiply_add(x, np.full(n, s, np.float32), z, t)
    got = model.get(Space.UB, D, n, NUMPY[t])
    zeros = (got.astype(np.float64) == 0) & (expected.astype(np.float64) == 0)
    assert_same(
        np.where(zeros, np.zeros_like(got), got), np.where(zeros, np.zeros_like(got), expected)
    )
    assert len(i.of(write=False)) == (2 if op == "axpy" else 3)


TRANSCENDENTAL: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "ln": np.log,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "gelu": lambda x: x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
}


def ulps(got: Array, exact: Array, t: DType) -> Array:
    """Distance from the exact value in units in the last place of the type."""
    digits = {DType.F32: 24, DType.F16: 11, DType.BF16: 8}[t]
    lowest = {DType.F32: -125, DType.F16: -13, DType.BF16: -125}[t]
    exponent = np.maximum(np.frexp(exact)[1], lowest)
    return np.abs(got.astype(np.float64) - exact) / np.ldexp(1.0, exponent - digits)


@pytest.mark.parametrize("op", TRANSCENDENTAL)
@pytest.mark.parametrize("t", [DType.F32, DType.F16])
def test_transcendental_functions_are_within_half_an_ulp(model: Model, op: str, t: DType) -> None:
    n = 8192
    rng = np.random.default_rng(3)
    x = (rng.standard_normal(n) * 10.0 ** rng.uniform(-6, 1.3, n)).astype(NUMPY[t])
    special = np.array(
        [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 88.7, -103.9, 65504.0], NUMPY[t]
    )
    x[: special.size] = special
    src = model.put(Space.UB, A, x)
    model.run("vec", VecOp[op], t, model.at(Space.UB, D), src, ABSENT, 0.0, VecShape(count=n))
    got = model.get(Space.UB, D, n, NUMPY[t])
    exact = TRANSCENDENTAL[op](x.astype(np.float64))
    with_limits = once(exact, t)
    finite = np.isfinite(exact) & np.isfinite(with_limits.astype(np.float64))
    assert_same(
        np.where(finite, np.zeros_like(got), got), np.where(finite, np.zeros_like(got), with_limits)
    )
    assert ulps(got[finite], exact[finite], t).max() <= 0.50001


@pytest.mark.parametrize(
    "function", list(enumerate(["exp", "ln", "sigmoid", "silu", "tanh", "gelu"])), ids=str
)
def test_functions_are_good_to_thirteen_digits(a2: Model, function: tuple[int, str]) -> None:
    """Rounding to float then errs by little more than half an ulp. Inputs are floats of every size."""
    index, name = function
    x = np.abs(numbers(NUMPY[DType.F32], 40_000)).astype(np.float64)
    x = x[np.isfinite(x) & (x > 0)]
    near = np.linspace(0.001, 30, 20_001)
    x = np.concatenate([x, near]) if name == "ln" else np.concatenate([x, -x, near, -near])
    got = np.empty_like(x)
    call(a2.lib, "function", index, x, got, x.size)
    exact = TRANSCENDENTAL[name](x.astype(np.longdouble))
    settled = np.isfinite(exact) & (np.abs(exact) < 1e60) & (np.abs(exact) > 1e-60)
    assert (np.abs(got[settled] / exact[settled] - 1) < 1e-13).all()
    assert settled.sum() > 5000


@pytest.mark.parametrize("t", [DType.F32, DType.F16, DType.I32])
def test_power(model: Model, t: DType) -> None:
    n = 512
    base = np.abs(ordinary(NUMPY[t], n, 1)) + np.ones(1, NUMPY[t])
    exponent = (
        ordinary(NUMPY[t], n, 2) % NUMPY[t].type(7) if t == DType.I32 else ordinary(NUMPY[t], n, 2)
    )
    where = (model.at(Space.UB, D), model.put(Space.UB, A, base), model.put(Space.UB, B, exponent))
    (i,) = model.run("power", t, *where, model.at(Space.UB, D + 4096), n)
    if t == DType.I32:
        expected = np.array([int(b) ** int(e) for b, e in zip(base, exponent, strict=True)])
        expected = (expected % 2**32).astype(np.uint32).view(np.int32)
    else:
        expected = once(np.power(base.astype(np.float64), exponent.astype(np.float64)), t)
    assert_same(model.get(Space.UB, D, n, NUMPY[t]), expected)
    assert (
        i.of(write=True)[1].row_bytes == 2 * n * NUMPY[t].itemsize
    )  # the temporary buffer is lost


def test_a_temporary_buffer_is_overwritten_up_to_its_end(model: Model) -> None:
    x = ordinary(np.dtype(np.float32), 64)
    model.memory(Space.UB)[B : B + 512] = 0
    tmp = model.at(Space.UB, B, lo=B, hi=B + 128)
    src = model.put(Space.UB, A, x)
    model.run(
        "vec", VecOp.sigmoid, DType.F32, model.at(Space.UB, D), src, tmp, 0.0, VecShape(count=64)
    )
    assert (model.get(Space.UB, B, 128, np.uint8) == 0xFF).all()
    assert (model.get(Space.UB, B + 128, 128, np.uint8) == 0).all()


INTEGER: dict[str, Callable[[Array, Array], Array]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "max": np.maximum,
    "min": np.minimum,
    "and_": np.bitwise_and,
    "or_": np.bitwise_or,
    "xor_": np.bitwise_xor,
    "abs": lambda x, _: np.abs(x),
    "relu": lambda x, _: np.maximum(x, 0),
    "not_": lambda x, _: ~x,
    "adds": lambda x, _: x + x.dtype.type(3),
    "muls": lambda x, _: x * x.dtype.type(3),
    "maxs": lambda x, _: np.maximum(x, x.dtype.type(3)),
    "mins": lambda x, _: np.minimum(x, x.dtype.type(3)),
    "shift_left": lambda x, _: x << x.dtype.type(3),
    "shift_right": lambda x, _: x >> x.dtype.type(3),
}


@pytest.mark.parametrize("op", INTEGER)
@pytest.mark.parametrize(
    "t", [DType.I16, DType.U16, DType.I32, DType.U32, DType.I8, DType.U8, DType.I64]
)
def test_integers_wrap(model: Model, chip: Chip, op: str, t: DType) -> None:
    if not exists(model, chip, op, t):
        return
    x, y = numbers(NUMPY[t], 1001, 1), numbers(NUMPY[t], 1001, 2)
    where = (model.at(Space.UB, D), model.put(Space.UB, A, x), model.put(Space.UB, B, y))
    model.run("vec", VecOp[op], t, *where, 3.0, VecShape(count=1001))
    assert_same(model.get(Space.UB, D, 1001, NUMPY[t]), INTEGER[op](x, y).astype(NUMPY[t]))


@pytest.mark.parametrize("t", [DType(i) for i in range(len(NUMPY))])
def test_duplicate_fills_every_type(model: Model, t: DType) -> None:
    model.run(
        "vec", VecOp.duplicate, t, model.at(Space.UB, D), ABSENT, ABSENT, 7.0, VecShape(count=77)
    )
    assert (model.get(Space.UB, D, 77, NUMPY[t]) == NUMPY[t].type(7)).all()


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), -0.0, 65504.0, 1e-8])
def test_duplicate_keeps_special_values(model: Model, value: float) -> None:
    for t in FLOATS:
        model.run(
            "vec",
            VecOp.duplicate,
            t,
            model.at(Space.UB, D),
            ABSENT,
            ABSENT,
            value,
            VecShape(count=8),
        )
        assert_same(
            model.get(Space.UB, D, 8, NUMPY[t]), np.full(8, value, np.float32).astype(NUMPY[t])
        )


# ---- masks and strides -----------------------------------------------------------------------------------------------


def positions(size: int, repeats: int, mask: int, blk: int, rep: int) -> Array:
    """Byte offsets of the active lanes, repeat by repeat."""
    lanes = [i for i in range(256 // size) if mask >> i & 1]
    per_block = 32 // size
    one = np.array([(i // per_block) * blk * 32 + (i % per_block) * size for i in lanes])
    return (np.arange(repeats)[:, None] * rep * 32 + one[None, :]).reshape(-1)


def masks(mask: int) -> Any:
    return (u64 * 2)(mask & (2**64 - 1), mask >> 64)


PATTERNS = [
    # repeats, mask, (dst, src0, src1) block strides, repeat strides, instructions
    (4, (1 << 128) - 1, (1, 1, 1), (8, 8, 8), 1),
    (3, (1 << 20) - 1, (1, 1, 1), (8, 8, 8), 1),
    (5, (1 << 64) - 1, (1, 1, 0), (16, 16, 1), 1),
    (4, (1 << 64) - 1, (1, 1, 1), (8, 9, 0), 1),
    (1, (1 << 128) - 1, (2, 3, 1), (8, 8, 8), 1),
    (3, (1 << 128) - 1, (2, 1, 1), (16, 8, 8), 1),
    (3, 0x00FF00FF, (1, 1, 1), (8, 8, 8), 2),
    (2, 0xF0F00F1, (1, 1, 1), (9, 8, 8), 4),
    (3, (1 << 40) - 1 - 7, (2, 1, 1), (17, 8, 8), None),
    (3, (1 << 64) - 1, (3, 1, 2), (30, 8, 20), None),
]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("t", [DType.F32, DType.F16])
def test_lanes_outside_the_mask_keep_their_values(
    model: Model, t: DType, pattern: tuple[Any, ...]
) -> None:
    repeats, mask, blk, rep, parts = pattern
    dtype = NUMPY[t]
    size = dtype.itemsize
    area = 16 * 1024
    x, y, old = (ordinary(dtype, area // size, k) for k in range(3))
    where = (model.put(Space.UB, D, old), model.put(Space.UB, A, x), model.put(Space.UB, B, y))
    shape = VecShape(
        repeats=repeats,
        mask=masks(mask),
        **dict(zip(("dst_blk", "src0_blk", "src1_blk"), blk, strict=True)),
        **dict(zip(("dst_rep", "src0_rep", "src1_rep"), rep, strict=True)),
    )
    issued = model.run("vec", VecOp.add, t, *where, 0.0, shape)
    at = [positions(size, repeats, mask, b, r) // size for b, r in zip(blk, rep, strict=True)]
    expected = old.copy()
    expected[at[0]] = (x[at[1]].astype(np.float32) + y[at[2]].astype(np.float32)).astype(dtype)
    assert_same(model.get(Space.UB, D, area // size, dtype), expected)
    assert [i.continues for i in issued] == [False] + [True] * (len(issued) - 1)
    if parts is not None:
        assert len(issued) == parts
    # Exactly the bytes of the active lanes are in the regions, no more.
    written = sum(r.rows * r.row_bytes for i in issued for r in i.of(write=True))
    assert written == len(np.unique(at[0])) * size


def test_a_repeat_stride_of_zero_accumulates(model: Model) -> None:
    """Add(d, s, d) with d in one place for every repeat: later repeats see what earlier ones wrote."""
    x = ordinary(np.dtype(np.float32), 4 * 64, 1)
    dst, src = model.put(Space.UB, D, np.zeros(64, np.float32)), model.put(Space.UB, A, x)
    shape = VecShape(repeats=4, dst_rep=0, src1_rep=0)
    model.run("vec", VecOp.add, DType.F32, dst, src, dst, 0.0, shape)
    total = np.zeros(64, np.float32)
    for part in x.reshape(4, 64):
        total = part + total
    assert_same(model.get(Space.UB, D, 64, np.float32), total)


def test_no_repeats_or_count_is_no_instruction(model: Model) -> None:
    where = (model.at(Space.UB, D), model.at(Space.UB, A), model.at(Space.UB, B))
    assert model.run("vec", VecOp.add, DType.F32, *where, 0.0, VecShape()) == []
    assert (
        model.run("vec", VecOp.add, DType.F32, *where, 0.0, VecShape(repeats=2, mask=masks(0)))
        == []
    )


def test_in_place_is_fine(model: Model) -> None:
    x = ordinary(np.dtype(np.float16), 3000, 1)
    at = model.put(Space.UB, A, x)
    model.run("vec", VecOp.add, DType.F16, at, at, at, 0.0, VecShape(count=3000))
    assert_same(model.get(Space.UB, A, 3000, np.float16), x + x)
    assert model.findings() == ""


def test_a_destination_that_partly_overlaps_a_source_is_reported(model: Model) -> None:
    where = (model.at(Space.UB, 32), model.at(Space.UB, 0), model.at(Space.UB, B))
    model.lib.h_reset(0, 0)  # the result is undefined: do not judge it
    model.run("vec", VecOp.add, DType.F32, *where, 0.0, VecShape(count=64))
    assert model.findings().startswith("operand-overlap: ")


def test_composites_are_not_in_place(model: Model) -> None:
    at = model.at(Space.UB, 0)
    model.run("vec", VecOp.silu, DType.F32, at, at, ABSENT, 0.0, VecShape(count=64))
    assert model.findings().startswith("operand-overlap: ")


@pytest.mark.parametrize(
    ("op", "t", "message"),
    [
        (VecOp.add, DType.BF16, "Add of bfloat16 on dav-2201"),
        (VecOp.div, DType.I32, "Div of int32 on dav-2201"),
        (VecOp.and_, DType.F32, "And of float on dav-2201"),
        (VecOp.muls, DType.I8, "Muls of int8 on dav-2201"),
    ],
)
def test_what_the_vector_unit_does_not_have_is_unsupported(
    a2: Model, op: VecOp, t: DType, message: str
) -> None:
    where = (a2.at(Space.UB, D), a2.at(Space.UB, A), a2.at(Space.UB, B))
    assert a2.run("vec", op, t, *where, 0.0, VecShape(count=64)) == []
    assert a2.findings() == f"unsupported: {message}\n"
