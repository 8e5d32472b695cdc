"""A value together with a bound on what a kernel's result may differ from it.

Arithmetic on `Bounded` is the running error analysis of the text books (Higham, Accuracy and Stability of Numerical
Algorithms, 2nd ed., 3.3): every operation adds the propagated error of its operands and that of its own rounding. An
operation whose operands carry no error and that IEEE 754 rounds exactly stays exact: its bound is zero and the result
must agree bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gen.check.formats import F64, round_to, ulp
from gen.spec import DType

#: Units in the last place of the compute type that a function may be off, in any tree. IEEE 754 asks none for these
#: functions; CUDA's and the host libm's single-precision exp and log hold 1 to 2, a quotient built on exp one more.
FUNCTION_ULPS = {"exp": 2.0, "log": 2.0, "sigmoid": 4.0}
#: 1 / (1 + exp(-x)) underflows to 0 once exp(-x) overflows: below the smallest normal number the value may be flushed.
FLUSH = {DType.FLOAT32: 2.0**-126, DType.FLOAT16: 2.0**-14, DType.BFLOAT16: 2.0**-126}


@dataclass(frozen=True)
class Bounded:
    """`value` is the reference in `float64`, rounded to the working type; `error` the bound, 0 where exact.

    `error` has the shape of `value` or none (one bound for all).
    """

    value: F64
    error: F64

    @property
    def exact(self) -> bool:
        """Whether the kernel must reproduce the value bit for bit."""
        return not np.any(self.error)


NO_ERROR: F64 = np.zeros(())


def exact(value: F64) -> Bounded:
    """A value without error, e.g. an input."""
    return Bounded(value, NO_ERROR)


def rounded(value: F64, propagated: F64, dtype: DType) -> Bounded:
    """The result of an exactly rounded operation on operands that may be off."""
    result = round_to(value, dtype)
    if not propagated.any():
        return Bounded(result, NO_ERROR)
    # The reference rounds once and so does the kernel, each by half an ulp, around values `propagated` apart.
    error = np.where(propagated > 0, propagated + ulp(np.abs(value) + propagated, dtype), 0.0)
    return Bounded(result, error)


def function(name: str, f: Callable[[F64], F64], x: Bounded, dtype: DType) -> Bounded:
    """A monotone function that the kernel computes within `FUNCTION_ULPS` of the true value."""
    value = f(x.value)
    spread = NO_ERROR
    if x.error.any():
        above, below = f(x.value + x.error), f(x.value - x.error)
        spread = np.where(
            x.error > 0, np.maximum(np.abs(above - value), np.abs(below - value)), 0.0
        )
    slack = FUNCTION_ULPS[name] * ulp(np.abs(value) + spread, dtype)
    if name == "sigmoid":
        slack = slack + FLUSH[dtype]
    return Bounded(round_to(value, dtype), spread + slack)
