"""What conditions say of other conditions: the compiler decides an `if` that stands in another one about the same.

It knows the range of a single number from a comparison, and recognises a comparison that it has seen. What follows only
by more than that, or from quotients and remainders, is refused: it may see it or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from .expression import Atom, Bound, Condition, Expression
from .refusal import unsupported

NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
LIMITS: dict[str, tuple[Bound, Bound]] = {
    "<": (-inf, -1),
    "<=": (-inf, 0),
    ">": (1, inf),
    ">=": (0, inf),
    "==": (0, 0),
    "!=": (-inf, inf),
}


@dataclass(frozen=True)
class Fact:
    """`value` lies between `low` and `high`; and it is not 0, where `other`."""

    value: Expression
    low: Bound
    high: Bound
    other: bool = False

    @property
    def plain(self) -> bool:
        """Whether it is about one number that is computed from no other."""
        return len(self.value.terms) == 1 and not _compound(self.value)


def facts(test: Any, holds: bool = True) -> Iterator[Fact]:
    """What is known where a condition holds, or does not."""
    parts = _parts(test)
    if parts is None:
        return
    name, *inner = parts
    if name == "not":
        yield from facts(inner[0], not holds)
    elif name in ("and", "or"):
        if holds == (name == "and"):
            for part in inner:
                yield from facts(part, holds)
    else:
        name = name if holds else NEGATED[name]
        yield Fact(inner[0], *LIMITS[name], other=name == "!=")


def decided(test: Any, known: Sequence[Fact]) -> bool | None:
    """Whether a condition holds, given what is known; None where that does not say. Raises RefusalError."""
    parts = _parts(test)
    if parts is None:
        return None
    name, *inner = parts
    if name == "not":
        found = decided(inner[0], known)
        return None if found is None else not found
    if name in ("and", "or"):
        several = [decided(part, known) for part in inner]
        stops: bool = name == "or"
        if stops in several:
            return stops
        return None if None in several else not stops
    return _compared(name, inner[0], known)


def _parts(test: Any) -> tuple[Any, ...] | None:
    if isinstance(test, Expression):
        return ("!=", test)
    if isinstance(test, Condition):
        found: tuple[Any, ...] | None = test.test
        return found
    return ("==", Expression({}, 0 if test else 1)) if isinstance(test, bool | int) else None


def _compared(name: str, value: Expression, known: Sequence[Fact]) -> bool | None:
    mine = _variables(value)
    about = [fact for fact in known if mine & _variables(fact.value)]
    same = [fact for fact in about if _multiple(value, fact.value) in ((1, 0), (-1, 0))]
    plain = [fact for fact in about if fact.plain]
    for chosen in (same, plain):
        truth = _truth(name, value, chosen)
        if truth is not None:
            return truth
    unclear = any(_compound(v) for v in (value, *(f.value for f in about))) if about else False
    if unclear or _truth(name, value, about) is not None:
        raise unsupported("passes of the compiler over an `if` that one around it may decide")
    return None


def _truth(name: str, value: Expression, known: Sequence[Fact]) -> bool | None:
    low, high = _range(value, known)
    first, last = LIMITS["==" if name == "!=" else name]
    found: bool | None = None
    if first <= low and high <= last:
        found = True
    elif high < first or low > last or (name in ("==", "!=") and _never_zero(value, known)):
        found = False
    return not found if name == "!=" and found is not None else found


def _never_zero(value: Expression, known: Iterable[Fact]) -> bool:
    return any(f.other and _multiple(value, f.value) in ((1, 0), (-1, 0)) for f in known)


def _range(value: Expression, known: Sequence[Fact]) -> tuple[Bound, Bound]:
    low: Bound = value.constant
    high: Bound = value.constant
    for atom, n in value.terms.items():
        ends = sorted(n * end for end in _of_atom(atom, known))
        low, high = low + ends[0], high + ends[1]
    for fact in known:
        found = _multiple(value, fact.value)
        if found is not None:
            factor, offset = found
            ends = sorted(factor * n + offset for n in (fact.low, fact.high))
            low, high = max(low, ends[0]), min(high, ends[1])
    return low, high


def _of_atom(atom: Atom, known: Sequence[Fact]) -> tuple[Bound, Bound]:
    """The range of one number, with the facts about it alone."""
    low, high = atom.low, atom.high
    mine = [fact for fact in known if list(fact.value.terms) == [atom]]
    for fact in mine:
        n = fact.value.terms[atom]
        ends = sorted((end - fact.value.constant) / n for end in (fact.low, fact.high))
        low, high = max(low, _up(ends[0])), min(high, _down(ends[1]))
    for fact in mine:
        zero = -fact.value.constant / fact.value.terms[atom]
        if fact.other:
            low, high = low + (low == zero), high - (high == zero)
    return low, high


def _up(n: Bound) -> Bound:
    return n if abs(n) == inf else -(-n // 1)


def _down(n: Bound) -> Bound:
    return n if abs(n) == inf else n // 1


def _multiple(value: Expression, other: Expression) -> tuple[int, Bound] | None:
    """`value` as 1 or -1 times `other`, and a number more."""
    for factor in (1, -1):
        if value.terms == {a: n * factor for a, n in other.terms.items()}:
            return factor, value.constant - factor * other.constant
    return None


def _compound(value: Expression) -> bool:
    """Whether a part of it is computed from other numbers, as a quotient is."""
    return any(key is not atom.key for atom in value.terms for key in _keys(atom.key))


def _variables(value: Expression) -> set[Any]:
    """The numbers that it is computed from."""
    return {key for atom in value.terms for key in _keys(atom.key)}


def _keys(key: Any) -> Iterator[Any]:
    """The keys of the numbers in a key: a name and what makes it one of its own."""
    if isinstance(key, Atom):
        yield from _keys(key.key)
    elif isinstance(key, frozenset):
        for part in key:
            yield from _keys(part)
    elif isinstance(key, tuple):
        inner = [found for part in key for found in _keys(part)]
        yield from inner or ([key] if key and isinstance(key[0], str) else [])
