"""A compiler does not outlive the command that asked it, however the command ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT

A_TREE = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def endless():
    while True:
        pass


endless()
"""
M_TREE = """\
import tilelang
import tilelang.language as T



def spin():
    while True:
        pass


SIZE = spin()


@tilelang.jit
def endless(x: T.Tensor[(64,), "float32"]):
    with T.Kernel(1):
        pass
"""


def descendants(pid: int) -> set[int]:
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found |= {child} | descendants(child)
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False


def busy(pid: int) -> bool:
    """Whether a process has computed for a while: the kernel file runs."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) > 300


@pytest.mark.parametrize(
    ("tree", "text", "more"),
    [("a_tree", A_TREE, ()), ("m_tree", M_TREE, ("--input", "x=float32[64]"))],
)
def test_nothing_is_left_when_the_command_is_killed(environment, tmp_path, tree, text, more):
    kernel = tmp_path / "endless.py"
    kernel.write_text(text)
    command = [sys.executable, "-m", "gen.cli", "run", str(kernel), "--tree", tree, *more]
    asked = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        assert wait_for(lambda: any(busy(p) for p in descendants(asked.pid) if alive(p)), 120)
        left = descendants(asked.pid)
    finally:
        asked.kill()
        asked.wait()
    ended = wait_for(lambda: not any(map(alive, left)), 20)
    for pid in filter(alive, left):
        os.kill(pid, signal.SIGKILL)
    assert ended
