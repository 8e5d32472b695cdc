"""Which text the script parser reads. Inside of a `T.macro` it is the macro's, and the parser's diagnostics keep the
kernel's: a line there would be counted from the wrong place."""

from __future__ import annotations

from typing import Any

import tilelang  # noqa: F401  # makes tvm importable
from tvm.script.parser.tir import entry  # type: ignore[import-not-found]

_reading: list[Any] = []


def install() -> None:
    """From now on the macros that are being parsed are known."""
    parse = entry.TIRMacro.parse_macro

    def parse_macro(self: Any, parser: Any) -> Any:
        _reading.append(self.source)
        try:
            return parse(self, parser)
        finally:
            _reading.pop()

    entry.TIRMacro.parse_macro = parse_macro


def source_of(diagnostics: Any) -> Any:
    """The text that `diagnostics` are about."""
    return _reading[-1] if _reading else diagnostics.source
