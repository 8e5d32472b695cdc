"""Races change what is stored, under a schedule that the chip allows; nothing else does."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gen.check.witness import Witness, contradiction, of_races, schedules, schedules_for, witnesses
from gen.sim import Profile, Program, Run, build_program, run_program

KERNELS = Path(__file__).parents[1] / "sim" / "kernels"
TYPES = {"out": (np.dtype(np.float32), (16, 1024))}


@cache
def program(file: str) -> Program:
    return build_program([KERNELS / f"{file}.cpp"], face="core", chip="2201")


def cases(file: str) -> list[str]:
    return re.findall(r"^CASE\((\w+),", (KERNELS / f"{file}.cpp").read_text(), re.MULTILINE)


class Case:
    def __init__(self, file: str, case: str, **profile: object) -> None:
        self.profile = Profile(**{"chip": "2201", "auto_sync": False, **profile})  # type: ignore[arg-type]
        self._file, self._case = file, case
        self.asked: list[Profile] = []
        self.run = run_program(program(file), argv=[case], profile=self.profile, timeout=60)

    def rerun(self, profile: Profile, folder: Path) -> Run:
        self.asked.append(profile)
        return run_program(
            program(self._file), argv=[self._case], profile=profile, timeout=60, outputs=folder
        )

    def witnesses(self) -> tuple[Witness, ...]:
        return witnesses(self.run, self.profile, self.rerun, TYPES)

    def of_races(self) -> tuple[Witness | None, ...]:
        return of_races(self.run, self.profile, self.rerun, TYPES)


RACES = [
    "double_buffer_unfreed",
    "load_not_waited",
    "vectors_without_barrier",
    "loads_overlap",
    "scalar_reads_too_early",
    "aiv_pair_unsynchronised",
    "blocks_overlap",
    "neighbours_told_by_the_wrong_pipe",
    "mutex_of_one_side",
]


@pytest.mark.parametrize("case", RACES)
def test_a_race_names_the_first_number_that_goes_wrong(case: str) -> None:
    made = Case("schedules", case, chip="3510" if "mutex" in case else "2201")
    found = [w for w in made.of_races() if w]
    assert found
    assert all(w.in_order != w.otherwise for w in found)
    assert all(w.tensor == "out" for w in found)
    assert all(np.ravel_multi_index(w.index, (16, 1024)) == w.offset // 4 for w in found if w.index)
    assert made.asked[0].schedule == "program"
    assert not any(p.hazards for p in made.asked)


def test_the_values_are_those_of_both_orders() -> None:
    (witness,) = Case("schedules", "loads_overlap").of_races()
    assert witness is not None
    assert (witness.schedule, witness.index) == ("reorder", (0, 128))
    assert (witness.in_order, witness.otherwise) == (2048.0, 128.0)
    assert str(witness) == "out[0, 128] = 128.0 instead of 2048.0 under reorder"


@pytest.mark.parametrize("file", ["schedules", "order", "cores", "memory"])
def test_no_witness_where_the_verdict_is_clean(file: str) -> None:
    """Every race-free case of the file, under every schedule that could matter."""
    looked = 0
    for case in cases(file):
        chip = "3510" if "mutex" in case else "2201"
        made = Case(file, case, chip=chip)
        if made.run.errors or made.run.unsupported or made.run.crashed:
            continue
        looked += 1
        assert made.witnesses() == (), case
        assert len(made.asked) == 1 + len(schedules(made.run))
    assert looked >= 7


def test_only_what_occurs_is_tried() -> None:
    vector = set(schedules(Case("schedules", "double_buffer").run))
    assert vector == {
        *(f"{when}-{pipe}" for when in ("late", "early") for pipe in ("v", "mte2", "mte3")),
        "reorder",
    }
    mixed = set(schedules(Case("schedules", "aiv_pair_exchange").run))
    assert {"late-aic", "early-aiv1", "late-aiv0.mte3", "blocks-reversed"} <= mixed


@pytest.mark.parametrize(
    ("code", "edge", "first"),
    [
        ("race-raw", "MTE2→V", "late-mte2"),
        ("race-raw", "V→V", "reorder"),
        ("race-war", "AIV0 MTE2→AIC FIX", "late-aiv0.mte2"),
        ("output-written-twice", "block MTE3→block MTE3", "blocks-reversed"),
        ("flag-left-set", "MTE2→V", None),
        ("race-raw", "V threads", "threads-reversed"),
    ],
)
def test_the_edge_says_what_to_turn_round(code: str, edge: str, first: str | None) -> None:
    finding = replace(Case("order", "row_loop").run.findings[0], code=code, edge=edge)
    assert next(iter(schedules_for(finding)), None) == first


def test_a_kernel_that_stops_halfway_has_no_witness() -> None:
    made = Case("order", "ring_unprimed")
    assert made.witnesses() == ()
    assert made.asked == []


def test_atomic_sums_are_no_witness() -> None:
    made = Case("memory", "atomic_sum")
    assert made.run.clean
    assert made.witnesses() == ()


def test_atomic_sums_show_a_race_that_was_found() -> None:
    made = Case("schedules", "atomic_onto_a_store")
    (witness,) = made.of_races()
    assert witness is not None
    assert (witness.schedule, witness.in_order, witness.otherwise) == ("reorder", 3.0, 1.0)
    assert made.witnesses() == ()


def test_bytes_of_an_unknown_format_are_shown_as_they_are() -> None:
    made = Case("schedules", "loads_overlap")
    (witness,) = of_races(made.run, made.profile, made.rerun)
    assert witness is not None
    assert (witness.index, witness.offset // 4) == (None, 128)
    assert (witness.in_order, witness.otherwise) == ("0x45000000", "0x43000000")


def test_a_witness_against_a_clean_verdict_is_said_aloud() -> None:
    clean = Case("schedules", "double_buffer").run
    racy = Case("schedules", "load_not_waited")
    found = racy.witnesses()
    assert found
    assert contradiction(clean, ()) == ""
    assert contradiction(racy.run, found) == ""
    assert "contradicts itself" in contradiction(clean, found)
