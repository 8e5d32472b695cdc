"""The independent oracle finds the races of the hand-written kernels, and orders everything else."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from gen.check.order import Conflict, ordered_conflicts, unordered
from gen.sim import Profile, Program, Run, build_program, run_program
from gen.sim.trace import Trace, read_trace

KERNELS = Path(__file__).parents[1] / "sim" / "kernels"
PROFILES = {
    "2201": Profile(chip="2201", auto_sync=False),
    "2201 auto": Profile(chip="2201", auto_sync=True),
    "3510": Profile(chip="3510", auto_sync=False),
}
FILES = ("order", "cores", "memory")


@cache
def program(file: str) -> Program:
    return build_program([KERNELS / f"{file}.cpp"], face="core", chip="2201")


@cache
def cases(file: str) -> list[str]:
    return re.findall(r"^CASE\((\w+),", (KERNELS / f"{file}.cpp").read_text(), re.MULTILINE)


def traced(file: str, case: str, profile: Profile, folder: Path) -> tuple[Run, Trace]:
    place = folder / f"{case}.trace"
    run = run_program(program(file), argv=[case], profile=profile, timeout=60, trace=place)
    return run, read_trace(place)


def edges(conflicts: list[Conflict]) -> set[tuple[str, str]]:
    """Pairs of core and pipe, in no order."""
    ends = (
        (f"{c.first.core} {c.first.pipe}", f"{c.second.core} {c.second.pipe}") for c in conflicts
    )
    return {(min(pair), max(pair)) for pair in ends}


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("file", FILES)
def test_the_oracle_finds_races_where_the_engine_does(file: str, name: str, tmp_path: Path) -> None:
    """Every case of the file: the engine names one pair for each missing edge, the oracle all pairs."""
    races = 0
    for case in cases(file):
        run, trace = traced(file, case, PROFILES[name], tmp_path)
        found = unordered(trace, PROFILES[name])
        raced = any(
            f.code.startswith("race-") or f.code == "output-written-twice" for f in run.errors
        )
        if raced or not run.errors:  # a race that follows from another mistake is listed with that
            assert bool(found) == raced, (case, [f.message for f in run.errors], found[:3])
        races += raced
    assert races > 0


def test_a_missing_edge_is_named_by_its_two_instructions(tmp_path: Path) -> None:
    _, trace = traced("order", "read_between_hides_nothing", PROFILES["2201"], tmp_path)
    (found,) = unordered(trace, PROFILES["2201"])
    assert (found.first.name, found.second.name) == ("Load", "Add")
    assert found.key == ((0, 0, "AIV0", 0), (0, 0, "AIV0", 2))


def test_what_is_ordered_is_listed_too(tmp_path: Path) -> None:
    _, trace = traced("order", "read_between_waited", PROFILES["2201"], tmp_path)
    assert unordered(trace, PROFILES["2201"]) == []
    pairs = {(c.first.name, c.second.name) for c in ordered_conflicts(trace, PROFILES["2201"])}
    assert ("Load", "Add") in pairs
    assert ("Load", "Store") in pairs


def test_equal_blocks_are_looked_at_once_and_named_each(tmp_path: Path) -> None:
    _, trace = traced("cores", "intra_flags_forgotten", PROFILES["3510"], tmp_path)
    found = unordered(trace, PROFILES["3510"])
    assert {c.first.block for c in found} == {0, 1}
    assert edges(found) == {("AIC FIX", "AIV1 V")}
