"""Where each field of a spec was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

#: Names and indices that lead from the top of a spec to a field: ``("tile", "m")``, ``("shape",
#: 0)``.
Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A span within one line; ``line`` and ``column`` count from 1, ``length`` in characters."""

    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class SourceMap:
    """The places of all keys and values of one file.

    Two specs that say the same are equal wherever they were written, so all source maps are.
    """

    path: str = ""
    lines: Sequence[str] = ()
    keys: Mapping[Path, Place] = field(default_factory=dict)
    values: Mapping[Path, Place] = field(default_factory=dict)
    #: For each character of a text value (and one past its end) where it stands.
    characters: Mapping[Path, Sequence[Place]] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SourceMap)

    def __hash__(self) -> int:
        return hash(SourceMap)

    def value(self, path: Path) -> Place | None:
        """The value at the path, else the nearest enclosing one; None when there is no file."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.values:
                return self.values[path[:end]]
        return None

    def key(self, path: Path) -> Place | None:
        """The key at the path, else the nearest enclosing value."""
        return self.keys.get(path) or self.value(path)

    def span(self, path: Path, start: int, end: int) -> Place | None:
        """Characters ``start`` to ``end`` of a text value, as far as they stand in one line."""
        where = self.characters.get(path)
        if not where:
            return self.value(path)
        first = where[min(start, len(where) - 1)]
        last = where[min(max(end - 1, start), len(where) - 1)]
        if last.line != first.line:
            return Place(first.line, first.column)
        return Place(first.line, first.column, last.column + last.length - first.column)

    def text(self, line: int) -> str:
        """A line of the file, without its line break; empty outside of the file."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""
