"""Never-written bytes are a mistake exactly where other bytes in their place change what is stored."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gen.check.poison import suspects, uninitialised_reads
from gen.sim import Finding, Place, Profile, Program, Run, build_program, run_program

KERNELS = Path(__file__).parents[1] / "sim" / "kernels"
PROFILE = Profile(chip="2201", auto_sync=False)

WRONG = {
    "half_a_tile_stored_whole": ("UB", (512, 1024), "Store", "Store"),
    "second_operand_missing": ("UB", (1024, 2048), "Add", "Store"),
    "missing_operand_used_twice": ("UB", (1024, 2048), "Add", "Store"),
    "times_zero": ("UB", (1024, 2048), "Mul", "Store"),
    "workspace_never_written": ("GM", (0, 1024), "Load", "Store"),
    "through_another_block": ("UB", (1024, 2048), "Store", "Store"),
    "atomic_add_onto_nothing": ("GM", (0, 1024), "AtomicAdd", "AtomicAdd"),
    "decides_what_is_stored": ("UB", (1024, 1028), "GetValue", None),
}
SILENT = {
    "lanes_that_are_not_stored": True,
    "nothing_is_stored": False,
    "written_in_two_parts": False,
    "another_block_writes_it": False,
    "atomic_add_onto_zeros": False,
    "value_that_decides_nothing": True,
    "overwritten_before_it_is_stored": False,
    "written_too_late": False,
}
"""Case → does it take further runs to see that nothing depends on them?"""


@cache
def program() -> Program:
    return build_program([KERNELS / "unwritten.cpp"], face="core", chip="2201")


def judge(case: str) -> tuple[Run, tuple[Finding, ...], int]:
    """The run, what the reads in it amount to, and how many further runs that took."""
    more = 0

    def rerun(profile: Profile, folder: Path) -> Run:
        nonlocal more
        more += 1
        return run_program(program(), argv=[case], profile=profile, timeout=60, outputs=folder)

    run = run_program(program(), argv=[case], profile=PROFILE, timeout=60)
    assert run.crashed is None, run.stderr
    found = uninitialised_reads(run, PROFILE, rerun)
    return run, found, more


def op(place: Place | None) -> str | None:
    return place.op if place else None


@pytest.mark.parametrize("case", WRONG)
def test_one_mistake_names_the_read_and_the_store(case: str) -> None:
    _, found, _ = judge(case)
    assert [(f.code, f.space, f.bytes, op(f.first), op(f.second)) for f in found] == [
        ("uninitialised-read", *WRONG[case])
    ]


@pytest.mark.parametrize("case", SILENT)
def test_what_is_never_stored_is_no_mistake(case: str) -> None:
    run, found, more = judge(case)
    assert found == ()
    assert (more > 0) == SILENT[case]
    if case == "written_too_late":
        assert [f.code[:5] for f in run.errors] == ["race-"]
    else:
        assert run.clean


def test_the_lines_are_those_of_the_source() -> None:
    _, (finding,), _ = judge("second_operand_missing")
    source = (KERNELS / "unwritten.cpp").read_text().splitlines()
    lines = [
        source[p.line.line - 1].strip() for p in (finding.first, finding.second) if p and p.line
    ]
    assert lines == ["add(2 * T, 0, T, T);", "store(g.out, 2 * T, T);"]


def test_a_later_read_of_the_same_bytes_follows_from_the_first() -> None:
    _, (finding,), _ = judge("missing_operand_used_twice")
    assert [op(a.first) for a in finding.also] == ["AddAgain"]


def test_only_reads_whose_result_may_be_stored_are_suspect() -> None:
    run, _, _ = judge("nothing_is_stored")
    assert [r.place.op for r in run.reads_unwritten] == ["Add"]
    assert suspects(run) == ()
