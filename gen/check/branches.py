"""Branches of a kernel's text that not every core takes: whoever waits for all cores must not wait inside of one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gen.check.nesting import indent

_BRANCH = re.compile(r"^(?:\}\s*)?(?:else\b|elif\b|if\b|switch\b|case\b)")
_OF_A_KIND = re.compile(r"ASCEND_IS_AI[CV]|g_coreType")
"""Branches that all cores of a kind take, or none."""
_KIND = re.compile(r"ASCEND_IS_AIC|ASCEND_IS_AIV|T\.Scope\([\"']C[\"']\)|T\.Scope\([\"']V[\"']\)")
_SCOPES = {f"T.Scope({q}{c}{q})": kind for q in "\"'" for c, kind in (("C", "AIC"), ("V", "AIV"))}


def branch_of(text: str, line: int) -> int | None:
    """The line where the outermost branch begins that `line` stands in (the `if` of an `else`); None outside of any.

    Branches between kinds of cores do not count. As far as the indentation of formatted source shows it.
    """
    lines = text.split("\n")
    found = None
    for number, code in _around(lines, line):
        if _BRANCH.match(code) and not _OF_A_KIND.search(code):
            found = number
    return _head(lines, found) if found else None


def core_of(text: str, line: int) -> str:
    """`AIC` or `AIV` where `line` stands in a branch of only these cores, else empty."""
    for _, code in _around(text.split("\n"), line):
        if found := _KIND.search(code):
            return _SCOPES.get(found[0], found[0][-3:])
    return ""


def _around(lines: list[str], line: int) -> Iterator[tuple[int, str]]:
    """The lines that open a block around `line`, innermost first, as the indentation shows them."""
    level = indent(lines[line - 1])
    for number in range(line - 1, 0, -1):
        code = lines[number - 1].strip()
        if code and indent(lines[number - 1]) < level and code not in ("{", "}", "(", ")"):
            level = indent(lines[number - 1])
            yield number, code


def _head(lines: list[str], line: int) -> int:
    """The `if` that the branch at `line` belongs to."""
    level = indent(lines[line - 1])
    while re.match(r"^(?:\}\s*)?(?:else|elif)\b", lines[line - 1].strip()):
        above = range(line - 1, 0, -1)
        line = next(
            (
                n
                for n in above
                if indent(lines[n - 1]) == level and _BRANCH.match(lines[n - 1].strip())
            ),
            0,
        )
        if line == 0:
            return 1
    return line
