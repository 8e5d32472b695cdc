"""Mistakes of the program around the kernels: a copy back that does not wait for them, and one in the wrong direction."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gen.check import Outcome
from gen.check.foreign import RunOptions
from gen.check.foreign.script import ScriptVerdict, run_script
from tests.foreign.samples import HOST

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")

STREAM = (
    "aclrtStream stream; aclrtCreateStream(&stream); scaled<<<1, nullptr, stream>>>(on_x, on_y);"
)
WAIT = "aclrtSynchronizeStream(stream);"
LAUNCH = "scaled<<<1, nullptr, nullptr>>>(on_x, on_y);"


def ran(folder: Path, launch: str, *, kind: str = "ACL_MEMCPY_DEVICE_TO_HOST") -> ScriptVerdict:
    path = folder / "own.asc"
    fill = "for (int i = 0; i < 256; ++i) x[i] = i;"
    check = 'std::puts("all match"); return 0;'
    text = (
        HOST.replace("FACTOR", "2")
        .replace("READ", fill)
        .replace("WRITE", check)
        .replace(LAUNCH, launch)
    )
    path.write_text(text.replace("ACL_MEMCPY_DEVICE_TO_HOST", kind))
    return run_script(path, RunOptions())


def codes(verdict: ScriptVerdict) -> list[str]:
    return [fault.code for call in verdict.calls for fault in call.verdict.faults]


def test_a_copy_that_waits(tmp_path: Path) -> None:
    verdict = ran(tmp_path, f"{STREAM} {WAIT}")
    assert verdict.outcome is Outcome.CLEAN


def test_a_copy_that_does_not_wait_for_its_stream(tmp_path: Path) -> None:
    verdict = ran(tmp_path, STREAM)
    assert codes(verdict) == ["race-raw"]


def test_a_copy_in_the_wrong_direction(tmp_path: Path) -> None:
    verdict = ran(tmp_path, f"{STREAM} {WAIT}", kind="ACL_MEMCPY_HOST_TO_DEVICE")
    assert codes(verdict) == ["argument-range"]
