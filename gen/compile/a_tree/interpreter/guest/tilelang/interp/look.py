"""A first look at a kernel, for what the compiler decides by uses that come later: where a buffer of T.alloc_shared or
T.alloc_fragment lies, and, with threads=2, which loops the vector cores share.

Nothing is checked here: operations only note what they are given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .buffer import Buffer, Element, Region
from .expression import Atom, Expression
from .lanes import Node
from .places import Site
from .refusal import unsupported

SHARED, FRAGMENT = "shared", "fragment"
"""Scopes of buffers whose memory follows from their uses."""
PRODUCTS = {"gemm_v0": ("l0a", "l0b", "l0c"), "mma": ("l0a", "l0b", "l0c")}
"""Operations of the cube core, with the memory of a fragment at each place."""
SILENT = ("copy", "dump_tensor", "printf")


class FirstLookNeeded(Exception):  # noqa: N818
    """The kernel has what only a first look can tell."""


@dataclass
class Uses:
    """What operations use a buffer."""

    products: set[int] = field(default_factory=set)
    """At which places."""
    vector: bool = False
    seen: bool = False


class Look:
    """What was seen."""

    def __init__(self) -> None:
        self.copies: list[tuple[Buffer, Buffer]] = []
        self.uses: dict[Buffer, Uses] = {}
        self.loops: dict[Any, Site] = {}
        """By the key of the variable of a loop."""
        self.first: list[tuple[Buffer, Any]] = []
        """Buffers that are indexed by a variable of a loop in their first dimension."""
        self.indexed: set[Buffer] = set()
        """Buffers copied from or to a place in GM that an element in UB gives."""

    def operation(self, name: str, arguments: tuple[Any, ...]) -> None:
        """One operation, with what it is given."""
        parts = [a for a in arguments if isinstance(a, Buffer | Region | Element)]
        buffers = [a if isinstance(a, Buffer) else a.buffer for a in parts]
        for place, buffer in enumerate(buffers):
            uses = self.uses.setdefault(buffer, Uses())
            uses.seen = True
            if name in PRODUCTS:
                uses.products.add(place)
            elif name not in SILENT:
                uses.vector = True
        if name == "copy" and len(parts) > 1:
            self._copied(parts[0], parts[1])
        for part in parts:
            if isinstance(part, Region | Element):
                self._indexed(part, name == "copy")

    def _copied(self, source: Any, target: Any) -> None:
        one, two = (p if isinstance(p, Buffer) else p.buffer for p in (source, target))
        self.copies.append((one, two))
        for side, other in ((source, two), (target, one)):
            given = () if isinstance(side, Buffer) else side.direct
            if given and other.scope != "global":
                self.indexed.add(other)

    def _indexed(self, part: Region | Element, copied: bool) -> None:
        if isinstance(part, Element):
            if copied:
                self.element(part)
            return
        if copied:
            self._first(part.buffer, part.low[0])
            return
        extent = 1
        for n in part.extent:
            if not isinstance(n, int):
                return
            extent *= n
        offset = sum((i * n for i, n in zip(part.low, part.buffer.strides, strict=True)), 0)
        self._first(part.buffer, offset // extent)

    def _first(self, buffer: Buffer, index: Any) -> None:
        key = alone(index)
        if key is not None:
            self.first.append((buffer, key))

    def element(self, element: Element) -> None:
        """An element is read or stored."""
        self._first(element.buffer, element.index[0])
        for index in element.index:
            self.value(index)

    def value(self, value: Any) -> None:
        """Elements that stand in a value of T.Parallel."""
        if isinstance(value, Element):
            self.element(value)
        elif isinstance(value, Node):
            for part in value.parts:
                self.value(part)


def alone(index: Any) -> Any:
    """The key of the variable that an index is, where it is nothing else."""
    if not isinstance(index, Expression) or index.constant or len(index.terms) != 1:
        return None
    ((atom, factor),) = index.terms.items()
    return atom.key if factor == 1 and _is_variable(atom) else None


def _is_variable(atom: Atom) -> bool:
    return isinstance(atom.key, tuple) and len(atom.key) == 2


@dataclass
class Seen:
    """What the plan of the kernel needs of the first look."""

    scopes: dict[Site, list[str]]
    whole: set[tuple[Site, int]]
    """Buffers in UB that the vector cores do not share."""
    loops: set[Site]
    """Loops that they do."""


def concluded(look: Look, allocated: dict[Site, list[Buffer]], *, shared: bool) -> Seen:
    """The memories of all buffers, and what is shared. Raises RefusalError where the compiler's answer is no rule."""
    buffers = [(site, n, b) for site, found in allocated.items() for n, b in enumerate(found)]
    scopes = {b: _scope(b, look) for _, _, b in buffers}
    for source, target in look.copies:
        if source.scope == SHARED and target.scope == FRAGMENT:
            raise unsupported("a copy from T.alloc_shared to T.alloc_fragment")
        moved = look.uses[target]
        inferred = target.scope in (SHARED, FRAGMENT)
        if scopes.get(source) == "ub" and inferred and not (moved.products or moved.vector):
            scopes[target] = "ub"
    found: dict[Site, list[str]] = {}
    for site, _, buffer in buffers:
        found.setdefault(site, []).append(scopes[buffer])
    if not shared:
        return Seen(found, set(), set())
    in_ub = {b for b, scope in scopes.items() if scope == "ub"}
    whole = {(site, n) for site, n, b in buffers if b in look.indexed}
    keys = {key for buffer, key in look.first if buffer in in_ub and buffer not in look.indexed}
    return Seen(found, whole, {site for key, site in look.loops.items() if key in keys})


def _scope(buffer: Buffer, look: Look) -> str:
    uses = look.uses.get(buffer, Uses())
    if buffer.scope == FRAGMENT:
        return PRODUCTS["mma"][min(uses.products)] if uses.products else "l0c"
    if buffer.scope != SHARED:
        return buffer.scope
    if uses.products or not uses.seen:
        return "l1"
    return "ub"


def arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    """All that is given to an operation, in order."""
    yield from args
    yield from kwargs.values()
