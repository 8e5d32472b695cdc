"""A kernel whose Python asks for numbers that it computes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gen.sim import Profile, Program, build_program
from gen.sim.tape import KINDS
from gen.sim.tape_player import player
from gen.sim.trace import diff, read_trace
from tests.tape.kernels import BLOCKS, SIZE, SOURCE, TILE, Array, run, values, writer

ROOT = Path(__file__).resolve().parents[2]
RECORDER = Path(__file__).parent / "live_add.py"


@pytest.fixture(autouse=True)
def _root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSTREE_TEST_ROOT", str(ROOT))


def live(file: Path, how: str, recorder: str = str(RECORDER)) -> Program:
    tape = writer([sys.executable, recorder, how, str(file)])
    for block in range(BLOCKS):
        for name in KINDS["mix_1_2"]:
            tape.live(block, name)
    tape.write(file)
    return player(file, sources=[SOURCE])


def expected() -> Array:
    tiles = values().reshape(-1, TILE)
    index = np.abs(tiles[:, 5]).astype(int) + 1
    return (tiles + tiles[np.arange(len(tiles)), index, None]).ravel()


@pytest.mark.parametrize(
    "profile",
    [
        Profile(threads=1),
        Profile(threads=4),
        Profile(schedule="late-mte2"),
        Profile(schedule="early-aiv1"),
        Profile(schedule="blocks-reversed", poison=7),
    ],
    ids=["one thread", "threads", "late", "early", "reversed"],
)
def test_values_decide_what_is_recorded(tmp_path: Path, profile: Profile) -> None:
    program = live(tmp_path / "add.tape", "well")
    done, stored = run(program, tmp_path, profile=profile)
    assert done.clean, (done.crashed, done.findings)
    assert np.array_equal(stored, expected())


def test_a_live_kernel_gives_the_trace_of_the_compiled_one(tmp_path: Path) -> None:
    source = Path(__file__).parent / "live_add.cpp"
    compiled = build_program([source], face="ascendc", chip="2201")
    traces = tmp_path / "compiled", tmp_path / "live"
    one, left = run(compiled, tmp_path, trace=traces[0])
    two, right = run(live(tmp_path / "add.tape", "well"), tmp_path, trace=traces[1])
    assert one.clean
    assert two.clean
    assert np.array_equal(left, right)
    assert diff(*(read_trace(trace).launches[0] for trace in traces)) == []
    assert one.cycles == two.cycles


def test_stored_and_live_cores_go_together(tmp_path: Path) -> None:
    tape = writer([sys.executable, str(RECORDER), "well"])
    for block in range(BLOCKS):
        tape.core(block, "aic")
        for name in ("aiv0", "aiv1"):
            tape.live(block, name)
    tape.write(tmp_path / "add.tape")
    done, stored = run(player(tmp_path / "add.tape"), tmp_path)
    assert done.clean, (done.crashed, done.findings)
    assert np.array_equal(stored, expected())


def test_a_race_of_a_live_kernel_names_its_lines_in_every_run(tmp_path: Path) -> None:
    program = live(tmp_path / "add.tape", "race")
    found = []
    for _ in range(2):
        done, _ = run(program, tmp_path, profile=Profile(deep=True))
        found.append(
            [
                (f.code, f.first.line.line, f.second.line.line)
                for f in done.errors
                if f.first and f.second and f.first.line and f.second.line
            ]
        )
    assert found[0] == found[1] == [("race-raw", 6, 8)]


ENDS = {
    "refuses": "kernel.py:12: this cannot be recorded",
    "raises": "ValueError: not in the list",
    "exits": f"the recorder of a live tape ({sys.executable}) is gone: its exit code is 5",
    "aborts": f"the recorder of a live tape ({sys.executable}) is gone: it was ended by Aborted",
}


@pytest.mark.parametrize("how", ENDS)
def test_a_recorder_that_gives_up_is_a_crash(tmp_path: Path, how: str) -> None:
    done, _ = run(live(tmp_path / "add.tape", how), tmp_path)
    assert done.crashed == ENDS[how]
    assert not done.clean


def test_a_recorder_that_does_not_exist_is_a_crash(tmp_path: Path) -> None:
    tape = writer(["/nowhere/python"])
    for block in range(BLOCKS):
        for name in KINDS["mix_1_2"]:
            tape.live(block, name)
    tape.write(tmp_path / "add.tape")
    done, _ = run(player(tmp_path / "add.tape"), tmp_path)
    gone = "the recorder of a live tape (/nowhere/python) is gone: it could not be started"
    assert done.crashed == gone


def test_a_call_that_the_model_lacks_is_unsupported(tmp_path: Path) -> None:
    done, _ = run(live(tmp_path / "add.tape", "unknown"), tmp_path)
    assert done.unsupported == "AscendC::Prelu"


def runs(tape: Path) -> bool:
    """Whether there is a process that plays the tape or records for it."""
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # no process, or one that has just ended
        if str(tape).encode() in words and str(RECORDER).encode() in words:
            return True
    return False


def wait_until(tape: Path, running: bool) -> bool:
    end = time.monotonic() + 10
    while runs(tape) != running and time.monotonic() < end:
        time.sleep(0.1)
    return runs(tape) == running


def test_a_recorder_that_hangs_ends_with_the_time_of_the_run(tmp_path: Path) -> None:
    tape = tmp_path / "add.tape"
    done, _ = run(live(tape, "hangs"), tmp_path, timeout=2)
    assert done.crashed is not None
    assert done.crashed.startswith("it did not end within 2 s")
    assert wait_until(tape, running=False)


def alive(process: Path) -> bool:
    """Whether it still runs; one that nobody has waited for has no command line any more."""
    try:
        return bool((process / "cmdline").read_bytes())
    except OSError:
        return False


ASKER = """\
import subprocess, sys
with subprocess.Popen(sys.argv[1:]) as player:
    print(player.pid, flush=True)
"""


def test_nothing_outlives_a_process_that_waits_for_a_run_and_is_killed(tmp_path: Path) -> None:
    tape = tmp_path / "add.tape"
    program = live(tape, "hangs")
    values().tofile(tmp_path / "X")
    command = [str(program.executable), *program.arguments]
    command += [f"X:in:{4 * SIZE}:{tmp_path / 'X'}", f"Z:out:{4 * SIZE}:{tmp_path / 'Z'}"]
    environment = os.environ | {
        "AICORE_PROFILE": Profile().environment(),
        "LD_LIBRARY_PATH": str(program.engine.parent),
    }
    with subprocess.Popen(
        [sys.executable, "-c", ASKER, *command], stdout=subprocess.PIPE, env=environment
    ) as asker:
        assert asker.stdout is not None
        played = Path("/proc") / asker.stdout.readline().decode().strip()
        assert wait_until(tape, running=True)
        asker.kill()
    assert wait_until(tape, running=False)
    end = time.monotonic() + 10
    while alive(played) and time.monotonic() < end:
        time.sleep(0.1)
    assert not alive(played)
