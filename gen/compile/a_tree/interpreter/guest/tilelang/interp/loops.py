"""The loops of the language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import parallel
from .buffer import Element
from .expression import Expression, variable
from .refusal import RefusalError, unsupported
from .scalar import Reading, number, whole
from .session import session


class Loop:
    """What `for` runs over: iterated by a core it gives numbers, in the plan one variable."""

    def __init__(self, start: Any, stop: Any, *, unrolled: bool = False) -> None:
        self.start, self.stop = start, stop
        self.unrolled = unrolled

    def __iter__(self) -> Iterator[Any]:
        return self._planned() if session().plan is not None else self._run()

    def _run(self) -> Iterator[int]:
        if isinstance(self.stop, Reading) and not self.stop.named:
            raise unsupported("a loop up to a number that is computed from memory and has no name")
        if not isinstance(self.stop, Element):
            yield from range(whole(self.start), whole(self.stop))
            return
        # As the C++ has it: the element is read again in front of every round.
        i = whole(self.start)
        while i < whole(self.stop):
            yield i
            i += 1

    def _planned(self) -> Iterator[Any]:
        plan = session().plan
        assert plan is not None
        stop = number(self.stop)
        rounds = stop - self.start
        known = rounds if isinstance(rounds, int) else getattr(rounds, "value", None)
        scope = plan.open(loop=True, rounds=known)
        try:
            if self.unrolled and all(isinstance(n, int) for n in (self.start, self.stop)):
                yield from range(self.start, self.stop) or [self.start]
            else:
                low, high = _low(self.start), _high(stop) - 1
                yield variable("loop", low, max(low, high))
        finally:
            plan.close(scope)


def _low(value: Any) -> float:
    return value.low if isinstance(value, Expression) else _bound(value, -1)


def _high(value: Any) -> float:
    return value.high if isinstance(value, Expression) else _bound(value, 1)


def _bound(value: Any, sign: int) -> float:
    return value if isinstance(value, int) else sign * float("inf")


def _whole(value: Any, what: str) -> Any:
    if isinstance(value, float | str) or value is None:
        raise RefusalError(f"{what} takes integers, not {value!r}")
    return value


def serial(start: Any, stop: Any = None, step: Any = None, *, annotations: Any = None) -> Loop:
    """One round after the other."""
    del annotations
    return _loop("T.serial", start, stop, step)


def unroll(
    start: Any, stop: Any = None, step: Any = None, *, explicit: Any = None, annotations: Any = None
) -> Loop:
    """As T.serial; the compiler writes every round out."""
    del explicit, annotations
    return _loop("T.unroll", start, stop, step, unrolled=True)


def _loop(name: str, start: Any, stop: Any, step: Any, *, unrolled: bool = False) -> Loop:
    if stop is None:
        start, stop = 0, start
    if step not in (None, 1):
        raise RefusalError(
            f"{name} counts in steps of 1: the compiler does not print another step",
            "multiply the index",
        )
    return Loop(_whole(start, name), _whole(stop, name), unrolled=unrolled)


def pipelined(start: Any, stop: Any = None, num_stages: int = 0, **options: Any) -> Loop:
    """A loop that the compiler takes apart into stages; without stages, T.serial."""
    if num_stages:
        raise unsupported("T.Pipelined with stages")
    return _loop("T.Pipelined", start, stop, None)


def persistent(domain: Any, wave_size: Any, index: Any, group_size: Any = 8) -> Iterator[Any]:
    """The tiles of one core out of a domain, the last dimension in groups."""
    if any(not isinstance(n, int) for n in (*domain, wave_size, group_size)):
        raise unsupported("T.Persistent over a domain that only a core knows")
    last = domain[-1]
    group = min(group_size, last)
    if last % group:
        divisors = [n for n in range(1, group + 1) if last % n == 0]
        raise RefusalError(
            f"T.Persistent in groups of {group} loses tiles: {group} does not divide {last}",
            f"say group_size={divisors[-1]}",
        )
    total = 1
    for n in domain:
        total *= n
    waves = -(-total // wave_size)
    plan = session().plan
    if plan is not None:
        return _persistent_plan(plan, domain, waves)
    return _persistent(domain, group, waves, total, wave_size, whole(index))


def _persistent_plan(plan: Any, domain: Any, waves: int) -> Iterator[Any]:
    scope = plan.open(loop=True, rounds=waves)
    try:
        yield tuple(variable("tile", 0, n - 1) for n in domain)
    finally:
        plan.close(scope)


def _persistent(
    domain: Any, group: int, waves: int, total: int, wave: int, index: int
) -> Iterator[tuple[int, ...]]:
    for w in range(waves):
        tile = w * wave + index
        if waves > 1 and tile >= total:
            return
        inner, rest = tile % group, tile // group
        coordinates = []
        for n in reversed(domain[:-1]):
            coordinates.append(rest % n)
            rest //= n
        yield (*reversed(coordinates), rest * group + inner)


class ParallelLoop:
    """T.Parallel: the body runs once, on all elements."""

    def __init__(self, extents: tuple[Any, ...]) -> None:
        self.extents = extents

    def __iter__(self) -> Iterator[Any]:
        return parallel.loop(*self.extents)


def parallel_loop(*extents: Any, coalesced_width: Any = None) -> ParallelLoop:
    """A loop over elements."""
    del coalesced_width
    return ParallelLoop(extents)
