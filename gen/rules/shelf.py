"""Where the pages lie, and how one is found by its code."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gen.rules.page import Page, PageError, parse

GROUPS = {
    "order": "Order of accesses",
    "flags": "Flags and barriers inside a core",
    "cores": "Between cores",
    "queues": "Queues and buffer mutexes",
    "instructions": "Arguments of instructions",
    "values": "What reaches the outputs",
    "outcomes": "No verdict",
}
"""Groups in the order in which people meet them, and their headings."""

_FOLDER = Path(__file__).with_name("pages")


@cache
def codes() -> tuple[str, ...]:
    """All codes, in alphabetical order."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.md")))


def page(code: str) -> Page:
    """The page of `code`. Raises KeyError for a code that has none."""
    if code not in codes():
        raise KeyError(code)
    found = parse((_FOLDER / f"{code}.md").read_text(encoding="utf-8"), code)
    if found.group not in GROUPS:
        raise PageError(f"{code}: the group is one of {', '.join(GROUPS)}")
    return found


def pages() -> tuple[Page, ...]:
    """All pages, group by group."""
    order = list(GROUPS)
    return tuple(sorted(map(page, codes()), key=lambda p: (order.index(p.group), p.code)))
