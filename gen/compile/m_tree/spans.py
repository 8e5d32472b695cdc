"""Which line of the kernel file each line of the device source comes from, as the compiler knows it.

tilelang 0.1.15 stamps every statement of a traced kernel with its Python line and carries most of these spans through
its passes, but its Ascend code generator writes none of them (only the CUDA and C ones know `#line`). So the module that
the code generator gets is printed a second time with a marker in front of each statement; the lines between two markers
belong to the first. Without its markers that text must be the device source, or nothing is answered.

Loaded by worker.py from its own folder: this module imports nothing of the package.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator
from typing import Any

COMPILER = "<compiler>"
"""Source of the statements that the compiler adds, such as synchronisation: they have no line in Python."""

_MARKER = "gen_python_line"
_MARK = re.compile(rf"\s*{_MARKER}\((\d+)\);")
_VECTOR_FUNCTION = re.compile(r"^__(?:simt|simd)_vf__ .*\bvoid (\w+)\(")
_MARKED = ("Evaluate", "BufferStore", "For", "While", "IfThenElse", "Bind", "SBlock")

_PAD = "tl.AscendInsertOOBPadding"
_LOWER = "tl.AscendLowerTileOp"
_SPILL = "tl.RewriteFlagToBuf"
_INDEXING = ("tl.LegalizeNegativeIndex", "tl.LegalizeSafeMemoryAccess")
_FLAGS = ("tl.ascend_set_flag", "tl.ascend_wait_flag")
_REBUILDING = ("tl.RewriteDualCopy", "tl.AscendLayoutInference", _PAD, _LOWER, _SPILL)
"""Passes that drop spans and keep the order of what they rebuild."""


class KeepSpans:
    """A pass instrument that gives back the spans that passes drop; `path` is the name of the kernel file."""

    def __init__(self, path: str) -> None:
        self._path = os.path.abspath(path)  # noqa: PTH100  as the compiler names files
        self._ir = importlib.import_module("tilelang.ir")
        self._tirx = importlib.import_module("tvm.tirx")
        self._visit = importlib.import_module("tvm.tirx.stmt_functor").post_order_visit
        self._before: list[tuple[str, Any]] = []
        self._stored: list[Any] = []

    def run_before_pass(self, module: Any, info: Any) -> None:
        if info.name in _REBUILDING:
            self._before = [(name, self._span(s)) for name, s in self._calls(module)]

        elif info.name in _INDEXING:
            self._stored = [self._span(s) for s in self._statements(module, self._tirx.BufferStore)]

    def run_after_pass(self, module: Any, info: Any) -> None:
        if info.name in _INDEXING:
            self._indexed(module)
        if info.name not in _REBUILDING:
            return
        if info.name == _SPILL:
            self._spilled(module)
            return
        for words in (("copy",), ("gemm", "ascend_mad")):
            self._restore(module, words)
        if info.name == _PAD:
            self._fills(module)
        if info.name == _LOWER:
            self._own(module)

    def _restore(self, module: Any, words: tuple[str, ...]) -> None:
        """The calls whose names hold one of `words`, in the order that they had before the pass."""
        before = [span for name, span in self._before if any(w in name for w in words)]
        now = [s for name, s in self._calls(module) if any(w in name for w in words)]
        if len(before) != len(now):
            return
        for span, statement in zip(before, now, strict=True):
            if not self._of_file(self._span(statement)):
                self._stamp(statement, span)

    def _spilled(self, module: Any) -> None:
        """A flag beyond the eight of its pair becomes a lock and an unlock of a buffer mutex."""
        flags = [span for name, span in self._before if name in _FLAGS]
        now = [
            (name, s) for name, s in self._calls(module) if name in _FLAGS or self._span(s) is None
        ]
        now = [
            (name, s)
            for name, s in now
            if name in _FLAGS or name.endswith(("_get_buf", "_rls_buf"))
        ]
        if len(flags) != sum(not name.endswith("_rls_buf") for name, _ in now):
            return
        place = -1
        for name, statement in now:
            place += not name.endswith("_rls_buf")
            if name not in _FLAGS:
                self._stamp(statement, flags[place])

    def _indexed(self, module: Any) -> None:
        """Element stores get other indices, or conditions around them that keep the indices inside."""
        stores = list(self._statements(module, self._tirx.BufferStore))
        if len(stores) == len(self._stored):
            for span, statement in zip(self._stored, stores, strict=True):
                if self._span(statement) is None:
                    self._stamp(statement, span)
        self._around(module, self._tirx.IfThenElse, None)

    def _own(self, module: Any) -> None:
        """Nothing is left without a span: later passes would give it that of the loop around it."""
        compiler = self._ir.make_span(COMPILER, 1)
        for _, statement in self._calls(module):
            if self._span(statement) is None:
                self._stamp(statement, compiler)
        self._around(module, self._tirx.For, compiler)

    def _around(self, module: Any, kind: Any, last: Any) -> None:
        """Gives the statements of a kind that have no span the one of the last statement in them."""

        def visit(node: Any) -> None:
            nonlocal last
            if isinstance(node, self._tirx.Evaluate | self._tirx.BufferStore):
                last = self._span(node) or last
            elif isinstance(node, kind) and self._span(node) is None:
                self._stamp(node, last)

        for function in self._functions(module):
            self._visit(function.body, visit)

    def _fills(self, module: Any) -> None:
        """A fill of a tile's edge belongs to the nearest copy into the tile."""
        calls = list(self._calls(module))
        into = [
            (i, self._target(s, 1), self._span(s)) for i, (n, s) in enumerate(calls) if "copy" in n
        ]
        for i, (name, statement) in enumerate(calls):
            if "fill" not in name or self._span(statement) is not None:
                continue
            tile = self._target(statement, 0)
            near = [
                (abs(at - i), span)
                for at, buffer, span in into
                if buffer is not None and buffer == tile
            ]
            if near:
                self._stamp(statement, min(near, key=lambda n: n[0])[1])

    def _target(self, statement: Any, argument: int) -> Any:
        """The variable of the buffer that an argument of a tile operation names, if it is a region."""
        arguments = statement.value.args
        region = arguments[argument] if len(arguments) > argument else None
        load = region.args[0] if isinstance(region, self._tirx.Call) and region.args else None
        return load.buffer.data if isinstance(load, self._tirx.BufferLoad) else None

    def _calls(self, module: Any) -> Iterator[tuple[str, Any]]:
        """Name and statement of each call that is a statement."""
        found: list[tuple[str, Any]] = []

        def visit(node: Any) -> None:
            if isinstance(node, self._tirx.Evaluate) and isinstance(node.value, self._tirx.Call):
                found.append((str(getattr(node.value.op, "name", "")), node))

        for function in self._functions(module):
            self._visit(function.body, visit)
        return iter(found)

    def _statements(self, module: Any, kind: Any) -> Iterator[Any]:
        found: list[Any] = []
        for function in self._functions(module):
            self._visit(function.body, lambda n: found.append(n) if isinstance(n, kind) else None)
        return iter(found)

    def _functions(self, module: Any) -> Iterator[Any]:
        return (f for f in module.functions.values() if isinstance(f, self._tirx.PrimFunc))

    def _span(self, statement: Any) -> Any:
        return self._ir.get_stmt_span(statement)

    def _of_file(self, span: Any) -> bool:
        return span is not None and str(span.source_name.name) == self._path

    def _stamp(self, statement: Any, span: Any) -> None:
        if span is not None:
            self._ir.set_stmt_span(statement, span)


