"""Running a program again, and holding what two of its runs stored against each other."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gen.sim import Output, Profile, Run

AT_A_TIME = 2
"""Processes that run beside each other."""

Rerun: TypeAlias = Callable[[Profile, Path], Run]
"""Runs the program with the same inputs under a profile, and keeps its outputs in a folder."""


@contextmanager
def runs(rerun: Rerun, profiles: Iterable[Profile]) -> Iterator[Iterator[tuple[Profile, Run]]]:
    """The runs under each profile, in order, some beside each other; their outputs are there until the end."""
    with (
        tempfile.TemporaryDirectory(prefix="crosstree-") as name,
        ThreadPoolExecutor(AT_A_TIME) as pool,
    ):
        jobs = [
            (profile, pool.submit(rerun, profile, Path(name, str(i))))
            for i, profile in enumerate(profiles)
        ]
        try:
            yield ((profile, job.result()) for profile, job in jobs)
        finally:
            for _, job in jobs:
                job.cancel()


def usable(run: Run) -> bool:
    """Whether the run came to an end, so that what it stored can be compared."""
    return not run.crashed and not run.unsupported


def results(outputs: Sequence[Output]) -> tuple[Output, ...]:
    """Those that the host takes as results; all where it takes none, so that none can be told to be a workspace."""
    return tuple(o for o in outputs if o.fetched) or tuple(outputs)


def contents(output: Output) -> npt.NDArray[np.uint8]:
    """The bytes of an output."""
    return np.fromfile(output.path, np.uint8)


def differing(left: Output, right: Output) -> npt.NDArray[np.intp]:
    """Offsets of the bytes that differ, ascending."""
    a, b = contents(left), contents(right)
    if a.size != b.size:
        return np.arange(min(a.size, b.size), max(a.size, b.size))
    return np.flatnonzero(a != b)
