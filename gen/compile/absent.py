"""What a source uses and the model does not have, as the C++ compiler's errors show it."""

from __future__ import annotations

import re

from gen.compile.cpp_text import blank

_QUOTE = "[‘'\"]"
_END = "[’'\"]"
_SCOPE = r"(?P<scope>AscendC(?:::\w+)*)"
_NAME = r"(?P<name>\w+)"
_SAID = tuple(
    re.compile(pattern)
    for pattern in (
        rf"error: {_QUOTE}{_NAME}{_END} (?:is not a member of|in namespace) {_QUOTE}{_SCOPE}\b",
        rf"error: {_QUOTE}(?:class |struct )?{_SCOPE}(?:<[^\n]*>)?{_END} has no member named {_QUOTE}{_NAME}{_END}",
        rf"error: {_QUOTE}{_SCOPE}::{_NAME}{_END} has not been declared",
        rf"error: {_QUOTE}(?P<name>asc_\w+|ASC_\w+){_END} (?:was not declared|has not been declared|does not name)",
        rf"error: no (?:member|template|type) named {_QUOTE}{_NAME}{_END} in (?:namespace )?{_QUOTE}{_SCOPE}\b",
        rf"error: (?:use of undeclared identifier|unknown type name) {_QUOTE}(?P<name>asc_\w+|ASC_\w+){_END}",
    )
)
_HEADER = re.compile(
    r"fatal error: (?P<open>')?(?P<name>(?:lib|adv_api|tensor_api|tiling|register|simt_api|c_api|basic_api)/[^':\n]+)"
)
MOST = 6
"""Names that are listed; the others are counted."""


def absent_names(log: str, text: str) -> dict[str, int]:
    """Names of the vendor's interfaces that the compiler did not find, with how often `text` uses them.

    Empty where `log` complains about something else only. A header that is missing hides what comes after it.
    """
    found: dict[str, int] = {}
    code = blank(text)
    for line in log.splitlines():
        match = next((m for p in _SAID if (m := p.search(line))), None)
        if match is None:
            header = _HEADER.search(line)
            if header:
                found[f"the header {header['name']}"] = 1
            continue
        scope = match.groupdict().get("scope")
        name = f"{scope}::{match['name']}" if scope else match["name"]
        found[name] = max(1, len(re.findall(rf"\b{match['name']}\b", code)))
    return found


def listed(names: dict[str, int]) -> str:
    """`AscendC::Sort32 (3 uses), …`, most used first."""
    ranked = sorted(names.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{name} ({n} use{'s' * (n != 1)})" for name, n in ranked[:MOST]]
    more = len(ranked) - MOST
    return ", ".join([*shown, f"and {more} more"] if more > 0 else shown)
