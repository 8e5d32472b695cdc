"""The page of the interface's names keeps what it promises: what it calls declared, a kernel can name."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "api_names.py"))
declared, limits = TOOL["declared"], TOOL["limits"]


def listed(title: str) -> set[str]:
    """The names of a section of the page."""
    section = TOOL["PAGE"].read_text("utf-8").partition(f"## {title} (")[2].partition("\n## ")[0]
    return set(re.findall(r"`(\w+)`", section))


@pytest.mark.parametrize(
    ("chip", "titles"),
    [("2201", ("On both chips",)), ("3510", ("On both chips", "On the Ascend 950 only"))],
)
def test_what_the_page_calls_declared_is(chip: str, titles: tuple[str, ...]) -> None:
    names = set[str]().union(*map(listed, titles))
    assert len(names) > 150
    assert names - declared(chip, names) == set()


def test_names_are_told_apart() -> None:
    assert declared("2201", ["Add", "Scatter", "RmsNorm"]) == {"Add"}
    assert declared("3510", ["Add", "Scatter", "RmsNorm"]) == {"Add", "Scatter"}
    assert "CastDequant(int16_t to 8 bits)" in limits()
