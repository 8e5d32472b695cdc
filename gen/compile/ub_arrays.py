"""Arrays that a C-API kernel declares in UB: the host's compiler would put them on the stack."""

from __future__ import annotations

import re

from gen.compile.cpp_text import blank

_ARRAY = re.compile(r"__ubuf__\s+(?P<type>[\w:]+)\s+(?P<name>\w+)\s*\[(?P<n>[^\]\n]+)\]\s*;")


def rewrite_ub_arrays(text: str) -> str:
    """`text` with each `__ubuf__ T name[n];` as a pointer to a place that the model chooses; lines stay."""
    pieces, done = [], 0
    for match in _ARRAY.finditer(blank(text)):
        kind, name, n = match["type"], match["name"], match["n"]
        lines = "\n" * match.group().count("\n")
        pointer = f"__ubuf__ {kind}* {name} = AICORE_UB_ARRAY({kind}, ({n}));{lines}"
        pieces += [text[done : match.start()], pointer]
        done = match.end()
    return "".join([*pieces, text[done:]])
