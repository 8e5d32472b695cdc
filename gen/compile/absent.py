"""What a source uses and the model does not have, as the C++ compiler's errors show it."""

from __future__ import annotations

import re
from functools import cache

from gen.compile.cpp_text import blank
from gen.compile.documented import NAMES
from gen.sim.build import INCLUDE

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
_UNQUALIFIED = re.compile(
    rf"error: (?:{_QUOTE}{_NAME}{_END} (?:was not declared|has not been declared|does not name a type)"
    rf"|{_QUOTE}{_NAME.replace('name', 'type')}{_END} is not a class template"
    rf"|(?:use of undeclared identifier|unknown type name|no template named) {_QUOTE}{_NAME.replace('name', 'other')}{_END})"
)
_USING = re.compile(r"\busing\s+namespace\s+AscendC\s*;")
_HEADER = re.compile(
    r"fatal error: (?P<open>')?(?P<name>(?:lib|adv_api|tensor_api|tiling|register|simt_api|c_api|basic_api)/[^':\n]+)"
)
MOST = 6
"""Names that are listed; the others are counted."""


def absent_names(log: str, text: str) -> dict[str, int]:
    """Names of the vendor's interfaces that the compiler did not find, with how often `text` uses them.

    Without `AscendC::` those that its reference documents, where the source uses the namespace: anything else is a name
    that the kernel itself should declare. Empty where `log` complains about something else only. A header that is
    missing hides what comes after it.
    """
    found: dict[str, int] = {}
    code = blank(text)
    unqualified = _USING.search(code) is not None
    for line in log.splitlines():
        match = next((m for p in _SAID if (m := p.search(line))), None)
        if match is None:
            name = _documented(line) if unqualified else None
            if name:
                found[f"AscendC::{name}"] = max(1, len(re.findall(rf"\b{name}\b", code)))
                continue
            header = _HEADER.search(line)
            if header:
                found[f"the header {header['name']}"] = 1
            continue
        scope = match.groupdict().get("scope")
        name = f"{scope}::{match['name']}" if scope else match["name"]
        found[name] = max(1, len(re.findall(rf"\b{match['name']}\b", code)))
    return found


def _documented(line: str) -> str | None:
    """The name of the interface that an error is about, where the headers here do not have it."""
    match = _UNQUALIFIED.search(line)
    if match is None:
        return None
    name = match["name"] or match["type"] or match["other"]
    return name if name in NAMES and name not in _declared() else None


@cache
def _declared() -> frozenset[str]:
    """All words of the headers of the AscendC interface here."""
    headers = (INCLUDE / "ascendc").rglob("*.h*")
    return frozenset(re.findall(r"\w+", " ".join(path.read_text("utf-8") for path in headers)))


def listed(names: dict[str, int]) -> str:
    """`AscendC::Sort32 (3 uses), …`, most used first."""
    ranked = sorted(names.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{name} ({n} use{'s' * (n != 1)})" for name, n in ranked[:MOST]]
    more = len(ranked) - MOST
    return ", ".join([*shown, f"and {more} more"] if more > 0 else shown)