def lines(device_module: Any, target: Any, source: str, path: str) -> list[tuple[int, int]]:
    """(line of `source`, line of the file `path`), both counted from 1; empty when the compiler prints something else.

    `device_module` is the `device_mod` of the artifact whose text is `source`. Call it under the PassContext and the
    target of the compilation.
    """
    engine = importlib.import_module("tilelang.engine.lower")
    backend = importlib.import_module("tilelang.backend.module")
    tvm = importlib.import_module("tvm")
    prepared = engine._prepare_device_codegen_mod(device_module)
    file = os.path.abspath(path)  # noqa: PTH100  as the compiler names files
    marked = tvm.IRModule({v: _marked(f, file) for v, f in prepared.functions.items()})
    context = backend.create_backend_context(target, None, "auto")
    printed = context.codegen_device(marked, compile_device=False).inspect_source()
    return read(printed, source)


def read(printed: str, source: str) -> list[tuple[int, int]]:
    """What the markers in `printed` say about the lines of `source`, which is the same text without them."""
    wanted = source.splitlines()
    found: dict[int, int] = {}
    foreign: list[tuple[int, str]] = []
    current: int | None = None
    function = ""
    number = 0
    for line in printed.splitlines():
        if mark := _MARK.match(line):
            current = int(mark[1])
            continue
        number += 1
        if number > len(wanted) or wanted[number - 1] != line:
            return []
        if line.startswith("}"):
            current, function = None, ""
        elif definition := _VECTOR_FUNCTION.match(line):
            function = definition[1]
        elif line.strip() in ("", "}") or current is None:
            continue
        elif current:
            found[number] = current
        elif function:
            foreign.append((number, function))
    return sorted((found | _inside(foreign, found, wanted)).items())


def _inside(
    foreign: list[tuple[int, str]], found: dict[int, int], text: list[str]
) -> dict[int, int]:
    """Lines of vector functions that come from a library belong to the statement that issues the function."""
    issued = {
        name: line
        for number, line in found.items()
        for name in re.findall(r"\w+_vf_\d+", text[number - 1])
    }
    return {number: issued[name] for number, name in foreign if name in issued}


def _marked(function: Any, file: str) -> Any:
    tirx = importlib.import_module("tvm.tirx")
    span_of = importlib.import_module("tilelang.ir").get_stmt_span

    def mark(statement: Any) -> Any:
        span = span_of(statement)
        known = span is not None and str(span.source_name.name) == file
        line = int(span.line) if known else 0
        marker = tirx.Evaluate(tirx.call_extern("void", _MARKER, line))
        return tirx.SeqStmt([marker, statement])

    kinds = [f"tirx.{kind}" for kind in _MARKED]
    transform = importlib.import_module("tvm.tirx.stmt_functor").ir_transform
    return function.with_body(transform(function.body, None, mark, kinds))
