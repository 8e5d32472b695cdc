"""Local tensors of Ascend C that a kernel places itself, by an address: two that overlap are no matter of order.

`LocalTensor<T> a(TPosition::A1, 0, n)`: position, first byte, number of elements (asc-devkit, docs/zh, SIMD-API, LocalTensor).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ARGUMENT = re.compile(r"^\s*(?:AscendC::)?\w+(?:<[^;()]*>)?\s*\(\s*(?P<name>\w+)")


@dataclass(frozen=True)
class Placed:
    """A tensor, its first byte as it is written, and the line."""

    name: str
    address: str
    line: int


def overlapping(text: str, first: int, second: int) -> tuple[Placed, Placed] | None:
    """The destinations of the calls at two lines, where these are different tensors with addresses of their own."""
    one, other = (_destination(text, line) for line in (first, second))
    return (one, other) if one and other and one.name != other.name else None


def _destination(text: str, line: int) -> Placed | None:
    call = _ARGUMENT.match(text.split("\n")[line - 1])
    if call is None:
        return None
    placed = re.compile(
        rf"\b{call['name']}\s*\(\s*(?:AscendC::)?TPosition::\w+\s*,\s*(?P<address>[^,;]+?)\s*,"
    )
    found = [m for m in placed.finditer(text) if text.count("\n", 0, m.start()) < line]
    if not found:
        return None
    last = found[-1]
    return Placed(call["name"], last["address"], text.count("\n", 0, last.start()) + 1)
