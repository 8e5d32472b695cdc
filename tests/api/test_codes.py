"""Error codes: one table, and nothing beside it."""

from __future__ import annotations

import re
from pathlib import Path

from gen.errors import CODES

SOURCES = {path: path.read_text(encoding="utf-8") for path in Path("gen").rglob("*.py")}


def test_every_code_that_is_raised_is_in_the_table():
    used = {
        (str(path), code)
        for path, text in SOURCES.items()
        for code in re.findall(r'"(E\d{3})"', text)
    }
    assert {(path, code) for path, code in used if code not in CODES} == set()


def test_every_code_has_a_meaning_of_its_own():
    assert all(re.fullmatch(r"E\d{3}", code) for code in CODES)
    assert len(set(CODES.values())) == len(CODES)
