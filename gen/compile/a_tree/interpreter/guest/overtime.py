"""The end of the time that a kernel file has: an exception, so that the line where it is can be named."""

from __future__ import annotations

import signal
from typing import Any

AGAIN_SECONDS = 0.2
"""Until the next try, where the file has caught the exception."""


class OvertimeError(BaseException):
    """The time is over. `except Exception` of the kernel file does not catch it."""

    kind = "overtime"
    help = "does every loop of the file end? A core runs all of its rounds here. --timeout gives it more seconds"
    line = 0


class Deadline:
    """Raises OvertimeError in the main thread after `seconds`, and again until it is lifted."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        signal.signal(signal.SIGALRM, self._over)
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)

    def lift(self) -> None:
        """There is all the time of the world."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _over(self, *_: Any) -> None:
        message = f"the kernel was not recorded: it did not end within {self._seconds:g} s"
        raise OvertimeError(message)
