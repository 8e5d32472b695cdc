"""A second and a third look at a kernel: all schedules, not only those that its races ask for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gen.check.oversync import superfluous
from gen.check.rerun import Rerun, usable
from gen.check.witness import Types, Witness, contradiction, schedules, witnesses
from gen.sim import Profile, Run


@dataclass(frozen=True)
class DeepLook:
    """What came of it. `schedules` are those that were run; each witness stored something else under one of them."""

    schedules: tuple[str, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    contradiction: str = ""
    """Why the verdict is worth nothing, where a run without an error has a witness."""


def look_deep(run: Run, profile: Profile, rerun: Rerun, types: Types) -> DeepLook:
    """Reruns the program of `run` under every schedule that could matter. Nothing is run when `run` did not end."""
    if not usable(run):
        return DeepLook()
    found = witnesses(run, profile, rerun, types)
    return DeepLook(schedules(run), found, contradiction(run, found))


def with_superfluous(run: Run, profile: Profile, rerun: Rerun) -> Run:
    """`run` with notes on the synchronisation that could go, among the findings of its last launch."""
    notes = superfluous(run, profile, rerun)
    if not notes:
        return run
    *before, last = run.launches
    return replace(run, launches=(*before, replace(last, findings=last.findings + notes)))
