"""The worker process from outside: started when it is first needed, kept for the next kernel, replaced when it dies."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from gen.cache import cache_folder

Progress = Callable[[str], None]
"""Is told what the compiler is doing: `starting`, `tracing`, then names of compiler passes."""

LOWER_SECONDS = 300.0
"""The slowest pass on any kernel known takes 5 s; one that is silent for 300 s has lost its way."""
START_SECONDS = 120.0
STOP_SECONDS = 5.0

_WORKER = Path(__file__).with_name("worker.py")
_SHOWN = 2000


class WorkerError(Exception):
    """The compiler's process ended, or had to be ended, without an answer. The text says how."""


class Session:
    """One worker process. Requests from several threads are served one after the other."""

    def __init__(self, silence: float = LOWER_SECONDS) -> None:
        """`silence` is how many seconds one pass of the compiler may take."""
        self._silence = silence
        self._lock = threading.Lock()
        self._worker: _Worker | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(
        self, request: Mapping[str, Any], progress: Progress = lambda _: None
    ) -> dict[str, Any]:
        """The reply `done` or `error` to `request`, with what the compiler printed as `log`.

        Raises WorkerError; the next request starts a new worker.
        """
        with self._lock:
            worker = self._worker
            if worker is None or not worker.alive:
                progress("starting")
                worker = self._worker = _Worker()
            try:
                if not worker.ready:
                    worker.wait_for(("ready",), START_SECONDS, progress)
                    worker.ready = True
                worker.send(request)
                reply = worker.wait_for(("done", "error"), self._silence, progress)
            except BaseException:
                self._worker = None
                worker.stop(grace=0)
                raise
            return {**reply, "log": worker.printed()}

    def close(self) -> None:
        """Ends the worker, if there is one."""
        with self._lock:
            if self._worker is not None:
                self._worker.stop(grace=STOP_SECONDS)
            self._worker = None


class _Worker:
    """The process, its replies and what it prints."""

    def __init__(self) -> None:
        self.ready = False
        self._replies: queue.Queue[str | None] = queue.Queue()
        self._folder = tempfile.TemporaryDirectory(prefix="crosstree-")
        self._log = Path(self._folder.name) / "stderr"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, str(_WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
                env={
                    **os.environ,
                    "TILELANG_ENABLE_IR_SPAN": "1",
                    # tilelang would make a folder in the user's home otherwise.
                    "TILELANG_CACHE_DIR": str(cache_folder("m_tree") / "tilelang"),
                },
                start_new_session=True,  # Ctrl-C is for this process, which then ends the worker
            )
        self._seen = 0
        assert self._process.stdout is not None
        reader = threading.Thread(
            target=_forward, args=(self._process.stdout, self._replies), daemon=True
        )
        reader.start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, request: Mapping[str, Any]) -> None:
        """Raises WorkerError."""
        self._seen = self._log.stat().st_size
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerError(self._epitaph()) from None

    def wait_for(
        self, events: tuple[str, ...], silence: float, progress: Progress
    ) -> dict[str, Any]:
        """The next reply that is one of `events`; the others are progress. Raises WorkerError."""
        stage = "starting"
        while True:
            try:
                line = self._replies.get(timeout=silence)
            except queue.Empty:
                raise WorkerError(f"it was silent for {silence:g} s in {stage}") from None
            if line is None:
                raise WorkerError(self._epitaph())
            reply: dict[str, Any] = json.loads(line)
            if reply["event"] in events:
                return reply
            stage = str(reply["stage"])
            progress(stage)

    def printed(self) -> str:
        """What it printed since the last request was sent."""
        with self._log.open("rb") as log:
            log.seek(self._seen)
            return log.read().decode(errors="replace")

    def stop(self, grace: float) -> None:
        """Ends the process: politely when it has `grace` seconds, at once otherwise."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()

    def _epitaph(self) -> str:
        code = self._process.wait()
        how = (
            f"was ended by {signal.Signals(-code).name}"
            if code < 0
            else f"ended with status {code}"
        )
        text = self.printed().strip()
        return f"it {how}" + (f" after printing: {text[-_SHOWN:]}" if text else "")


def _forward(stream: IO[str], replies: queue.Queue[str | None]) -> None:
    for line in stream:
        replies.put(line)
    replies.put(None)


@cache
def shared() -> Session:
    """The session that is used where a caller brings none; ended with the interpreter."""
    session = Session()
    atexit.register(session.close)
    return session
