"""What conditions say of other conditions: the compiler decides an `if` that stands in another one about the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from .expression import Atom, Bound, Condition, Expression

NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
LIMITS: dict[str, tuple[Bound, Bound]] = {
    "<": (-inf, -1),
    "<=": (-inf, 0),
    ">": (1, inf),
    ">=": (0, inf),
    "==": (0, 0),
}


@dataclass(frozen=True)
class Fact:
    """`value` lies between `low` and `high`; or it is not 0, where `other`."""

    value: Expression
    low: Bound = -inf
    high: Bound = inf
    other: bool = False


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
        low, high = LIMITS.get(name, (-inf, inf))
        yield Fact(inner[0], low, high, other=name == "!=")


def decided(test: Any, known: Sequence[Fact]) -> bool | None:
    """Whether a condition holds, given what is known; None where that does not say."""
    parts = _parts(test)
    if parts is None:
        return None
    name, *inner = parts
    if name in ("and", "or", "not"):
        found = [decided(part, known) for part in inner]
        if name == "not":
            return None if found[0] is None else not found[0]
        stops = name == "or"
        if stops in found:
            return stops
        return None if None in found else not stops
    value = inner[0]
    low, high = _range(value, known)
    never_zero = any(f.other and _multiple(value, f.value) == (1, 0) for f in known)
    if name in ("==", "!="):
        same = True if low == high == 0 else False if low > 0 or high < 0 or never_zero else None
        return same if same is None or name == "==" else not same
    first, last = LIMITS[name]
    if first <= low and high <= last:
        return True
    return False if high < first or low > last else None


def _parts(test: Any) -> tuple[Any, ...] | None:
    if isinstance(test, Expression):
        return ("!=", test)
    if isinstance(test, Condition):
        return test.test
    return ("==", Expression({}, 0 if test else 1)) if isinstance(test, bool | int) else None


def _range(value: Expression, known: Sequence[Fact]) -> tuple[Bound, Bound]:
    low, high = _sum(value, {a: _of_atom(a, known) for a in value.terms})
    for fact in known:
        found = _multiple(value, fact.value)
        if found is not None and not fact.other:
            factor, offset = found
            ends = sorted(n * factor + offset for n in (fact.low, fact.high))
            low, high = max(low, ends[0]), min(high, ends[1])
    return low, high


def _sum(value: Expression, bounds: dict[Atom, tuple[Bound, Bound]]) -> tuple[Bound, Bound]:
    low = high = value.constant
    for atom, n in value.terms.items():
        ends = sorted(n * end for end in bounds[atom])
        low, high = low + ends[0], high + ends[1]
    return low, high


def _of_atom(atom: Atom, known: Sequence[Fact]) -> tuple[Bound, Bound]:
    """The range of one number, with the facts about it alone."""
    low, high = atom.low, atom.high
    for fact in known:
        if fact.other or list(fact.value.terms) != [atom]:
            continue
        n = fact.value.terms[atom]
        ends = [(end - fact.value.constant) / n for end in (fact.low, fact.high)]
        low, high = max(low, _up(min(ends))), min(high, _down(max(ends)))
    return low, high


def _up(n: Bound) -> Bound:
    return n if abs(n) == inf else -(-n // 1)


def _down(n: Bound) -> Bound:
    return n if abs(n) == inf else n // 1


def _multiple(value: Expression, other: Expression) -> tuple[int, Bound] | None:
    """`value` as a multiple of `other` and a number more: 1 or -1 times it."""
    for factor in (1, -1):
        if value.terms == {a: n * factor for a, n in other.terms.items()}:
            return factor, value.constant - factor * other.constant
    return None
