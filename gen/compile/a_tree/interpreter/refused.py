"""What the interpreter says of a kernel file → a diagnostic at the line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gen.errors import Diagnostic

_CODES = {"source": "E402", "unsuitable": "E403", "unsupported": "E405", "overtime": "E404"}


def refused(path: str, text: str, error: Mapping[str, Any]) -> Diagnostic:
    """The diagnostic of `error`: kind, message, line and help."""
    lines = text.splitlines()
    line = error["line"]
    source = lines[line - 1] if 0 < line <= len(lines) else ""
    return Diagnostic(
        code=_CODES[error["kind"]],
        message=error["message"],
        path=path,
        line=line if source else 0,
        column=len(source) - len(source.lstrip()) + 1 if source else 0,
        length=max(len(source.strip()), 1),
        source_line=source,
        help=error["help"],
    )
