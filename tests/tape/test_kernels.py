"""A kernel on a tape: the verdicts, traces and places of the compiled one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from gen.sim import Finding, Frame, Profile, Program, build_program
from gen.sim.tape import Core
from gen.sim.trace import diff, read_trace
from tests.tape.kernels import LINES, SOURCE, record, run, values, write


def compiled() -> Program:
    return build_program([Path(__file__).parent / "add.cpp"], face="ascendc", chip="2201")


def lines(finding: Finding) -> tuple[int | None, ...]:
    return tuple(p.line.line if p and p.line else None for p in (finding.first, finding.second))


def test_a_tape_gives_the_trace_and_the_output_of_the_compiled_kernel(tmp_path: Path) -> None:
    traces = tmp_path / "compiled", tmp_path / "played"
    one, left = run(compiled(), tmp_path, trace=traces[0])
    two, right = run(write(tmp_path / "add.tape"), tmp_path, trace=traces[1])
    assert one.clean
    assert two.clean
    assert np.array_equal(left, values() + np.float32(1.5))
    assert np.array_equal(left, right)
    assert diff(*(read_trace(trace).launches[0] for trace in traces)) == []
    assert one.cycles == two.cycles
    assert one.counts == two.counts


@pytest.mark.parametrize(
    ("step", "code", "pair"),
    [
        ("arrived", "race-raw", ("load", "add")),
        ("ready", "race-raw", ("add", "store")),
        ("free", "race-war", ("add", "load")),
        ("stored", "race-war", ("store", "add")),
    ],
)
def test_a_race_names_the_lines_of_the_source(
    tmp_path: Path, step: str, code: str, pair: tuple[str, str]
) -> None:
    done, _ = run(write(tmp_path / "add.tape", partial(record, leave_out=(step,))), tmp_path)
    found = [f for f in done.errors if f.code == code]
    assert [lines(f) for f in found] == [tuple(LINES[name] for name in pair)]
    assert found[0].first is not None
    stack = (Frame("add", SOURCE, LINES[pair[0]]), Frame("main", SOURCE, 90))
    assert found[0].first.frames == stack


def test_a_finding_of_the_face_stands_at_its_line(tmp_path: Path) -> None:
    def wrong(core: Core) -> None:
        record(core)
        core.call("SetFlag", core.place([("add", SOURCE, 77)]), "V_MTE2", 9)

    done, _ = run(write(tmp_path / "add.tape", wrong), tmp_path)
    assert [(f.code, lines(f)[0]) for f in done.errors] == [("flag-id", 77)]


def test_the_trace_names_the_lines_of_the_source(tmp_path: Path) -> None:
    program = write(tmp_path / "add.tape")
    run(program, tmp_path, trace=tmp_path / "trace")
    trace = read_trace(tmp_path / "trace")
    frames = trace.frames(program)
    found = {op.name or op.kind: frames[op.site][0].line for op in trace.operations}
    assert found["Adds"] == LINES["add"]
    assert {frame.file for stack in frames.values() for frame in stack} == {SOURCE}


def test_superfluous_synchronisation_is_named_by_its_line(tmp_path: Path) -> None:
    more = partial(record, extra={"add": ("PipeBarrier", "PIPE_V")})
    program = write(tmp_path / "add.tape", more)
    done, _ = run(program, tmp_path, profile=Profile(deep=True))
    assert [
        s.place.line.line
        for s in done.launches[0].sync
        if s.place.op == "PipeBarrier" and s.place.line
    ] == [LINES["add"]]
    notes = [f for f in done.findings if f.code == "sync-redundant"]
    assert [lines(f)[0] for f in notes] == [LINES["add"]]


@pytest.mark.parametrize("schedule", ["late-v", "early-mte3", "late-aiv1.mte2", "blocks-reversed"])
def test_a_race_changes_what_a_schedule_stores(tmp_path: Path, schedule: str) -> None:
    right = write(tmp_path / "right.tape")
    wrong = write(tmp_path / "wrong.tape", partial(record, leave_out=("arrived", "ready")))
    profile = Profile(schedule=schedule)
    assert np.array_equal(run(right, tmp_path, profile=profile)[1], values() + np.float32(1.5))
    stored = run(wrong, tmp_path, profile=profile)[1]
    same = schedule == "blocks-reversed"  # blocks have nothing to do with each other
    assert np.array_equal(stored, values() + np.float32(1.5)) == same


def test_unwritten_memory_shows_under_another_poison(tmp_path: Path) -> None:
    program = write(tmp_path / "add.tape", partial(record, leave_out=("load",)))
    runs = [run(program, tmp_path, profile=Profile(poison=seed)) for seed in (1, 2)]
    assert not np.array_equal(runs[0][1], runs[1][1])
    (read,) = runs[0][0].reads_unwritten
    assert read.place.line == Frame("add", SOURCE, LINES["add"])
    assert {store.place.line for store in read.stores} == {Frame("add", SOURCE, LINES["store"])}


def test_a_position_has_the_name_by_which_it_is_left_out_in_every_run(tmp_path: Path) -> None:
    program = write(tmp_path / "add.tape")
    done, _ = run(program, tmp_path, profile=Profile(deep=True))
    keys = {s.key: s.place.line.line for s in done.launches[0].sync if s.place.line}
    dropped = tuple(k for k, line in keys.items() if line in (LINES["loaded"], LINES["arrived"]))
    assert len(dropped) == 2
    done, _ = run(program, tmp_path, profile=Profile(drop=dropped))
    assert [(f.code, *lines(f)) for f in done.errors] == [("race-raw", LINES["load"], LINES["add"])]
