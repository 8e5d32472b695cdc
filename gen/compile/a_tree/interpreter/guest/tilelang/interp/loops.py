"""The loops of the language."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from . import program, sharing
from .buffer import Element
from .expression import Expression, truth, variable
from .inserting import before, behind, key
from .look import alone
from .parallel import Parallel
from .pipeline import Marker
from .places import site
from .program import Branch, Key
from .refusal import RefusalError, unsupported
from .scalar import Reading, number, whole
from .session import session


class Loop:
    """What `for` runs over: iterated by a core it gives numbers, in the plan one variable."""

    def __init__(self, start: Any, stop: Any, *, unrolled: bool = False) -> None:
        self.start, self.stop = start, sharing.rounds(stop)
        self.unrolled = unrolled
        self.here = site() if session().plan is not None else ()
        self.key: Key = ()
        """What it is called in the program."""
        self.name = ""
        """What its index is called in the kernel."""

    def __iter__(self) -> Iterator[Any]:
        return self._planned() if session().plan is not None else self._run()

    def _run(self) -> Iterator[int]:
        if isinstance(self.stop, Reading) and not self.stop.named:
            raise unsupported("a loop up to a number that is computed from memory and has no name")
        if not isinstance(self.stop, Element):
            for i in range(whole(self.start), whole(self.stop)):
                with copy_of(("round", i) if self.written_out else None):
                    yield i
            return
        # As the C++ has it: the element is read again in front of every round.
        i = whole(self.start)
        while i < whole(self.stop):
            yield i
            i += 1

    def _planned(self) -> Iterator[Any]:
        plan = session().plan
        assert plan is not None
        if self.unrolled and plan.kernel is not None and plan.kernel.threads == 2:
            raise unsupported("T.unroll with threads=2")
        stop = number(self.stop)
        rounds = stop - self.start
        known = rounds if isinstance(rounds, int) else getattr(rounds, "value", None)
        low, high = _low(self.start), high_of(stop) - 1
        index = variable("loop", low, max(low, high))
        kind = program.Written if self.written_out else program.Loop
        node = kind(self.key, rounds=known, index=index, name=self.name)
        scope = plan.open(loop=True, rounds=known, node=node)
        try:
            if not self.written_out:
                if plan.look is not None:
                    plan.look.loops[alone(index)] = self.here
                yield index
                return
            for i in range(self.start, self.stop) or [self.start]:
                each = plan.program.open(program.Given(()))
                with copy_of(("round", i)):
                    yield i
                plan.program.close(each)
        finally:
            plan.close(scope)

    @property
    def written_out(self) -> bool:
        """Whether the compiler writes every round out."""
        return self.unrolled and all(isinstance(n, int) for n in (self.start, self.stop))


def _low(value: Any) -> float:
    return value.low if isinstance(value, Expression) else _bound(value, -1)


def high_of(value: Any) -> float:
    """The largest number that it can be."""
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
    return counted("T.serial", start, stop, step)


def unroll(
    start: Any, stop: Any = None, step: Any = None, *, explicit: Any = None, annotations: Any = None
) -> Loop:
    """As T.serial; the compiler writes every round out."""
    del explicit, annotations
    return counted("T.unroll", start, stop, step, unrolled=True)


def counted(name: str, start: Any, stop: Any, step: Any, *, unrolled: bool = False) -> Loop:
    if stop is None:
        start, stop = 0, start
    if step not in (None, 1):
        raise RefusalError(
            f"{name} counts in steps of 1: the compiler does not print another step",
            "multiply the index",
        )
    return Loop(_whole(start, name), _whole(stop, name), unrolled=unrolled)


@contextlib.contextmanager
def copy_of(marker: Marker) -> Iterator[None]:
    """What runs is that copy of the statements of a loop."""
    copies = session().copies
    if marker is not None:
        copies.append(marker)
    try:
        yield
    finally:
        if marker is not None:
            copies.pop()


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
        return _persistent_plan(plan, domain, waves, (total, wave_size, index), key("loop"))
    return _persistent(domain, group, waves, total, wave_size, whole(index), key("loop"))


def _persistent_plan(
    plan: Any, domain: Any, waves: int, tiles: tuple[int, int, Any], here: Key
) -> Iterator[Any]:
    wave = variable("loop", 0, waves - 1)
    scope = plan.open(loop=True, rounds=waves, node=program.Loop(here, rounds=waves, index=wave))
    total, size, index = tiles
    test = wave * size + index >= total
    if waves > 1 and truth(test) is None:
        end = plan.program.open(Branch(_guard(here), test))
        plan.program.statement(("break", *here[1:]), "loop_break")
        plan.program.close(end)
    try:
        yield tuple(variable("tile", 0, n - 1) for n in domain)
    finally:
        plan.close(scope)


def _guard(here: Key) -> Key:
    return ("guard", *here[1:])


def _persistent(
    domain: Any, group: int, waves: int, total: int, wave: int, index: int, here: Key
) -> Iterator[tuple[int, ...]]:
    guard = _guard(here)
    for w in range(waves):
        tile = w * wave + index
        before(guard)
        if waves > 1 and tile >= total:
            return
        behind(guard)
        inner, rest = tile % group, tile // group
        coordinates = []
        for n in reversed(domain[:-1]):
            coordinates.append(rest % n)
            rest //= n
        yield (*reversed(coordinates), rest * group + inner)


def parallel_loop(*extents: Any, coalesced_width: Any = None) -> Parallel:
    """A loop over elements."""
    del coalesced_width
    return Parallel(extents, site())
