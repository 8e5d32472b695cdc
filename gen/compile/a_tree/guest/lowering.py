"""Lowers a prim_func to Ascend C, and says which line of the Python file each emitted line comes from.

The compiler keeps no source positions. A second lowering, with a `T.printf` that names the line in front of every
statement, shows them; it counts only if it equals the first one as soon as those lines are taken out again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import tilelang.language as T  # noqa: N812
from tilelang import tvm
from tilelang.engine import lower
from tilelang.utils import target as target_module
from tvm.script.ir_builder import tir as builder  # type: ignore[import-not-found]
from tvm.script.parser.core import parser  # type: ignore[import-not-found]

MARK = "@crosstree-line"
_MARK_LINE = re.compile(rf'\s*AscendC::PRINTF\("{MARK} (\d+)\\n"\);')
_CONTROL = re.compile(r"\s*(\} else|if|for|while)\b")
_PRINTF_INCLUDE = re.compile(r'#include [<"].*printf\.h[>"]')


def prepare() -> None:
    """Makes the output independent of the machine: without an NPU the compiler merges buffers differently."""
    target_module.check_npu_availability = lambda: True


def lower_to_source(function: Any, options: dict[str, Any]) -> str:
    """The Ascend C source of one prim_func, with the pass configuration of its `tilelang.jit`."""
    config = options.get("pass_configs") or {}
    with tvm.transform.PassContext(opt_level=3, config=dict(config)):
        return str(lower(function, target="ascendc", platform=_platform(options)).kernel_source)


def _platform(options: dict[str, Any]) -> str:
    platform = str(options.get("platform", "auto"))
    return "A3" if platform == "auto" else platform


@contextmanager
def marked_statements(path: str) -> Iterator[None]:
    """While this is open, statements of kernels in the file `path` are parsed with a mark in front of each."""
    visit = parser.Parser.visit

    def marking(self: Any, node: Any) -> Any:
        is_statement = type(node).__name__.rpartition(".")[2] == "Expr"
        if (
            is_statement
            and self.dispatch_tokens[-1] == "tir"
            and self.diag.source.source_name == path
        ):
            line = self.diag.source.start_line - 1 + node.lineno
            builder.evaluate(T.printf(f"{MARK} {line}\n"))
        return visit(self, node)

    parser.Parser.visit = marking
    try:
        yield
    finally:
        parser.Parser.visit = visit


def line_map(source: str, marked: str) -> list[int]:
    """For each line of `source` the Python line that it comes from, 0 where none does.

    Empty when `marked` differs from `source` in more than its marks: then nothing is known.
    """
    plain: list[str] = []
    origin: list[int] = []
    current = 0
    for text in marked.splitlines():
        mark = _MARK_LINE.fullmatch(text)
        if mark:
            current = int(mark[1])
            continue
        if _PRINTF_INCLUDE.fullmatch(text) and text not in source:
            continue
        if _CONTROL.match(text) or text == "}":
            current = 0
        plain.append(text)
        origin.append(0 if text.strip() in ("{", "}") else current)
    if plain != source.splitlines():
        return []
    return origin
