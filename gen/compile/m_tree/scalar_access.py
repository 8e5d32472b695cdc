"""Subscripts of on-chip pointers in the scalar code of a kernel.

The emitted kernel reads and writes single elements of UB by `buffer[i]`, and pairs and 8-bit floats by
`*(__ubuf__ type*)(address)`. On the host such a pointer is an offset and nothing to follow, so each becomes a call of
the model: `load_ub(buffer, i)` or `store_ub(buffer, i, value)`. Lines stay where they are. Vector functions, which run
with a base added to their pointers, are left alone.
"""

from __future__ import annotations

import re

_KERNEL = re.compile(r'^extern "C" __global__ .*?^}', re.MULTILINE | re.DOTALL)
_DECLARED = re.compile(r"__ubuf__ [\w:]+ ?\*\s*(\w+) = \(__ubuf__")
_CALL = "aicore::c_api::"


def as_calls(source: str) -> str:
    """`source` with the subscripts of UB pointers in its kernels as calls."""
    return _KERNEL.sub(lambda match: _in_kernel(match[0]), source)


def _in_kernel(text: str) -> str:
    names = "|".join(dict.fromkeys(_DECLARED.findall(text)))
    if not names:
        return text
    # `&(p[i])` is an address, which copies take.
    access = re.compile(
        rf"(?<!&\()(?P<pointer>\(\(__ubuf__ [\w:]+\*\)(?:{names})\)|\b(?:{names})\b)\["
        r"|\*(?P<cast>\(__ubuf__ [\w:]+ ?\*\))\("
    )
    found = access.search(text)
    while found:
        end = _closing(text, found.end())
        inside = text[found.end() : end]
        place = (
            (found["pointer"], inside) if found["pointer"] else (f"{found['cast']}({inside})", "0")
        )
        text, after = _replaced(text, found.start(), place, end + 1)
        found = access.search(text, after)
    return text


def _replaced(text: str, start: int, place: tuple[str, str], end: int) -> tuple[str, int]:
    """The text with one access (a pointer and an index) as a call, and where to look on: inside of it, for accesses in
    its index."""
    pointer, index = place
    store = re.match(r" = ([^;]*);", text[end:])
    begins = text[:start].rsplit("\n", 1)[-1].strip() == ""
    within = start + len(_CALL)
    if store and begins:
        call = f"{_CALL}store_ub({pointer}, {index}, {store[1]});"
        return text[:start] + call + text[end + store.end() :], within
    call = f"{_CALL}load_ub({pointer}, {index})"
    return text[:start] + call + text[end:], within


def _closing(text: str, at: int) -> int:
    """Where the bracket that is open at `at` closes."""
    depth = 1
    while depth:
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(text[at], 0)
        at += 1
    return at - 1
