"""Where the process begins, and how it ends when it is interrupted."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import NoReturn

from gen.cli.exits import Exit

GRACE_SECONDS = 3.0
"""How long an interrupted command may tidy up."""


def main() -> NoReturn:
    """Runs the command line and ends the process with its exit status."""
    # pydantic otherwise looks for plug-ins in every installed distribution, which takes longer
    # than reading a spec
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _require_streams()
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        from gen.cli.app import app

        app(prog_name="gen")
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
    sys.exit(Exit.CLEAN)


def _require_streams() -> None:
    """A process may be started without the standard streams (`>&-`): nobody reads what is said, but a result."""
    nothing = Path(os.devnull)
    sys.stdin = sys.stdin or nothing.open(encoding="utf-8")
    sys.stderr = sys.stderr or nothing.open("w", encoding="utf-8")
    if sys.stdout is None:
        print("gen: cannot write: the standard output is closed", file=sys.stderr)
        sys.exit(Exit.INTERNAL)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """Ctrl-C. Unfinished files are removed on the way out."""
    _wind_up(Exit.INTERRUPTED)
    raise KeyboardInterrupt


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    """SIGTERM: leave as after Ctrl-C."""
    _wind_up(Exit.TERMINATED)
    sys.exit(Exit.TERMINATED)


def _wind_up(status: Exit) -> None:
    """See to it that no thread keeps the process from ending."""
    threading.Thread(target=_end_what_others_wait_for, args=(status,), daemon=True).start()


def _end_what_others_wait_for(status: Exit) -> None:
    """End compilers and running kernels; a thread that only computes is not waited for long.

    Again and again, since a thread may start its next process before it learns of the end. All
    files are written beside their place and renamed, so none is half-written whenever we leave.
    """
    kind = signal.SIGTERM
    end = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < end:
        for child in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, kind)
        time.sleep(0.2)
        kind = signal.SIGKILL
    os._exit(status)


def _children() -> list[int]:
    """Process ids of our direct children; none where the kernel does not tell (proc(5))."""
    found: list[int] = []
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found
