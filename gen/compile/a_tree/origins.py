"""Which Python line an emitted line comes from, asked of the compiler only when somebody wants to know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from gen.compile.a_tree.lowering import Request, lower
from gen.compile.a_tree.worker import LoweredKernel, Worker
from gen.compile.base import CompileError


class Origins(Mapping[int, int]):
    """Emitted line → Python line, both counted from 1.

    A clean kernel never needs them, and learning them takes a second lowering: the first look-up starts it. Empty
    where the compiler does not yield the same kernel again.
    """

    def __init__(self, request: Request, kernel: LoweredKernel, worker: Worker | None) -> None:
        self._request, self._kernel, self._worker = request, kernel, worker

    @cached_property
    def _lines(self) -> dict[int, int]:
        try:
            again = lower(replace(self._request, with_lines=True), worker=self._worker)
        except CompileError:
            return {}
        if _placeless(again.source) != _placeless(self._kernel.source):
            return {}
        return {n: line for n, line in enumerate(again.lines, 1) if line}

    def __getitem__(self, line: int) -> int:
        return self._lines[line]

    def __iter__(self) -> Iterator[int]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def _placeless(source: str) -> str:
    """`source` without the places of its buffers: where the compiler plans them, they differ from run to run."""
    return re.sub(r"(GetWithOffset<\w+>)\([^)]*\)", r"\1", source)
