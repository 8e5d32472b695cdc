"""Whatever order the chip allows, a kernel without a race stores the same bytes; one with a race does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from sim_cases import program

from gen.sim import Profile, Run, run_program

PIPES = ("s", "v", "m", "mte1", "mte2", "mte3", "fix")
SCHEDULES = (
    *(f"{when}-{pipe}" for when in ("early", "late") for pipe in PIPES),
    *(f"{when}-{core}" for when in ("early", "late") for core in ("aic", "aiv0", "aiv1")),
    "late-aiv1.mte3",
    "reorder",
    "blocks-reversed",
)


def stored(
    file: str, case: str, folder: Path, schedule: str, **profile: object
) -> tuple[Run, dict[str, bytes]]:
    settings = Profile(
        **{"chip": "2201", "auto_sync": False, "hazards": False, "threads": 1, **profile},  # type: ignore[arg-type]
        schedule=schedule,
    )
    run = run_program(
        program(file), argv=[case], profile=settings, timeout=60, outputs=folder / schedule
    )
    assert run.crashed is None, (schedule, run.crashed, run.stderr)
    return run, {o.name: o.path.read_bytes() for o in run.outputs}


CLEAN = [
    ("schedules", "double_buffer", "2201"),
    ("schedules", "vectors_with_barriers", "2201"),
    ("schedules", "loads_with_barrier", "2201"),
    ("schedules", "scalar_decides", "2201"),
    ("schedules", "neighbours_exchange", "2201"),
    ("schedules", "neighbours_told", "2201"),
    ("schedules", "aiv_pair_exchange", "2201"),
    ("schedules", "mutexes", "3510"),
    ("order", "row_loop_with_way_back", "2201"),
    ("order", "scalar_with_flags", "2201"),
    ("cores", "aiv_pair", "2201"),
    ("cores", "sync_all_orders_blocks", "2201"),
    ("memory", "blocks_apart", "2201"),
]


@pytest.mark.parametrize(("file", "case", "chip"), CLEAN)
def test_without_a_race_every_schedule_stores_the_same(
    file: str, case: str, chip: str, tmp_path: Path
) -> None:
    judged, _ = stored(file, case, tmp_path, "program", chip=chip, hazards=True)
    assert judged.clean, judged.findings
    _, want = stored(file, case, tmp_path, "program", chip=chip)
    assert want
    for schedule in SCHEDULES:
        _, got = stored(file, case, tmp_path, schedule, chip=chip)
        assert got == want, schedule


@pytest.mark.parametrize("schedule", [s for s in SCHEDULES if s != "reorder"])
def test_the_verdict_does_not_depend_on_the_schedule(schedule: str, tmp_path: Path) -> None:
    """Which pair of lines is named first may."""

    def rules(case: str, schedule: str) -> set[str]:
        run, _ = stored("order", case, tmp_path, schedule, hazards=True)
        return {f.code.partition("-")[0] for f in run.errors}

    for case in ("row_loop_with_way_back", "four_slots_freed", "transitive"):
        assert rules(case, schedule) == set()
    for case in ("row_loop", "four_slots_five_tiles", "ring_unprimed", "set_twice"):
        assert rules(case, schedule) == rules(case, "program") != set()


RACES = {
    "double_buffer_unfreed": {"late-mte3", "early-mte2"},
    "load_not_waited": {"late-mte2", "early-v"},
    "vectors_without_barrier": {"reorder"},
    "vectors_without_barrier_across_a_wait": {"reorder"},
    "loads_overlap": {"reorder"},
    "scalar_reads_too_early": {"late-v", "early-s"},
    "aiv_pair_unsynchronised": {"late-aiv0", "late-aiv0.mte3"},
    "blocks_overlap": {"blocks-reversed"},
    "neighbours_told_by_the_wrong_pipe": {"late-mte3"},
    "mutex_of_one_side": {"late-mte2", "early-v"},
}


@pytest.mark.parametrize("case", RACES)
def test_a_race_shows_under_a_schedule(case: str, tmp_path: Path) -> None:
    chip = "3510" if "mutex" in case else "2201"
    judged, _ = stored("schedules", case, tmp_path, "program", chip=chip, hazards=True)
    assert judged.errors
    _, want = stored("schedules", case, tmp_path, "program", chip=chip)
    schedules = dict.fromkeys([*SCHEDULES, *RACES[case]])
    wrong = {s for s in schedules if stored("schedules", case, tmp_path, s, chip=chip)[1] != want}
    assert RACES[case] <= wrong


def test_a_schedule_that_nobody_knows_is_refused() -> None:
    for schedule in ("late", "early-x", "late-aiv2", "sideways", "late-aic.", ""):
        run = run_program(
            program("schedules"),
            argv=["double_buffer"],
            profile=Profile(schedule=schedule),
            timeout=60,
        )
        assert run.exit_code == 70, schedule
