"""Number formats in NumPy: rounding, units in the last place, poison."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from gen.spec import DType

Array = npt.NDArray[Any]
F64 = npt.NDArray[np.float64]

EXACT_FLOAT32 = 2**24
"""Integers up to this magnitude, and so their sums in any order, are exact in float32."""

_DTYPES: dict[DType, np.dtype[Any]] = {
    DType.FLOAT16: np.dtype(np.float16),
    DType.BFLOAT16: np.dtype(ml_dtypes.bfloat16),
    DType.FLOAT32: np.dtype(np.float32),
}
# (bits of the significand with the hidden one, smallest normal exponent)
_FORMAT = {DType.FLOAT16: (11, -14), DType.BFLOAT16: (8, -126), DType.FLOAT32: (24, -126)}


def numpy_dtype(dtype: DType) -> np.dtype[Any]:
    """The NumPy dtype of a spec's dtype (bfloat16 is ml_dtypes')."""
    return _DTYPES[dtype]


def unit_roundoff(dtype: DType) -> float:
    """Half a unit in the last place of 1.0: the relative error of one rounding to nearest."""
    return float(2.0 ** -_FORMAT[dtype][0])


def round_to(x: F64, dtype: DType) -> F64:
    """Each element rounded to nearest even in `dtype`, as float64.

    The detour through float32 for 16-bit formats would round twice; NumPy and ml_dtypes convert float64 directly
    (ml_dtypes through float32, which is harmless only for values that are float32 already, hence the odd-rounding
    step).
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if dtype is DType.BFLOAT16:
            return _round_to_odd_f32(x).astype(ml_dtypes.bfloat16).astype(np.float64)
        return x.astype(_DTYPES[dtype]).astype(np.float64)


def _round_to_odd_f32(x: F64) -> npt.NDArray[np.float32]:
    """float64 to float32 with the last bit sticky, so that a second rounding to fewer bits is correct."""
    near = x.astype(np.float32)
    back = near.astype(np.float64)
    inexact = (back != x) & np.isfinite(x) & np.isfinite(back)
    even = (near.view(np.uint32) & 1) == 0
    towards = np.where(back < x, np.float32(np.inf), np.float32(-np.inf))
    return np.where(inexact & even, np.nextafter(near, towards), near)


def ulp(x: F64, dtype: DType) -> F64:
    """Distance between neighbouring numbers of `dtype` at |x| (at least that of its subnormals)."""
    bits, smallest = _FORMAT[dtype]
    # The biased exponent of |x| as an integer, clamped to the format's smallest, less the bits below the leading one:
    # the exponent field of the distance. Infinities and NaN give a huge distance, which no comparison uses.
    field = (np.ascontiguousarray(x, dtype=np.float64).view(np.int64) >> 52) & 0x7FF
    field = np.maximum(field, smallest + 1023) - (bits - 1)
    distance: F64 = (field << 52).view(np.float64)
    return distance


def to_float64(x: Array) -> F64:
    """Any of the formats as float64, exactly."""
    return x.astype(np.float64)
