"""The specs that come with crosstree, known by name wherever it is installed."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """`specs/` beside the package in a checkout, `gen/_data/specs` in a wheel."""
    package = Path(__file__).parents[1]
    checkout = package.parent / "specs"
    return checkout if checkout.is_dir() else package / "_data" / "specs"


def names() -> tuple[str, ...]:
    """Names of the shipped specs, in alphabetical order."""
    return tuple(sorted(path.stem for path in folder().glob("*.yaml")))


def find(word: str) -> Path | None:
    """The file of the shipped spec `word`; None where `word` is a path, a file, or no such name."""
    path = folder() / f"{word}.yaml"
    plain = Path(word).name == word and not Path(word).suffix
    return path if plain and not Path(word).exists() and path.is_file() else None
