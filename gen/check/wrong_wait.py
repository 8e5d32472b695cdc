"""A wait that names the wrong pair of pipes: the deadlock, the races and the flags that follow are one mistake.

The text shows it: in one block (a round of a loop) the flags of all pairs are set as often as they are waited for, but
for one pair with a wait too many, and one with a wait too few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gen.check.event_ids import FlagCall
from gen.check.odd_calls import blocks
from gen.check.places import Place
from gen.check.verdict import Consequence, Fault
from gen.check.wording import Kernel, Remedy, instead, sentence

DEADLOCK = "wait-without-set"
_FOLLOWS = (DEADLOCK, "circular-wait", "flag-set-twice", "flag-left-set")


@dataclass(frozen=True)
class WrongWait:
    """The wait, and a set of the pair that nothing in its block waits for."""

    wait: FlagCall
    set: FlagCall

    def follows(self, fault: Fault) -> bool:
        """Whether a fault is what this mistake makes: one of its two flags, or a race that the right wait would order."""
        right = f"{self.set.source}→{self.set.target}"
        if fault.code in _FOLLOWS:
            return fault.edge in (right, f"{self.wait.source}→{self.wait.target}")
        target = self.set.target
        return fault.code.startswith("race-") and fault.edge in (right, f"{target}→{target}")


def wrong_wait(kernel: Kernel, faults: Sequence[Fault] = ()) -> WrongWait | None:
    """The one wait whose pair is wrong, as the text shows it; None where there is none, or more than one.

    Where two waits could be meant, the races among `faults` say which place is not waited for.
    """
    found = []
    for block in blocks(kernel.text, kernel.flags):
        others = [c for c in kernel.flags if c not in block]
        if wrong := _in_block(block, others, faults):
            found.append(wrong)
    return found[0] if len(found) == 1 else None


def as_one(faults: Sequence[Fault], kernel: Kernel, file: str) -> tuple[Fault, ...]:
    """`faults` with what follows from a wrong wait listed with its deadlock, and what to write in that line."""
    deadlocks = [f for f in faults if f.code == DEADLOCK]
    wrong = wrong_wait(kernel, faults) if deadlocks else None
    if wrong is None:
        return tuple(faults)
    parts = [f for f in faults if f.severity == "error" and wrong.follows(f)]
    chief = next((f for f in parts if f.code == DEADLOCK), None)
    if chief is None:
        return tuple(faults)
    places = (_place(kernel, file, wrong.wait.line), _place(kernel, file, wrong.set.line))
    merged = replace(
        chief,
        places=places if len(parts) > 1 else chief.places,
        remedy=_remedy(kernel, file, wrong),
        also=(*chief.also, *(_consequence(f) for f in parts if f is not chief)),
    )
    return tuple(merged if f is chief else f for f in faults if f is chief or f not in parts)


def _in_block(
    block: Sequence[FlagCall], others: Sequence[FlagCall], faults: Sequence[Fault]
) -> WrongWait | None:
    balance: Counter[tuple[str, str, str]] = Counter()
    for call in block:
        balance[call.source, call.target, call.id] += 1 if call.sets else -1
    odd = {key: count for key, count in balance.items() if count}
    if sorted(odd.values()) != [-1, 1]:
        return None
    over = next(key for key, count in odd.items() if count == -1)
    under = next(key for key, count in odd.items() if count == 1)
    if over[2] != under[2]:
        return None
    lacking = [c for c in block if c.sets and _key(c) == under][-1]
    waits = [c for c in block if not c.sets and _key(c) == over]
    sets = [c for c in block if c.sets and _key(c) == over]
    fitting = [
        c
        for c in waits
        if _in_order(c, lacking, others)
        and all(_in_order(w, s, others) for w in waits if w is not c for s in sets)
    ]
    chosen = fitting if len(fitting) == 1 else _before_the_race(fitting, lacking, faults)
    return WrongWait(chosen[0], lacking) if chosen else None


def _key(call: FlagCall) -> tuple[str, str, str]:
    return call.source, call.target, call.id


def _in_order(wait: FlagCall, set: FlagCall, others: Sequence[FlagCall]) -> bool:
    """Whether a wait stands where it can take a set: behind it, or above it where the flag is set before the loop."""
    pair = set.source, set.target
    primed = any(c.sets and (c.source, c.target) == pair for c in others)
    return wait.line < set.line if primed else wait.line > set.line


def _before_the_race(
    waits: Sequence[FlagCall], set: FlagCall, faults: Sequence[Fault]
) -> list[FlagCall]:
    """Of several waits the last above the access that is not waited for."""
    edges = (f"{set.source}→{set.target}", f"{set.target}→{set.target}")
    races = [f.places[-1] for f in faults if f.code.startswith("race-") and f.edge in edges]
    lines = [(place.origin or place).line for place in races]
    above = [c for c in waits if lines and c.line < min(lines)]
    return above[-1:]


def _remedy(kernel: Kernel, file: str, wrong: WrongWait) -> Remedy:
    d, right = kernel.dialect, wrong.set
    source, target = map(d.pipe_case, (right.source, right.target))
    code = d.wait_flag.format(source=source, target=target, id=right.id)
    because = f"line {right.line} sets {right.source}→{right.target}, which nothing here waits for"
    found = instead(code, _place(kernel, file, wrong.wait.line), because)
    return replace(found, text=sentence(found.text))


def _place(kernel: Kernel, file: str, line: int) -> Place:
    return Place(file, line, kernel.text.split("\n")[line - 1])


def _consequence(fault: Fault) -> Consequence:
    return Consequence(fault.code, fault.edge, fault.count, fault.places)
