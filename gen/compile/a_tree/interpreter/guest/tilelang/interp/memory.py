"""Where the compiler puts the buffers of a kernel.

Buffers get addresses in the order in which tilelang-ascend 0.1.4 allocates them: a buffer belongs to the innermost loop
around all its uses; where a loop or branch begins, first come the buffers of the outside that are used in it. Loops of
one round are counted as loops, then taken apart. (Read off what it emits.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .buffer import Buffer

BLOCK = 32
"""Bytes that copies and rows in UB start at."""
CAPACITY = {"ub": 196352, "l1": 524032, "l0a": 65536, "l0b": 65536, "l0c": 131072}
"""Bytes of the memories as the compiler declares them on 910B."""


@dataclass(eq=False)
class Scope:
    """A loop, a branch, or what follows a variable that stays one; `loop` with `rounds` where they are known."""

    loop: bool = False
    rounds: int | None = None
    parent: Scope | None = None
    children: list[Scope | tuple[Buffer, ...]] = field(default_factory=list)
    depth: int = 0
    """What closes it in the program."""

    @property
    def dissolved(self) -> bool:
        """Whether the compiler takes it apart before it looks for buffers."""
        return self.loop and self.rounds == 1

    def inside(self, other: Scope) -> bool:
        """Whether it stands in the other, or is it."""
        return self is other or (self.parent is not None and self.parent.inside(other))

    def loops(self) -> list[Scope]:
        """The loops around and including it, outermost first."""
        outer = self.parent.loops() if self.parent else []
        return [*outer, self] if self.loop else outer


class Elements(tuple[Buffer, ...]):
    """A use of single elements, by the scalar unit: what is read, and where the result is stored, if it is."""

    loads: tuple[tuple[Buffer, Any], ...] = ()
    stored: tuple[Buffer, Any] | None = None
    indirect: bool = False
    """Whether an index is itself read from memory."""


def order(root: Scope) -> list[Buffer]:
    """The buffers that are used, in the order of their addresses."""
    homes = {buffer: home(scopes, root) for buffer, scopes in uses(root).items()}
    found: dict[Buffer, None] = {}

    def visit(scope: Scope) -> None:
        for child in children(scope):
            found.update((b, None) for b in touched(child) if homes[b] is scope)
            if isinstance(child, Scope):
                visit(child)

    visit(root)
    return list(found)


def uses(scope: Scope) -> dict[Buffer, list[Scope]]:
    """Every buffer with the scopes that use it."""
    found: dict[Buffer, list[Scope]] = {}
    for child in scope.children:
        if isinstance(child, Scope):
            for buffer, scopes in uses(child).items():
                found.setdefault(buffer, []).extend(scopes)
        else:
            for buffer in child:
                found.setdefault(buffer, []).append(scope)
    return found


def home(scopes: Sequence[Scope], root: Scope) -> Scope:
    """The innermost loop around all of them; where that is taken apart, the scope that it stood in."""
    common = scopes[0].loops()
    for scope in scopes[1:]:
        loops = scope.loops()
        common = [a for a, b in zip(common, loops, strict=False) if a is b]
    home = common[-1] if common else root
    while home.dissolved and home.parent is not None:
        home = home.parent
    return home


def children(scope: Scope) -> Iterable[Scope | tuple[Buffer, ...]]:
    """What stands in it, with the loops of one round taken apart."""
    for child in scope.children:
        if isinstance(child, Scope) and child.dissolved:
            yield from children(child)
        else:
            yield child


def touched(child: Scope | tuple[Buffer, ...]) -> Iterable[Buffer]:
    if not isinstance(child, Scope):
        yield from child
        return
    for inner in child.children:
        yield from touched(inner)


def place(buffers: Sequence[Buffer], given: dict[Buffer, int]) -> None:
    """Gives every buffer its address; `given` are those that the kernel chose (T.annotate_address)."""
    for memory in CAPACITY:
        mine = [buffer for buffer in buffers if buffer.scope == memory]
        chosen = [buffer for buffer in mine if buffer in given]
        for buffer in chosen:
            buffer.address = given[buffer]
        # Only in UB do the others start behind the chosen ones.
        ends = [given[b] + b.bytes for b in chosen] if memory == "ub" else []
        offset = max(ends, default=0)
        for buffer in mine:
            if buffer not in given:
                buffer.address = offset
                offset = _up(offset + buffer.bytes)


def _up(n: int) -> int:
    return -(-n // BLOCK) * BLOCK


def exceeded(buffers: Sequence[Buffer]) -> str:
    """What does not fit, in words; empty where all does."""
    for memory, limit in CAPACITY.items():
        end = max((b.address + b.bytes for b in buffers if b.scope == memory), default=0)
        if end > limit:
            return f"the buffers in {memory.upper()} end at byte {end:,}, and {memory.upper()} has {limit:,}"
    return ""
