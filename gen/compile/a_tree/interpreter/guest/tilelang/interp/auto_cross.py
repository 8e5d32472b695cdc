"""`tl.ascend_auto_cross_core_sync`: flags between the cube core and the vector cores.

What one kind of core stores to a tensor whose name has `workspace` in it, the other loads: the first such statement of
one kind belongs to the first of the other, and so on, for each tensor. The store sets a flag behind it, the load waits in
front of it. Where their loops run differently often, flag and wait stand around a loop that does. (As tilelang-ascend
0.1.4 does it.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .program import Block, Branch, Key, Loop, Node, Staged, Statement, at, base
from .refusal import RefusalError

WORKSPACE = "workspace"
COPIES = ("copy", "atomic_add")


class Flag(NamedTuple):
    """One call: `pipe` sets the flag, or all wait for it."""

    sets: bool
    id: int
    pipe: str


NONE = Flag(False, 0, "")


@dataclass(eq=False)
class Issued(Statement):
    """A flag in a program: it belongs to the node that is called `around` there."""

    around: Key = ()
    flag: Flag = NONE


@dataclass
class Point:
    """A statement that uses a tensor between the cores, with the loops around it from the outside in."""

    node: Statement
    tensor: str
    sets: bool
    pipe: str
    loops: tuple[Loop, ...]
    place: Node | None = None
    """The loop that the flag stands at."""
    skipped: set[str] = field(default_factory=set)
    """Names of loops that both points share, of so many rounds as only a core knows."""

    def rounds(self, at_depth: int) -> int:
        """Of the loop at a depth. Raises RefusalError."""
        loop = self.loops[at_depth]
        if loop.name in self.skipped:
            return 1
        if loop.rounds is None:
            raise at(self.node, _unknown(self.tensor))
        return loop.rounds


def flags(cube: list[Node], vector: list[Node]) -> dict[bool, dict[Key, list[Flag]]]:
    """By kind of core and by node, in the order of their insertion. Raises RefusalError."""
    mine, theirs = list(_points(cube, ())), list(_points(vector, ()))
    names = sorted({p.tensor for p in mine} | {p.tensor for p in theirs})
    found: dict[bool, dict[int, Flag]] = {True: {}, False: {}}
    number = 0
    for name in names:
        ours = [p for p in mine if p.tensor == name]
        others = [p for p in theirs if p.tensor == name]
        _check_pairs(name, ours, others)
        for one, two in zip(ours, others, strict=True):
            _meet(one, two)
            for is_cube, point in ((True, one), (False, two)):
                found[is_cube][id(point)] = Flag(point.sets, number, point.pipe)
            number += 1
    return {
        is_cube: _by_node(points, found[is_cube])
        for is_cube, points in ((True, mine), (False, theirs))
    }


def flagged(block: list[Node], found: Mapping[Key, Sequence[Flag]]) -> list[Node]:
    """A program with its flags."""
    new: list[Node] = []
    for node in block:
        inner = node
        if isinstance(node, Staged):
            inner = replace(node, parts={k: flagged(p, found) for k, p in node.parts.items()})
        elif isinstance(node, Branch):
            one, two = (flagged(side, found) for side in node.sides)
            inner = replace(node, sides=(one, two))
        elif isinstance(node, Block):
            inner = replace(node, body=flagged(node.body, found))
        mine = found.get(base(node.key), ())
        new += [_issued(node, flag) for flag in reversed(mine) if not flag.sets]
        new.append(inner)
        new += [_issued(node, flag) for flag in mine if flag.sets]
    return new


def _issued(node: Node, flag: Flag) -> Issued:
    key = (("flag", base(node.key)[0], flag), *node.key[1:])
    return Issued(key, around=node.key, flag=flag)


def _by_node(points: Sequence[Point], known: Mapping[int, Flag]) -> dict[Key, list[Flag]]:
    found: dict[Key, list[Flag]] = {}
    for point in points:
        place = point.place or point.node
        found.setdefault(base(place.key), []).append(known[id(point)])
    return found


def _points(block: list[Node], loops: tuple[Loop, ...]) -> Iterator[Point]:
    for node in block:
        if isinstance(node, Statement):
            yield from _point(node, loops)
        elif isinstance(node, Branch):
            for side in node.sides:
                yield from _points(side, loops)
        elif isinstance(node, Block):
            yield from _points(node.body, (*loops, node) if isinstance(node, Loop) else loops)


def _point(node: Statement, loops: tuple[Loop, ...]) -> Iterator[Point]:
    name = next((u.buffer.name for u in node.uses if WORKSPACE in u.buffer.name), "")
    tensors = [use for use in node.uses if use.buffer.scope == "global"]
    if not name or not tensors or node.name not in COPIES:
        return
    if not any(use.writes for use in tensors):
        yield Point(node, name, False, "PIPE_MTE2", loops)
        return
    product = any(use.buffer.scope == "l0c" for use in node.uses)
    yield Point(node, name, True, "PIPE_FIX" if product else "PIPE_MTE3", loops)


def _check_pairs(name: str, cube: list[Point], vector: list[Point]) -> None:
    if len(cube) != len(vector):
        first = (cube or vector)[0]
        refusal = RefusalError(
            f"the cube core uses {name} in {len(cube)} statements and the vector cores in {len(vector)}: "
            + (
                "nobody meets the flags that the compiler inserts"
                if not cube
                else "the compiler fails, as it makes pairs of them"
            ),
            f"use a tensor whose name has no `{WORKSPACE}` in it where it is not between the cores",
        )
        raise at(first.node, refusal)
    for one, two in zip(cube, vector, strict=True):
        if one.sets == two.sets:
            what = "store to" if one.sets else "load from"
            refusal = RefusalError(
                f"both kinds of core {what} {name} here: the compiler makes pairs of a store and a load, and fails",
                "let stores and loads come in the same order on both",
            )
            raise at(one.node, refusal)


def _unknown(name: str) -> RefusalError:
    return RefusalError(
        f"{name} is used in a loop of so many rounds as only a core knows, which only one kind of core has: the compiler"
        " fails",
        "make the number of rounds a constant, or use the tensor in one loop for both kinds of core",
    )


def _meet(cube: Point, vector: Point) -> None:
    """Chooses the loops that the flag and the wait stand at: the innermost that both come by equally often."""
    shared = {
        one.name
        for one, two in zip(cube.loops, vector.loops, strict=False)
        if one.name == two.name and one.rounds is None
    }
    cube.skipped = vector.skipped = shared
    depths = _depths(cube, vector)
    for point, depth in zip((cube, vector), depths, strict=True):
        point.place = point.loops[depth] if depth < len(point.loops) else None


class _Walk:
    """How deep into the loops around a point, and how often that is come by."""

    def __init__(self, point: Point) -> None:
        self.point = point
        self.depth = 0
        self.times = 1

    def goes_on(self, other: int) -> bool:
        """Whether it may go one loop deeper, the other one being come by so often."""
        if self.depth == len(self.point.loops):
            return False
        return self.times <= other or self.point.rounds(self.depth) == 1

    def step(self) -> None:
        """Does so."""
        self.times *= self.point.rounds(self.depth)
        self.depth += 1


def _depths(cube: Point, vector: Point) -> tuple[int, int]:
    one, two = _Walk(cube), _Walk(vector)
    met, times = (0, 0), 1
    moved = True
    while moved and (one.depth < len(cube.loops) or two.depth < len(vector.loops)):
        moved = False
        for walk, other in ((one, two), (two, one)):
            while walk.goes_on(other.times):
                if one.times == two.times:
                    met, times = (one.depth, two.depth), one.times
                walk.step()
                moved = True
                if walk is two and two.times == times:
                    met = (met[0], two.depth)
    return (one.depth, two.depth) if one.times == two.times else met
