"""Where in a kernel's text the running call stands."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Protocol

HERE = str(Path(__file__).parent.parent)
TEMPLATES = str(Path(__file__).parent / "templates")
STOP = "run_body"
"""Name of the function here that calls a kernel: frames outside of it are not the kernel's."""
_STOP, _OWN, _TEMPLATE, _KERNEL = range(4)

Site = tuple[Any, ...]
"""Names of functions and positions in their texts, innermost first."""

_KINDS: dict[int, int] = {}
"""By the identity of code, which lives as long as this process."""
_CODES: list[CodeType] = []


def _kind(code: CodeType) -> int:
    file = code.co_filename
    if file.startswith(TEMPLATES):
        kind = _TEMPLATE
    elif file.startswith(HERE):
        kind = _STOP if code.co_name == STOP else _OWN
    else:
        kind = _KERNEL
    _KINDS[id(code)] = kind
    _CODES.append(code)
    return kind


def _frames(kinds: tuple[int, ...]) -> Iterator[FrameType]:
    """What is running, innermost first."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        kind = _KINDS.get(id(frame.f_code))
        kind = _kind(frame.f_code) if kind is None else kind
        if kind == _STOP:
            return
        if kind in kinds:
            yield frame
        frame = frame.f_back


class PlaceTable(Protocol):
    """What numbers places: a core of a tape."""

    def place(self, frames: Any, step: int = 0) -> int: ...


class Places:
    """The numbers of places that a tape has given out. (Asked for at every call: no more work than needed.)"""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], int] = {}

    def number(self, table: PlaceTable) -> int:
        """Of what is running: lines of templates and of the kernel, innermost first."""
        frame: FrameType | None = sys._getframe(1)
        key: list[int] = []
        while frame is not None:
            code = id(frame.f_code)
            kind = _KINDS.get(code)
            if kind is None:
                kind = _kind(frame.f_code)
            if kind >= _TEMPLATE:
                key += (code, frame.f_lasti)
            elif kind == _STOP:
                break
            frame = frame.f_back
        found = self._known.get(tuple(key))
        if found is None:
            frames = list(_frames((_TEMPLATE, _KERNEL)))
            shown = tuple((f.f_code.co_name, f.f_code.co_filename, f.f_lineno) for f in frames)
            step = next((f.f_lasti for f in frames if _KINDS[id(f.f_code)] == _KERNEL), 0)
            found = self._known[tuple(key)] = table.place(shown, step)
        return found


_POSITIONS: dict[tuple[int, int], Any] = {}


def site() -> Site:
    """The position of the running call, through all functions of the kernel that lead there."""
    found = []
    for frame in _frames((_KERNEL,)):
        code, at = frame.f_code, frame.f_lasti
        known = _POSITIONS.get((id(code), at))
        if known is None:
            positions = list(code.co_positions())
            known = _POSITIONS[id(code), at] = (code.co_name, positions[at // 2])
        found.append(known)
    return tuple(found)


def line() -> int:
    """The line of the kernel that is running."""
    return next((frame.f_lineno for frame in _frames((_KERNEL,))), 0)
