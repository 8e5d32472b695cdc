"""Where in a kernel's text the running call stands."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Protocol

from .session import session

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


class Spot:
    """Where a kernel's text runs: its functions, innermost first, and where in them. There is one of each."""

    __slots__ = ("frames", "number", "site", "step")

    def __init__(self, frames: list[FrameType]) -> None:
        self.number = next(_NUMBERS)
        self.frames = tuple(map(_shown, frames))
        self.site: Site = tuple(map(_position, frames))
        self.step = frames[0].f_lasti if frames else 0


_SPOTS: dict[tuple[int, ...], Spot] = {}
_NUMBERS = itertools.count()


def spot() -> Spot:
    """Of what is running. (Asked for at every call: no more work than needed.)"""
    known: Spot | None = session().spot
    return _found() if known is None else known


def _found() -> Spot:
    key: list[int] = []
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        code = id(frame.f_code)
        kind = _KINDS.get(code)
        if kind is None:
            kind = _kind(frame.f_code)
        if kind == _KERNEL:
            key += (code, frame.f_lasti)
        elif kind == _STOP:
            break
        frame = frame.f_back
    found = _SPOTS.get(tuple(key))
    if found is None:
        found = _SPOTS[tuple(key)] = Spot(list(_frames(_KERNEL)))
    return found


def _frames(wanted: int) -> Iterator[FrameType]:
    """What is running, innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        kind = _KINDS.get(id(frame.f_code))
        kind = _kind(frame.f_code) if kind is None else kind
        if kind == _STOP:
            return
        if kind == wanted:
            yield frame
        frame = frame.f_back


def _shown(frame: FrameType) -> tuple[str, str, int]:
    return frame.f_code.co_name, frame.f_code.co_filename, frame.f_lineno


_POSITIONS: dict[int, list[Any]] = {}
"""By the identity of code: where each of its instructions stands."""


def _position(frame: FrameType) -> tuple[str, Any]:
    code = frame.f_code
    if id(code) not in _POSITIONS:
        _POSITIONS[id(code)] = list(code.co_positions())
    return code.co_name, _POSITIONS[id(code)][frame.f_lasti // 2]


class PlaceTable(Protocol):
    """What numbers places: a core of a tape."""

    def place(self, frames: Any, step: int = 0) -> int: ...


class Places:
    """The numbers of places that a tape has given out."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], int] = {}
        self.kept: dict[Any, Any] = {}
        """What operations have recorded there, with these numbers (repeated.Kept)."""
        self.quiet: dict[tuple[bool, int, int], bool] = {}
        """By the kind of core and a place in the kernel's code: whether passes insert nothing there."""

    def number(self, table: PlaceTable) -> int:
        """Of what is running: lines of templates and of the kernel, innermost first."""
        here = spot()
        key = [here.number]
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            code = id(frame.f_code)
            kind = _KINDS.get(code)
            if kind is None:
                kind = _kind(frame.f_code)
            if kind == _TEMPLATE:
                key += (code, frame.f_lasti)
            elif kind != _OWN:
                break
            frame = frame.f_back
        found = self._known.get(tuple(key))
        if found is None:
            inside = tuple(map(_shown, _frames(_TEMPLATE)))
            found = self._known[tuple(key)] = table.place((*inside, *here.frames), here.step)
        return found


def site() -> Site:
    """The position of the running call, through all functions of the kernel that lead there."""
    return spot().site


def line() -> int:
    """The line of the kernel that is running."""
    return next((frame.f_lineno for frame in _frames(_KERNEL)), 0)
