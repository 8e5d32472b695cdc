"""Number formats: every half, and floats at and around every rounding boundary."""

from __future__ import annotations

import ctypes
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.ops.ops_model import BF16, Array, Round, assert_same, bits, call, numbers

F16 = np.dtype(np.float16)
FORMATS = pytest.mark.parametrize("fmt", [0, 1], ids=["half", "bfloat16"])


def dtype_of(fmt: int) -> np.dtype[Any]:
    return BF16 if fmt else F16


def boundaries(fmt: int) -> Array:
    """Every value of the format, every midpoint between neighbours, and the floats just beside both."""
    every = np.arange(1 << 16, dtype=np.uint16).view(dtype_of(fmt)).astype(np.float32)
    finite = np.unique(every[np.isfinite(every)]).astype(np.float64)
    middle = ((finite[1:] + finite[:-1]) / 2).astype(np.float32)
    exact = np.concatenate([every, middle])
    with np.errstate(over="ignore"):
        around = [np.nextafter(exact, np.float32(x)) for x in (-np.inf, np.inf)]
    edge = np.float32(65504) * np.array([1, 1.0002, 1.0003, 1.1, 2, 100], np.float32)
    return np.concatenate([exact, *around, edge, -edge, numbers(np.dtype(np.float32), 100_000)])


def neighbours(x: Array, fmt: int) -> tuple[Array, Array]:
    """The largest value of the format not above x and the smallest not below, as doubles."""
    values = np.arange(1 << 16, dtype=np.uint16).view(dtype_of(fmt)).astype(np.float64)
    values = np.unique(values[~np.isnan(values)])
    upper = np.searchsorted(values, x.astype(np.float64), side="left")
    lower = np.searchsorted(values, x.astype(np.float64), side="right") - 1
    return values[lower], values[upper]


def expected(x: Array, fmt: int, mode: Round) -> Array:
    """Rounding by its definition, in double, for finite x."""
    low, high = neighbours(x, fmt)
    exact = x.astype(np.float64)
    towards_zero = np.where(exact < 0, high, low)
    away = np.where(exact < 0, low, high)
    with np.errstate(over="ignore", invalid="ignore"):
        match mode:
            case Round.FLOOR:
                result = low
            case Round.CEIL:
                result = high
            case Round.TRUNC:
                result = towards_zero
            case Round.ODD:
                odd = bits(towards_zero.astype(np.float32).astype(dtype_of(fmt))) & 1 == 1
                result = np.where((exact == towards_zero) | odd, towards_zero, away)
            case Round.ROUND:
                # The first value beyond the format stands for infinity when it decides what is nearer.
                top = 2.0**16 if fmt == 0 else 2.0**128
                far = np.where(np.isinf(away), np.copysign(top, exact), away)
                result = np.where(
                    np.abs(exact - towards_zero) * 2 >= np.abs(far - towards_zero),
                    away,
                    towards_zero,
                )
            case _:
                return x.astype(dtype_of(fmt))
    result = np.where(np.isinf(result) & (mode == Round.ODD), towards_zero, result)
    signed = np.copysign(result, exact)
    return signed.astype(np.float32).astype(dtype_of(fmt))


def test_every_half_becomes_the_same_float_in_hardware_and_in_software(
    library: ctypes.CDLL,
) -> None:
    every = np.arange(1 << 16, dtype=np.uint16)
    fast, portable = np.empty(1 << 16, np.float32), np.empty(1 << 16, np.float32)
    call(library, "widen", 0, every, fast, every.size)
    call(library, "widen_portable", every, portable, every.size)
    assert_same(fast, every.view(np.float16).astype(np.float32))
    assert (bits(fast) == bits(portable)).all()


@FORMATS
def test_nearest_even_is_what_numpy_gives(library: ctypes.CDLL, fmt: int) -> None:
    x = boundaries(fmt)
    fast, any_mode = np.empty(x.size, np.uint16), np.empty(x.size, np.uint16)
    call(library, "narrow_fast", fmt, x, fast, x.size)
    call(library, "narrow", fmt, int(Round.RINT), 0, x, any_mode, x.size)
    with np.errstate(over="ignore"):
        assert_same(fast.view(dtype_of(fmt)), x.astype(dtype_of(fmt)))
    assert (fast == any_mode).all()


@FORMATS
@pytest.mark.parametrize("mode", [Round.FLOOR, Round.CEIL, Round.TRUNC, Round.ODD, Round.ROUND])
def test_directed_modes_follow_their_definition(
    library: ctypes.CDLL, fmt: int, mode: Round
) -> None:
    x = boundaries(fmt)
    x = x[np.isfinite(x)]
    y = np.empty(x.size, np.uint16)
    call(library, "narrow", fmt, int(mode), 0, x, y, x.size)
    assert_same(y.view(dtype_of(fmt)), expected(x, fmt, mode))


@FORMATS
def test_saturation_keeps_the_result_finite(library: ctypes.CDLL, fmt: int) -> None:
    most = float(ml_dtypes.finfo(dtype_of(fmt)).max)
    x = np.array([np.inf, -np.inf, np.nan, most, 3.4e38, -3.4e38, 1.0], np.float32)
    y = np.empty(x.size, np.uint16)
    call(library, "narrow", fmt, int(Round.RINT), 1, x, y, x.size)
    values = y.view(dtype_of(fmt)).astype(np.float64)
    assert values.tolist() == [most, -most, 0.0, most, most, -most, 1.0]


