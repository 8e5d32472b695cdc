"""The pass that is running in a thread."""

from __future__ import annotations

import threading
from typing import Any


class Session(threading.local):
    """What runs now in a thread: `plan` or `core`, never both."""

    def __init__(self) -> None:
        self.plan: Any = None
        self.core: Any = None
        self.lanes: Any = None
        """In the body of T.Parallel: its assignments."""
        self.copies: list[Any] = []
        """Of the statement that runs: which of the copies that the compiler makes of its loop it stands in."""
        self.spot: Any = None
        """Where the operation that a core runs stands (places.Spot)."""
        self.unissued = 0
        """Operations that were made and have not been a statement of the kernel yet."""


_SESSION = Session()


def session() -> Session:
    """The only one."""
    return _SESSION
