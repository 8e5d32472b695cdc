"""A process that works for this one: started, talked to, waited for, and ended with everything that it started."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from gen.compile.process_tree import MARK, end_tree, marked

LOOK_SECONDS = 0.2
"""How often it is seen whether a silent process still lives."""
CLOSING_SECONDS = 5.0
"""What a process has between its last word and its end."""

Message = dict[str, Any]
File = int | IO[Any] | None


class ChildError(Exception):
    """The process does not answer. The text says why."""


class SilentError(ChildError):
    """It said nothing for too long."""


class GoneError(ChildError):
    """It ended before it answered."""


class Child:
    """A process. What it is to read and write is as `subprocess.Popen` takes it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: File = subprocess.DEVNULL,
        stdout: File = None,
        stderr: File = None,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        own_session: bool = True,
    ) -> None:
        """`own_session`: Ctrl-C is for this process only, which then ends the child. Raises OSError."""
        given = marked(os.environ if environment is None else environment)
        self._mark = given[MARK]
        self._process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=cwd,
            env=given,
            encoding="utf-8",
            start_new_session=own_session,
        )

    @property
    def pid(self) -> int:
        """Its number, and that of its group where it has one of its own."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def wait(self, seconds: float | None = None) -> int | None:
        """Its exit status, or None where it still runs after `seconds`."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def how_it_ended(self) -> str:
        """Its exit status or signal in words; one that does not end is ended."""
        if self.wait(CLOSING_SECONDS) is None:
            self.end()
        return ending(self._process.returncode)

    def end(self, grace: float = 0.0) -> None:
        """Ends it and all that it started: politely where it has `grace` seconds, at once otherwise."""
        if grace and self.alive:
            self._process.terminate()
            self.wait(grace)
        end_tree(self._mark, self._process.pid if self.alive else None)
        self._process.wait()


class Correspondent(Child):
    """A process that takes one JSON object a line and answers so. All else that it prints is in `log`."""

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Raises OSError."""
        self._log, self._read = log, 0
        with log.open("ab") as out:
            super().__init__(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=out,
                cwd=cwd,
                environment=environment,
            )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin
        reader = (self._process.stdout, self._lines.put)
        threading.Thread(target=_forward, args=reader, daemon=True).start()

    def send(self, message: Mapping[str, Any]) -> None:
        """Raises GoneError."""
        line = json.dumps(message) + "\n"
        try:
            self._stdin.write(line)
            self._stdin.flush()
        except (OSError, ValueError):  # ValueError: it was ended here, and its input closed
            raise GoneError(self.how_it_ended()) from None

    def receive(self, seconds: float) -> Message:
        """What it says next. Raises SilentError and GoneError."""
        deadline = time.monotonic() + seconds
        ended = False
        while True:
            left = deadline - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(left, LOOK_SECONDS)))
            except queue.Empty:
                # A child of its own may hold the pipe open, so that no end of file comes.
                if ended:
                    raise GoneError(self.how_it_ended()) from None
                ended = not self.alive
                if left <= 0 and not ended:
                    raise SilentError(f"it said nothing for {seconds:g} s") from None
                continue
            if not line:
                raise GoneError(self.how_it_ended())
            message: Message = json.loads(line)
            return message

    def forget_what_it_printed(self) -> None:
        """`printed` begins here."""
        self._read = self._log.stat().st_size

    def printed(self) -> str:
        """What else it printed."""
        with self._log.open("rb") as log:
            log.seek(self._read)
            return log.read().decode("utf-8", "replace")

    def end(self, grace: float = 0.0) -> None:
        """As `Child.end`. The end of its input tells a process that waits for a message to go."""
        with suppress(OSError):
            self._stdin.close()
        if grace:
            self.wait(grace)
        super().end()


def ending(code: int) -> str:
    """An exit status in words."""
    if code >= 0:
        return f"exit status {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _forward(lines: IO[str], put: Callable[[str], None]) -> None:
    for line in lines:
        put(line)
    put("")
