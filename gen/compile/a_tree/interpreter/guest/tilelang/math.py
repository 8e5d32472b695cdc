"""tilelang.math: sizes on the host."""

from __future__ import annotations


def next_power_of_2(x: int) -> int:
    """The smallest power of 2 that is not below `x`."""
    power = 1
    while power < x:
        power *= 2
    return power


def cdiv(a: int, b: int) -> int:
    """The quotient, rounded up."""
    return -(-a // b)
