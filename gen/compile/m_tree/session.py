"""The worker process from outside: started when it is first needed, kept for the next kernel, replaced when it dies."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gen.cache import cache_folder
from gen.compile.child import Correspondent, GoneError, SilentError

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
                worker.ask(request)
                reply = worker.wait_for(("done", "error"), self._silence, progress)
            except BaseException:
                self._worker = None
                worker.end()
                raise
            return {**reply, "log": worker.printed()}

    def close(self) -> None:
        """Ends the worker, if there is one."""
        with self._lock:
            if self._worker is not None:
                self._worker.end(STOP_SECONDS)
            self._worker = None


class _Worker(Correspondent):
    """The process, its replies and what it prints."""

    def __init__(self) -> None:
        self.ready = False
        self._folder = tempfile.TemporaryDirectory(prefix="crosstree-")
        super().__init__(
            [sys.executable, str(_WORKER)],
            Path(self._folder.name) / "stderr",
            environment={
                **os.environ,
                "TILELANG_ENABLE_IR_SPAN": "1",
                # tilelang would make a folder in the user's home otherwise.
                "TILELANG_CACHE_DIR": str(cache_folder("m_tree") / "tilelang"),
            },
        )

    def ask(self, request: Mapping[str, Any]) -> None:
        """Raises WorkerError."""
        self.forget_what_it_printed()
        try:
            self.send(request)
        except GoneError as gone:
            raise self._died(gone) from None

    def wait_for(
        self, events: tuple[str, ...], silence: float, progress: Progress
    ) -> dict[str, Any]:
        """The next reply that is one of `events`; the others are progress. Raises WorkerError."""
        stage = "starting"
        while True:
            try:
                reply = self.receive(silence)
            except SilentError:
                raise WorkerError(f"it was silent for {silence:g} s in {stage}") from None
            except GoneError as gone:
                raise self._died(gone) from None
            if reply["event"] in events:
                return reply
            stage = str(reply["stage"])
            progress(stage)

    def end(self, grace: float = 0.0) -> None:
        """As `Child.end`."""
        super().end(grace)
        self._folder.cleanup()

    def _died(self, gone: GoneError) -> WorkerError:
        text = self.printed().strip()
        return WorkerError(
            f"it ended ({gone})" + (f" after printing: {text[-_SHOWN:]}" if text else "")
        )


@cache
def shared() -> Session:
    """The session that is used where a caller brings none; ended with the interpreter."""
    session = Session()
    atexit.register(session.close)
    return session
