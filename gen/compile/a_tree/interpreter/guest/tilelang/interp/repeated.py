"""What an operation records is the same wherever all that it is given is the same: its calls are written once more.

A place in GM may differ: then only the offsets of the tensor do, as long as all of the tile lies in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .buffer import Buffer, Element, Region
from .scalar import Float
from .session import session

PLAIN = (int, bool, str, type(None))
"""Types of arguments that are no numbers of a core."""
TILES = (Region, Element)
Issue = Callable[[Callable[..., None], Any, Any], None]


class Kept(NamedTuple):
    """Calls of an operation, `number` of them, as the tape has them."""

    number: int
    calls: bytes
    offsets: tuple[tuple[int, int], ...]
    """Where the offsets in GM stand in them, and how far each is from where the tile starts."""
    highest: tuple[tuple[int, int], ...]
    """By dimension: up to where a tile may start to lie in the tensor."""


def repeated(
    core: Any, function: Callable[..., None], args: Any, kwargs: Any, issue: Issue
) -> None:
    """One operation on a core: `issue` runs it, unless its calls are known."""
    key, tile = _key(core, args, kwargs)
    if key is None:
        issue(function, args, kwargs)
        return
    known = core.kept.get(key)
    if known is not None and _fits(known, tile):
        core.repeat(known, 0 if tile is None else _start(tile))
        return
    before, registers, at = core.calls, core.core.registers, len(core.core.calls)
    core.highest = {}
    issue(function, args, kwargs)
    highest, core.highest = core.highest, None
    if core.core.registers != registers or core.loads or (tile is not None and not highest):
        return
    calls = bytes(core.core.calls[at:])
    offsets: tuple[tuple[int, int], ...] = ()
    if tile is not None:
        start = _start(tile)
        offsets = tuple((i, offset - start) for i, offset in core.core.offsets(calls))
    core.kept[key] = Kept(core.calls - before, calls, offsets, tuple((highest or {}).items()))


def _key(core: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """What the calls depend on (None where that is more), and the part of GM among it."""
    if core.kept is None or core.loads:
        return None, None
    now = session()
    key: list[Any] = [now.spot.number, core.variant]
    if now.copies:
        key.append(tuple(now.copies))
    if core.stages:
        key += (core.turn_printed, *(core.turn % n for n in core.stages))
    tile = None
    for value in (*args, *kwargs, *kwargs.values()):
        found = _argument(value)
        if found is None:
            return None, None
        key += found
        if type(value) in TILES and value.buffer.scope == "global":
            if tile is not None or core.shared:
                return None, None
            tile = value
    return tuple(key), tile


def _argument(value: Any) -> tuple[Any, ...] | None:
    """What calls depend on of an argument: not on where in GM it starts."""
    kind = type(value)
    if kind is Buffer:
        return (id(value),)
    if kind in PLAIN:
        return kind, value
    if kind is Float or kind is float:
        return kind, repr(value)
    if kind not in TILES or not _whole(_low(value)):
        return None
    if value.buffer.scope == "global":
        return id(value.buffer), *(value.extent if kind is Region else ())
    if kind is Element or not _whole(value.extent):
        return None
    return id(value.buffer), *value.low, *value.extent


def _whole(numbers: list[Any]) -> bool:
    return all(type(n) is int for n in numbers)


def _low(tile: Any) -> list[Any]:
    low: list[Any] = tile.low if type(tile) is Region else tile.index
    return low


def _start(tile: Any) -> int:
    return sum(i * n for i, n in zip(_low(tile), tile.buffer.strides, strict=True))


def _fits(known: Kept, tile: Any) -> bool:
    if tile is None:
        return True
    low = _low(tile)
    return all(low[i] <= most for i, most in known.highest)
