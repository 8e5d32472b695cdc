"""A wait of the wrong pair in a ring: the deadlock and what follows from it are one mistake, at the wait."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.check.places import Place
from gen.check.verdict import Fault
from gen.check.wording import Kernel
from gen.check.wrong_wait import as_one, wrong_wait

TEXT = (Path(__file__).parents[2] / "out" / "add" / "a_tree.py").read_text()
LINES = TEXT.split("\n")
ROUND = LINES.index(" " * 16 + "for i in T.serial(ROUNDS):")
PAIRS = ("v→mte2", "mte2→v", "mte3→v", "v→mte3", "mte3→mte2", "mte2→mte3")


def wait_of(pair: str) -> int:
    """The line in the loop that waits for a pair."""
    source, target = pair.split("→")
    call = f'T.wait_flag("{source}", "{target}", slot + 1)'
    return next(n for n, line in enumerate(LINES, 1) if n > ROUND and line.strip() == call)


def with_wait(pair: str, wrong: str) -> Kernel:
    """The kernel with another pair in one wait of the loop."""
    lines, at = list(LINES), wait_of(pair)
    source, target = wrong.split("→")
    lines[at - 1] = re.sub(r'"\w+", "\w+"', f'"{source}", "{target}"', lines[at - 1])
    return Kernel("a_tree", "\n".join(lines), "dav-2201")


def fault(code: str, edge: str, *lines: int, severity: str = "error") -> Fault:
    places = tuple(Place("k.py", line, "") for line in lines)
    return Fault(code, "it happens", severity, places, edge=edge)


@pytest.mark.parametrize("wrong", PAIRS)
@pytest.mark.parametrize("pair", PAIRS[:4])
def test_the_wait_is_found_or_none(pair: str, wrong: str) -> None:
    """Never another line; none where two waits of one pair could both be meant."""
    if pair == wrong:
        assert wrong_wait(with_wait(pair, wrong)) is None
        return
    found = wrong_wait(with_wait(pair, wrong))
    if found is not None:
        right = f"{found.set.source}→{found.set.target}".lower()
        assert (found.wait.line, right) == (wait_of(pair), pair)
    elif wrong in PAIRS[4:]:
        raise AssertionError("a pair that the kernel does not use is never meant")


def test_races_tell_two_waits_apart() -> None:
    kernel = with_wait("v→mte2", "mte3→v")
    copy = wait_of("v→mte2") + 1
    assert wrong_wait(kernel) is None
    found = wrong_wait(kernel, [fault("race-waw", "MTE2→MTE2", copy)])
    assert found is not None
    assert found.wait.line == wait_of("v→mte2")


def test_what_follows_is_listed_with_the_deadlock() -> None:
    kernel, at = with_wait("v→mte2", "mte3→mte2"), wait_of("v→mte2")
    other = fault("race-raw", "V→MTE3", 47, 51)
    note = fault("race-waw", "MTE2→MTE2", 42, severity="note")
    faults = [
        fault("race-war", "V→MTE2", 47, 42),
        fault("wait-without-set", "MTE3→MTE2", at),
        fault("flag-set-twice", "V→MTE2", 34, 48),
        other,
        note,
    ]
    merged, *rest = as_one(faults, kernel, "k.py")
    assert rest == [other, note]
    assert [a.code for a in merged.also] == ["race-war", "flag-set-twice"]
    assert [p.line for p in merged.places] == [at, 48]
    assert merged.remedy is not None
    assert merged.remedy.text == (
        "line 48 sets V→MTE2, which nothing here waits for: write "
        f'`T.wait_flag("v", "mte2", slot + 1)` in line {at}.'
    )


def test_without_a_deadlock_nothing_is_grouped() -> None:
    faults = (fault("race-war", "V→MTE2", 47, 42), fault("flag-set-twice", "V→MTE2", 34, 48))
    assert as_one(faults, with_wait("v→mte2", "mte3→mte2"), "k.py") == faults


def test_a_right_kernel_has_no_wrong_wait() -> None:
    assert wrong_wait(Kernel("a_tree", TEXT, "dav-2201")) is None