@FORMATS
def test_doubles_are_rounded_once(library: ctypes.CDLL, fmt: int) -> None:
    """A double a hair above a tie would go to even if it were rounded to float on the way."""
    every = np.arange(1 << 16, dtype=np.uint16).view(dtype_of(fmt)).astype(np.float64)
    finite = np.unique(every[np.isfinite(every)])
    middle = (finite[1:] + finite[:-1]) / 2
    x = np.concatenate([middle, np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf)])
    y = np.empty(x.size, np.uint16)
    call(library, "narrow_double", fmt, x, y, x.size)
    # Midpoints: to even. Beside them: to the neighbour on that side.
    low, high = finite[:-1], finite[1:]
    even = bits(low.astype(np.float32).astype(dtype_of(fmt))) & 1 == 0
    wanted = np.concatenate([np.where(even, low, high), high, low])
    actual = y.view(dtype_of(fmt)).astype(np.float64)
    assert (actual == wanted).all()


@FORMATS
@pytest.mark.parametrize("op", range(4), ids=["add", "sub", "mul", "div"])
def test_arithmetic_is_correctly_rounded(library: ctypes.CDLL, fmt: int, op: int) -> None:
    """Float computes, one rounding follows: the same as the exact result rounded once."""
    x, y = numbers(dtype_of(fmt), 300_000, seed=1), numbers(dtype_of(fmt), 300_000, seed=2)
    z = np.empty(x.size, np.uint16)
    call(library, "arithmetic", fmt, op, bits(x), bits(y), z, x.size)
    a, b = x.astype(np.longdouble), y.astype(np.longdouble)
    with np.errstate(all="ignore"):
        exact = [a + b, a - b, a * b, a / b][op]
        # 64 bits of significand hold sums that the comparison needs; the sticky double keeps ties apart.
        wide = exact.astype(np.float64)
    wanted = np.empty(x.size, np.uint16)
    call(library, "narrow_double", fmt, wide, wanted, x.size)
    assert_same(z.view(dtype_of(fmt)), wanted.view(dtype_of(fmt)))


@pytest.mark.parametrize("op", [2, 3], ids=["mul", "div"])
def test_subnormal_results_of_bfloat16_are_rounded_once(library: ctypes.CDLL, op: int) -> None:
    """A subnormal float has lost digits already: every product and quotient around 2^-133 is tried."""
    significands = np.arange(128, 256) / 128.0
    x, y = (a.ravel() for a in np.meshgrid(significands, significands))
    exponents = np.arange(-137, -124)
    x = (x[None, :] * 2.0 ** exponents[:, None]).ravel() * 2.0**60
    y = np.tile(y * (2.0**-60 if op == 2 else 2.0**60), exponents.size)
    a, b = (v.astype(np.float32).astype(BF16) for v in (x, y))
    exact = a.astype(np.float64) * b.astype(np.float64)
    if op == 3:
        exact = a.astype(np.float64) / b.astype(np.float64)
    got, wanted = np.empty(a.size, np.uint16), np.empty(a.size, np.uint16)
    call(library, "arithmetic", 1, op, bits(a), bits(b), got, a.size)
    call(library, "narrow_double", 1, exact, wanted, a.size)
    assert (got == wanted).all()
    assert np.unique(got).size > 100


@pytest.mark.parametrize(
    "mode", [Round.RINT, Round.FLOOR, Round.CEIL, Round.TRUNC, Round.ROUND, Round.ODD]
)
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8"])
def test_integers_saturate_or_keep_their_low_bits(
    library: ctypes.CDLL, dtype: str, mode: Round
) -> None:
    info = np.iinfo(dtype)
    rng = np.random.default_rng(0)
    limit = min(float(info.max), 2.0**52)
    x = np.concatenate(
        [
            rng.uniform(-2 * limit, 2 * limit, 2000),
            np.arange(-300, 300) / 4,
            [np.inf, -np.inf, np.nan, 1e300],
        ]
    )
    rounded = {
        Round.RINT: np.rint,
        Round.FLOOR: np.floor,
        Round.CEIL: np.ceil,
        Round.TRUNC: np.trunc,
        Round.ROUND: lambda v: np.where(np.isinf(v), v, np.trunc(v + np.copysign(0.5, v))),
        Round.ODD: lambda v: np.where(
            (np.floor(v) == v) | (np.floor(v) % 2 == 1), np.floor(v), np.ceil(v)
        ),
    }[mode]
    with np.errstate(invalid="ignore"):
        integral = rounded(x)
    for saturate in (True, False):
        y = np.empty(x.size, np.int64)
        call(
            library,
            "to_integer",
            info.bits,
            int(info.min < 0),
            int(mode),
            int(saturate),
            x,
            y,
            x.size,
        )
        for value, got in zip(integral, y, strict=True):
            if np.isnan(value):
                wanted = 0
            elif saturate:
                wanted = (
                    int(np.clip(value, info.min, info.max))
                    if np.isfinite(value)
                    else (info.max if value > 0 else info.min)
                )
                wanted = max(min(wanted, info.max), info.min)
            elif np.isinf(value):
                continue
            else:
                wanted = int(value) % 2**info.bits
                wanted -= 2**info.bits if info.min < 0 and wanted >= 2 ** (info.bits - 1) else 0
            assert got == wanted, (value, got, wanted)
