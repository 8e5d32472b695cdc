"""What judging the order of accesses costs: time against the same run without it, memory against the tensors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.programs import Kernel, programs
from tests.bench.rows import Row

SPECS = Path(__file__).parents[2] / "specs"
BOUND = 2.0
"""Hazards on may take this many times the run with hazards off."""
SHARE = 0.25
"""Of the bytes of all tensors, for what hazards are tracked with."""
TIMES = 9


def price_of_judging() -> Iterator[Row]:
    """GEMM 1024^3, 4M elements added and a norm, in each tree: the process alone, without files and Python."""
    for problem in ("gemm", "add", "rmsnorm"):
        for kernel in programs(SPECS / f"{problem}.yaml"):
            yield from _rows(f"{problem}, {kernel.tree}", kernel)


def _rows(label: str, kernel: Kernel) -> Iterator[Row]:
    kernel.measured(hazards=True)
    # In turns, so that a busy machine slows both.
    runs = [(kernel.measured(hazards=True), kernel.measured(hazards=False)) for _ in range(TIMES)]
    on, off = (median(pair[i].seconds for pair in runs) for i in range(2))
    what = f"{label}: hazards on against off"
    yield Row(what, on / off, "hazards off", f"{BOUND:g}", on, off)
    tracked = median(pair[0].peak for pair in runs) - median(pair[1].peak for pair in runs)
    allowed = SHARE * kernel.bytes
    what = f"{label}: memory of hazard tracking, MB"
    yield Row(what, tracked / allowed, "25 % of tensors", "1", tracked / 1e6, allowed / 1e6)
