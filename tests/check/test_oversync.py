"""What could go without a new hazard is remarked on, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.check.oversync import superfluous
from gen.sim import Finding, Profile, Run, build_program, run_program

KERNELS = Path(__file__).parents[1] / "sim" / "kernels"


def notes_on(case: str, file: str = "order.cpp") -> tuple[Finding, ...]:
    program = build_program([KERNELS / file], face="core", chip="2201")
    profile = Profile(chip="2201", auto_sync=False)

    def rerun(profile: Profile, folder: Path) -> Run:
        return run_program(program, argv=[case], profile=profile, timeout=60, outputs=folder)

    first = run_program(program, argv=[case], profile=profile, timeout=60)
    return superfluous(first, profile, rerun)


def test_a_flag_that_nobody_has_a_use_for_could_go() -> None:
    (note,) = notes_on("flag_for_nobody")
    assert (note.code, note.severity, note.edge) == ("sync-redundant", "note", "MTE2→MTE3")
    assert "modelled cycles less" in note.message
    assert note.fix == {"kind": "remove", "from": "MTE2", "to": "MTE3", "id": 0}
    assert note.first is not None
    assert note.second is not None
    assert (note.first.op, note.second.op) == ("SetFlag", "WaitFlag")


def test_what_the_engine_remarks_on_when_asked_is_among_the_notes() -> None:
    assert [(n.code, n.edge) for n in notes_on("second_flag")] == [
        ("sync-redundant", "MTE2→V"),
    ]


@pytest.mark.parametrize("case", ["ring_of_flags", "branch_without_barrier"])
def test_what_is_needed_and_what_is_wrong_give_no_remark(case: str) -> None:
    assert notes_on(case) == ()


def test_either_of_two_meetings_of_all_cores_could_go() -> None:
    notes = [n for n in notes_on("sync_all_twice", "cores.cpp") if n.edge != "ALL"]
    assert [n.message for n in notes] == [
        "without this SyncAll nothing is out of order in this run; no modelled cycle less"
    ] * 2


def test_a_meeting_of_all_cores_that_orders_them_is_needed() -> None:
    assert {n.edge for n in notes_on("sync_all_orders_blocks", "cores.cpp")} == {"ALL"}


def test_what_was_not_tried_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gen.check.oversync.MOST", 1)
    *_, last = notes_on("sync_all_twice", "cores.cpp")
    assert last.message == "2 more flags and barriers were not tried: 1 is the most"
