"""The judge against every schedule: what can go wrong in a small stream is found, and nothing else is.

Each kind of stream is drawn STREAMS times from a fixed seed, under each profile that matters to it: 12,000 streams in
all, of up to 10 operations on one to three pipes of one or two cores. For each of them all schedules are tried
(`all_schedules.py`), and held against the verdict of the engine and against the pairs that gen.check.order finds.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from gen.check.order import unordered
from gen.sim import Launch, Profile
from gen.sim.trace import LaunchTrace, Operation, Trace
from tests.model.all_schedules import Outcome, Place, explore
from tests.model.streams import UNITS, Maker, Stream, outputs, run

STREAMS = 1000
SEED = 20
OLD = Profile(chip="2201", auto_sync=False)
AUTO = Profile(chip="2201", auto_sync=True)
NEW = Profile(chip="3510", auto_sync=False)
STRICT = Profile(chip="2201", auto_sync=False, flag_identity="strict")

KINDS = {
    "one AIV": ("vector", OLD),
    "one AIV, auto_sync": ("vector", AUTO),
    "one AIV, 3510": ("vector", NEW),
    "one AIV, strict flags": ("vector", STRICT),
    "one AIC": ("cube", OLD),
    "one AIC, 3510": ("cube", NEW),
    "one AIC, strict flags": ("cube", STRICT),
    "AIC and AIV": ("two_cores", OLD),
    "AIC and AIV, 3510": ("two_cores", NEW),
    "two blocks": ("two_blocks", OLD),
    "two blocks, 3510": ("two_blocks", NEW),
    "mutexes": ("mutexes", NEW),
}
WAITS_FOR_EVER = {"wait-without-set", "circular-wait"}


class Judged:
    """One stream with what each of the three says about it."""

    def __init__(
        self, stream: Stream, profile: Profile, launch: Launch, trace: LaunchTrace
    ) -> None:
        self.stream = stream
        self.outcome: Outcome = explore(stream, profile)
        self.codes = {f.code for f in launch.findings if f.severity == "error"}
        found = unordered(Trace((trace,), {}), profile)
        self.pairs = frozenset((_place(c.first), _place(c.second)) for c in found)

    @property
    def raced(self) -> bool:
        return any(c.startswith("race-") or c == "output-written-twice" for c in self.codes)

    @property
    def hung(self) -> bool:
        return bool(self.codes & WAITS_FOR_EVER)

    def __str__(self) -> str:
        return f"{self.stream}: {sorted(self.codes)}, order {sorted(self.pairs)}, {self.outcome}"


def _place(op: Operation) -> Place:
    return (op.block, UNITS.index(op.core), op.index)


@cache
def judged(name: str, folder: Path) -> tuple[Judged, ...]:
    kind, profile = KINDS[name]
    maker = Maker(SEED, profile.chip)
    streams = [getattr(maker, kind)() for _ in range(STREAMS)]
    launches, trace = run(streams, profile, folder)
    parts = zip(streams, launches, trace.launches, strict=True)
    return tuple(Judged(s, profile, launch, t) for s, launch, t in parts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("streams")


@pytest.mark.parametrize("name", KINDS)
def test_a_stream_hangs_exactly_when_every_schedule_gets_stuck(name: str, folder: Path) -> None:
    """Where some schedules get stuck and others do not, the model takes one of them."""
    wrong = [
        j
        for j in judged(name, folder)
        if j.outcome.stuck == j.outcome.always_stuck and j.hung != j.outcome.stuck
    ]
    assert not wrong, _shown(wrong)


@pytest.mark.parametrize("name", KINDS)
def test_there_is_a_race_exactly_when_a_schedule_can_turn_two_accesses_round(
    name: str, folder: Path
) -> None:
    """A stream that hangs is told to; a flag that is set twice says nothing any more about what it should order."""
    wrong = [
        j
        for j in judged(name, folder)
        if not j.outcome.stuck
        and "flag-set-twice" not in j.codes
        and j.raced != bool(j.outcome.races)
    ]
    assert not wrong, _shown(wrong)


@pytest.mark.parametrize("name", KINDS)
def test_the_oracle_names_exactly_the_pairs_that_can_be_turned_round(
    name: str, folder: Path
) -> None:
    """In a stream that may get stuck the oracle has seen one schedule only, and perhaps not all instructions."""
    wrong = [
        j
        for j in judged(name, folder)
        if (j.pairs - j.outcome.races if j.outcome.stuck else j.pairs ^ j.outcome.races)
    ]
    assert not wrong, _shown(wrong)


FOUND_BEFORE = [
    (
        OLD,
        "vector 1 @0.1 work:V:1:UB,0,1,r work:V:0:UB,0,1,r work:V:1:UB,0,1,r work:V:1:UB,0,1,w",
        ("race-war", "V→V"),
    ),
    (
        NEW,
        "mix_1_1 1 @0.0 work:FIX:0:GM,0,1,r xset:2:FIX:1 xset:2:MTE2:1"
        " @0.1 xwait:2:MTE3:1 xwait:2:MTE2:1 set:MTE3:MTE2:0 wait:MTE3:MTE2:0 work:MTE2:0:GM,0,1,w",
        None,
    ),
    (
        OLD,
        "mix_1_1 1 @0.0 work:FIX:0:GM,1,1,r xset:2:FIX:0 xset:2:MTE2:0"
        " @0.1 xwait:2:MTE2:0 work:MTE3:0:GM,1,1,w xwait:2:MTE3:0",
        ("race-war", "AIC FIX→AIV0 MTE3"),
    ),
    (
        STRICT,
        "vector 1 @0.1 set:V:MTE3:0 wait:V:MTE3:0 work:MTE2:0:UB,1,1,r set:MTE2:V:0 wait:MTE2:V:0"
        " work:MTE3:0:UB,0,1,r set:MTE3:V:1 wait:MTE3:V:1 work:V:0:UB,1,1,w",
        None,
    ),
]
"""Streams that one of the three once judged otherwise: profile, stream, the only finding."""


@pytest.mark.parametrize(("profile", "line", "finding"), FOUND_BEFORE)
def test_what_was_judged_wrong_once(
    profile: Profile, line: str, finding: tuple[str, str] | None, tmp_path: Path
) -> None:
    (launch,), _ = run([line], profile, tmp_path)
    found = [(f.code, f.edge) for f in launch.findings if f.severity == "error"]
    assert found == ([finding] if finding else [])


@pytest.mark.parametrize("name", KINDS)
def test_the_streams_are_of_all_sorts(name: str, folder: Path) -> None:
    sorts = Counter(
        "stuck" if j.outcome.stuck else "race" if j.outcome.races else "clean"
        for j in judged(name, folder)
    )
    assert sorts["race"] > STREAMS // 20, sorts
    assert sorts["clean"] > STREAMS // 20, sorts
    assert name == "mutexes" or sorts["stuck"] > STREAMS // 50, sorts


@pytest.mark.parametrize("name", [n for n, (_, p) in KINDS.items() if p.flag_identity == "doc"])
def test_streams_without_a_race_store_the_same_under_every_schedule(
    name: str, folder: Path
) -> None:
    clean = [j.stream for j in judged(name, folder) if not (j.outcome.stuck or j.outcome.races)]
    profile = KINDS[name][1]

    def stored(schedule: str) -> list[bytes]:
        plain = Profile(
            chip=profile.chip,
            auto_sync=profile.auto_sync,
            hazards=False,
            threads=1,
            schedule=schedule,
        )
        return outputs(clean, plain, folder / schedule)

    want = stored("program")
    for schedule in (
        "reorder",
        "late-mte2",
        "early-mte3",
        "late-v",
        "late-fix",
        "late-aiv0",
        "blocks-reversed",
    ):
        got = stored(schedule)
        wrong = [s for s, a, b in zip(clean, want, got, strict=True) if a != b]
        assert not wrong, (schedule, str(wrong[0]))


def _shown(wrong: list[Judged]) -> str:
    return f"{len(wrong)} of {STREAMS}: {wrong[0]}"
