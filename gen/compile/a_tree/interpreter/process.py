"""The process that runs a kernel file: it has the terminal, and an end."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL

from gen.compile.a_tree.process import STOP_SECONDS
from gen.compile.child import Child, ending

LIMIT = 120.0
"""Seconds that recording may take; standing in a debugger does not count."""
GRACE = 2.0
"""Seconds more in which the child says where it was when its time was over."""
POLL_SECONDS = 0.02
DEBUGGING = "debugging"
"""File that the child makes when the kernel stops at a breakpoint."""
TERMINAL = "terminal"
"""File by which it learns that nobody else writes to the terminal any more."""


@dataclass(frozen=True)
class Ended:
    """How it ended, and what can be done about it."""

    reason: str
    help: str = ""


def run_child(
    command: list[str],
    folder: Path,
    limit: float = LIMIT,
    on_breakpoint: Callable[[], None] = lambda: None,
) -> Ended:
    """Runs it to its end. What it prints goes to standard error; it reads from where this process does."""
    for name in (DEBUGGING, TERMINAL):
        (folder / name).unlink(missing_ok=True)
    # The terminal is for both: the kernel may stop in a debugger.
    child = Child(command, stdin=None, stdout=sys.__stderr__ or DEVNULL, own_session=False)
    deadline = time.monotonic() + limit + GRACE
    try:
        while (code := child.wait(POLL_SECONDS)) is None:
            if (folder / DEBUGGING).exists():
                on_breakpoint()
                with _keys_are_for_the_child(child.pid):
                    (folder / TERMINAL).touch()
                    child.wait()
            elif time.monotonic() > deadline:
                return Ended(
                    f"it did not end within {limit:g} s",
                    "does it wait for something? --timeout gives it more seconds",
                )
    finally:
        child.end(STOP_SECONDS)
    return _ended(code)


@contextlib.contextmanager
def _keys_are_for_the_child(group: int) -> Iterator[None]:
    """In a debugger Ctrl-C interrupts the kernel, not the command: the terminal's keys go to the child's own group."""
    terminal = _terminal()
    with _interrupts_ignored():
        if terminal is not None:
            with contextlib.suppress(OSError):
                os.tcsetpgrp(terminal, group)
                # It may have asked for a key too soon, and been stopped for it.
                os.killpg(group, signal.SIGCONT)
        try:
            yield
        finally:
            if terminal is not None:
                _take_back(terminal)


def _terminal() -> int | None:
    """The terminal that this process reads from, where its keys are for it."""
    try:
        terminal = sys.__stdin__.fileno() if sys.__stdin__ is not None else -1
        return terminal if os.tcgetpgrp(terminal) == os.getpgrp() else None
    except (OSError, ValueError):
        return None


def _take_back(terminal: int) -> None:
    """A process in the background must not be stopped for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        with contextlib.suppress(OSError):
            os.tcsetpgrp(terminal, os.getpgrp())
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Without a terminal they reach this process, too. (Only the main thread can see to that.)"""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _ended(code: int) -> Ended:
    if code >= 0:
        return Ended(f"its process ended with {ending(code)}")
    return Ended(f"its process was killed ({ending(code)})", "run it again")
