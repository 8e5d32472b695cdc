"""One line of the table, and how a time is measured."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure. `ratio` is what counts; the seconds say what it was made of."""

    what: str
    ratio: float
    yardstick: str
    goal: str
    seconds: float
    yardstick_seconds: float


def median(run: Callable[[], object], times: int = 5) -> float:
    """Median seconds of `times` runs after one that does not count."""
    run()
    return statistics.median(seconds(run) for _ in range(times))


def seconds(run: Callable[[], object]) -> float:
    """Seconds of one run."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
