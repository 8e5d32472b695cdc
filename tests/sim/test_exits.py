"""A run without a whole verdict is never clean: crash, time limit, missing or broken report, failed program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sim_cases import program, run_case

from gen.sim import Profile, Run, run_program

FAILURES = {
    "null_pointer": "crashed (SIGSEGV) in AIV0 of block 1",
    "division_by_zero": "crashed (SIGFPE)",
    "endless_recursion": "its stack overflowed",
    "aborts": "crashed (SIGABRT)",
    "crash_in_vector_function": "crashed (SIGSEGV)",
    "crash_in_body": "crashed (SIGSEGV)",
    "leaves_quietly": "left no report: no launch was complete when it ended (exit code 0)",
    "killed": "left no report (SIGKILL)",
    "exits_in_kernel": "left no report",
    "no_launch": "left no report: no launch was complete when it ended (exit code 0)",
    "fails_before_launch": "left no report (exit code 3)",
    "fails_after_launch": "failed (exit code 4)",
    "report_cut": "report is broken",
    "report_removed": "left no report",
    "core_on_host": "left no report (exit code 70)",
    "emit_on_host": "left no report (exit code 70)",
}


def run(case: str, timeout: float = 60) -> Run:
    settings = Profile(chip="2201", auto_sync=False)
    return run_program(program("exits"), argv=[case], profile=settings, timeout=timeout)


def test_the_right_program_is_clean() -> None:
    assert run("right").clean


@pytest.mark.parametrize("case", FAILURES)
def test_no_failure_looks_clean(case: str) -> None:
    got = run(case)
    assert not got.clean
    assert got.crashed is not None
    assert FAILURES[case] in got.crashed


SOURCE = Path(__file__).parent / "kernels" / "exits.cpp"
LOOPS = {"endless_loop": "pipe_barrier(Pipe::v)", "endless_scalar_loop": "while (scalar_read("}


@pytest.mark.parametrize("case", LOOPS)
def test_time_limit_is_a_failure(case: str) -> None:
    """It says where the cores stood, those that only compute and those that issue instructions."""
    got = run(case, timeout=1)
    assert got.stood
    for core in got.stood:
        assert core.core.endswith(" of block 0")
        assert core.place.line is not None
        assert LOOPS[case] in SOURCE.read_text().splitlines()[core.place.line.line - 1]
    assert got.crashed is not None
    assert got.crashed.startswith("it did not end within 1 s: ")
    assert not got.clean


def test_waiting_in_an_endless_loop_is_a_deadlock() -> None:
    got = run("waits_for_ever")
    assert [f.code for f in got.findings] == ["wait-without-set"]


@pytest.mark.parametrize("case", ["no_blocks", "too_many_blocks", "host_unsupported"])
def test_host_code_that_the_model_lacks_is_unsupported(case: str) -> None:
    got = run(case)
    assert got.unsupported is not None
    assert not got.clean


def test_crash_names_the_line() -> None:
    got = run("null_pointer")
    assert got.crash_place is not None
    assert got.crash_place.line is not None
    source = (Path(__file__).parent / "kernels" / "exits.cpp").read_text().splitlines()
    assert "uintptr_t{8}" in source[got.crash_place.line.line - 1]


def test_unknown_profile_value_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Profile, "environment", lambda _: "chip=910")
    got = run("right")
    assert got.crashed is not None
    assert "AICORE_PROFILE" in got.stderr


def test_the_report_is_the_documented_json() -> None:
    report = run_case("memory", "tail_missing").report
    assert json.loads(json.dumps(report)) == report
    (launch,) = report["launches"]
    assert set(launch) >= {"kernel", "kind", "blocks", "unsupported", "findings", "tensors"}
    assert set(launch) >= {"counts", "cycles"}
    (finding,) = launch["findings"]
    keys = {"code", "severity", "message", "remedy", "fix", "also", "space", "bytes", "edge"}
    keys |= {"count", "core"}
    assert set(finding) == keys | {"first", "second", "behind"}
    assert set(finding["first"]) == {"op", "pipe", "stack"}
