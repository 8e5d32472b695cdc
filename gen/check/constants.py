"""Numbers that a kernel's text has names for."""

from __future__ import annotations

import re


def number(text: str, expression: str) -> int | None:
    """The value of a number, of an event id, or of a constant that `text` defines as a number; None for other
    expressions."""
    plain = expression.strip().removeprefix("EVENT_ID")
    if plain.isdigit():
        return int(plain)
    if not plain.isidentifier():
        return None
    defined = {
        int(m["value"])
        for m in re.finditer(
            rf"\b{plain}\s*(?:=|\s)\s*(?P<value>\d+)[uUlL]*\s*(?:;|,|$)", text, re.MULTILINE
        )
    }
    return defined.pop() if len(defined) == 1 else None
