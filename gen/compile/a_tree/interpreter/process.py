"""The process that runs a kernel file: it has the terminal, and an end."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from gen.compile.a_tree.process import stop

LIMIT = 120.0
"""Seconds that recording may take; standing in a debugger does not count."""
POLL_SECONDS = 0.02
DEBUGGING = "debugging"
"""File that the child makes when the kernel stops at a breakpoint."""


@dataclass(frozen=True)
class Ended:
    """How it ended, and what can be done about it."""

    reason: str
    help: str = ""


def run_child(command: list[str], folder: Path, limit: float = LIMIT) -> Ended:
    """Runs it to its end. What it prints goes to standard error; it reads from where this process does."""
    debugging = folder / DEBUGGING
    debugging.unlink(missing_ok=True)
    process = subprocess.Popen(command, stdout=sys.__stderr__ or subprocess.DEVNULL, text=True)
    deadline = time.monotonic() + limit
    try:
        while process.poll() is None:
            try:
                _wait(process)
            except KeyboardInterrupt:
                # In a debugger the key is for the kernel.
                if not debugging.exists():
                    raise
            if time.monotonic() > deadline and not debugging.exists():
                return Ended(
                    f"it did not end within {limit:g} s",
                    "does every loop of the kernel end? A core runs all of its rounds here",
                )
    finally:
        stop(process)
    return _ended(process.returncode)


def _wait(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(POLL_SECONDS)


def _ended(code: int) -> Ended:
    if code >= 0:
        return Ended(f"its process ended with exit status {code}")
    with contextlib.suppress(ValueError):
        return Ended(f"its process was killed ({signal.Signals(-code).name})", "run it again")
    return Ended(f"its process was killed (signal {-code})", "run it again")
