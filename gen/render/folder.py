"""Where the templates are."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def templates_folder() -> Path:
    """`templates/` beside the package in a checkout, `gen/_data/templates` in a wheel."""
    package = Path(__file__).parents[1]
    checkout = package.parent / "templates"
    return checkout if checkout.is_dir() else package / "_data" / "templates"
