"""Lines of a source that the user can open."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A line of a source that the user can open."""

    file: str
    line: int
    text: str
    step: str | None = None
    origin: Place | None = None
    """The line of the kernel that a compiler made this line from, where it is known."""
