"""Event ids in a kernel's text: which are taken, which set or wait has no partner, which id is free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gen.check.dialects import Dialect
from gen.check.id_values import means_the_same, values

CROSS_IDS = range(11)
"""Cross-core flags that users may take: SyncAll has 11 to 14 (asc-devkit, docs/zh, SIMD-API, 同步控制, 核间同步)."""


@dataclass(frozen=True)
class FlagCall:
    """A set or a wait as the text writes it: its line, its pipes in capitals, and its id as an expression."""

    line: int
    sets: bool
    source: str
    target: str
    id: str


def flag_calls(text: str, dialect: Dialect) -> tuple[FlagCall, ...]:
    """Every flag call of `text`, from top to bottom."""
    return tuple(
        FlagCall(
            text.count("\n", 0, found.start()) + 1,
            found["verb"][0] in "SsNn",
            found["source"].upper(),
            found["target"].upper(),
            (found["id"] or found.groupdict().get("plain") or "").strip(),
        )
        for found in dialect.flag.finditer(text)
    )


def partner_missing(calls: Sequence[FlagCall], source: str, target: str) -> FlagCall | None:
    """The one set without a wait, or wait without a set, of this pair; None where there is none or more than one.

    Calls are partners when their ids are written alike.
    """
    pair = [c for c in calls if (c.source, c.target) == (source, target)]
    alone = [
        c
        for c in pair
        if sum(1 for d in pair if d.id == c.id and d.sets)
        != sum(1 for d in pair if d.id == c.id and not d.sets)
    ]
    return alone[0] if len({c.id for c in alone}) == 1 and len(alone) == 1 else None


@dataclass(frozen=True)
class LostWait:
    """A set in a loop that nothing in the loop waits for."""

    set: FlagCall
    primed: bool
    """Whether the flag is set once before the loop, so that the first round may wait for it."""


def lost_wait(
    calls: Sequence[FlagCall], source: str, target: str, first: int, second: int
) -> LostWait | None:
    """The set of this pair that stands behind line `first` in a loop with the line `second` above it, when no wait
    of the pair stands in that loop."""
    pair = [c for c in calls if (c.source, c.target) == (source, target)]
    behind = [c for c in pair if c.sets and c.line > first]
    above = [c.line for c in pair if c.sets and c.line < second]
    if not behind:
        return None
    waits = [c for c in pair if not c.sets and max(above, default=0) < c.line <= behind[0].line]
    return None if waits else LostWait(behind[0], bool(above))


def only_set(calls: Sequence[FlagCall], source: str, target: str) -> FlagCall | None:
    """The one set of this pair whose id is waited for nowhere; None where there is none or more than one."""
    pair = [c for c in calls if (c.source, c.target) == (source, target)]
    waited = {c.id for c in pair if not c.sets}
    alone = [c for c in pair if c.sets and c.id not in waited]
    return alone[0] if len(alone) == 1 else None


def without_partner(calls: Sequence[FlagCall], source: str, target: str) -> list[FlagCall]:
    """The sets of this pair whose id is waited for nowhere, and the waits whose id is set nowhere."""
    pair = [c for c in calls if (c.source, c.target) == (source, target)]
    return [c for c in pair if all(d.id != c.id or d.sets == c.sets for d in pair)]


def set_of_another_pair(
    calls: Sequence[FlagCall], source: str, target: str, id: str
) -> FlagCall | None:
    """The one set that shares a pipe with this pair and that nothing waits for; of several the one with this id."""
    alone = [
        c
        for c in calls
        if c.sets
        and (c.source == source) != (c.target == target)
        and c in without_partner(calls, c.source, c.target)
    ]
    alike = [c for c in alone if c.id == id] or alone
    return alike[0] if len(alike) == 1 else None


def complete(calls: Sequence[FlagCall], source: str, target: str) -> bool:
    """Whether some flag of this pair is both set and waited for."""
    pair = [c for c in calls if (c.source, c.target) == (source, target)]
    return bool({c.id for c in pair if c.sets} & {c.id for c in pair if not c.sets})


def free_id(
    text: str,
    calls: Sequence[FlagCall],
    source: str,
    target: str,
    near: Sequence[int],
    dialect: Dialect,
) -> str:
    """An id for a new flag of this pair.

    Where the other flags around the lines `near` go round with the buffers (`slot + 1`) and this pair has none, the same
    expression, if it means the same at these lines. Else a number that the pair does not use: preferably one that no
    flag of its pipes uses, and from the top of the range when it is not known what its ids may be.
    """
    own = [c for c in calls if (c.source, c.target) == (source, target)]
    around = sorted(
        (c for c in calls if _number(c.id) is None),
        key=lambda c: min((abs(c.line - line) for line in near), default=0),
    )
    for call in around:
        inside = near and min(near) <= call.line <= max(near)
        if inside and not own and means_the_same(text, call.id, call.line, near):
            return call.id
    taken = _ids_of(text, own)
    beside = _ids_of(text, [c for c in calls if c.source == source or c.target == target])
    ids = dialect.ids if None not in taken else dialect.ids[::-1]
    free = [i for i in ids if i not in taken] or [*ids]
    chosen = next((i for i in free if i not in beside), free[0])
    return f"EVENT_ID{chosen}" if dialect.event_ids else str(chosen)


def _ids_of(text: str, calls: Iterable[FlagCall]) -> set[int | None]:
    """The ids that these calls take, and None where one of them may take others."""
    found: set[int | None] = set()
    for call in calls:
        found |= values(text, call.id, call.line) or {None}
    return found


def free_cross_id(text: str, dialect: Dialect) -> int:
    """A cross-core flag that the text does not name."""
    taken = {_number(found["id"]) for found in dialect.cross.finditer(text)}
    return next((i for i in CROSS_IDS if i not in taken), CROSS_IDS[0])


def _number(expression: str) -> int | None:
    digits = expression.removeprefix("EVENT_ID")
    return int(digits) if digits.isdigit() else None
