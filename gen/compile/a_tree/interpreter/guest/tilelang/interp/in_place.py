"""Buffers at one address: the compiler lets a new buffer take the place of one that is not used any more.

It does where the one is first used in the same statement as the other is last, both have as many bytes of one type, and
the statement reads elements of the old one only to store them at the same indices of the new one. (As StorageRewrite of
tilelang-ascend 0.1.4 finds them.)
"""

from __future__ import annotations

from collections.abc import Iterator

from .buffer import Buffer
from .memory import Elements, Scope, children, home, touched, uses

Part = Scope | tuple[Buffer, ...]
MOST_NEW = 2
"""The compiler does not look where more buffers begin."""


def shared_places(root: Scope) -> list[tuple[Buffer, Buffer]]:
    """Pairs of a new buffer and the one whose place it takes, in order."""
    homes = {buffer: home(scopes, root) for buffer, scopes in uses(root).items()}
    taken: set[Buffer] = set()
    found: list[tuple[Buffer, Buffer]] = []
    for scope in _scopes(root):
        mine = {buffer for buffer, place in homes.items() if place is scope}
        parts = list(children(scope))
        first: dict[Buffer, int] = {}
        last: dict[Buffer, int] = {}
        for i, part in enumerate(parts):
            for buffer in touched(part):
                if buffer in mine:
                    first.setdefault(buffer, i)
                    last[buffer] = i
        for i, part in enumerate(parts):
            new = [b for b in first if first[b] == i]
            old = [b for b in dict.fromkeys(touched(part)) if b in mine and last[b] == i]
            found += _of_part(part, new, old, taken)
    return found


def _scopes(scope: Scope) -> Iterator[Scope]:
    yield scope
    for child in children(scope):
        if isinstance(child, Scope):
            yield from _scopes(child)


def _of_part(
    part: Part, new: list[Buffer], old: list[Buffer], taken: set[Buffer]
) -> Iterator[tuple[Buffer, Buffer]]:
    if len(new) > MOST_NEW:
        return
    made: set[Buffer] = set()
    for buffer in new:
        for source in old:
            known = source not in new or source in made
            if known and source not in taken and _fits(part, buffer, source):
                taken.add(source)
                yield buffer, source
                break
        made.add(buffer)


def _fits(part: Part, new: Buffer, old: Buffer) -> bool:
    same = new.scope == old.scope and new.dtype == old.dtype and new.bytes == old.bytes
    return new is not old and same and _in_place(part, new, old)


def _in_place(part: Part, new: Buffer, old: Buffer) -> bool:
    if isinstance(part, Scope):
        return all(_in_place(child, new, old) for child in part.children)
    if not isinstance(part, Elements):
        return new not in part and old not in part
    if part.indirect:
        return False
    for buffer, index in part.loads:
        if buffer is new:
            return False
        if buffer is old and part.stored != (new, index):
            return False
    return True
