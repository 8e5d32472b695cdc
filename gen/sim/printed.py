"""What cores print while they run: at the same time, and so in an order that no run repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

_LINE = re.compile(r"(?P<unit>AI[CV]\d) of block (?P<block>\d+): ")


def in_core_order(text: str) -> str:
    """`text` with neighbouring lines of cores sorted by block, then AIC before AIV; each core's own order stays.

    Lines of the host program stay where they are.
    """
    return "".join(_ordered(text))


def _ordered(text: str) -> Iterator[str]:
    for core, group in groupby(text.splitlines(keepends=True), _is_of_a_core):
        lines = list(group)
        yield from sorted(lines, key=_core) if core else lines


def _is_of_a_core(line: str) -> bool:
    return bool(_LINE.match(line))


def _core(line: str) -> tuple[int, str]:
    match = _LINE.match(line)
    return (int(match["block"]), match["unit"]) if match else (0, "")
