"""Never-written bytes that reach a stored value: shown by two runs on different such bytes, not by the read.

A kernel may read lanes that nobody filled, as long as it does not store what becomes of them. So the engine only notes
such reads, and the stores of what they may have yielded. Where there is such a store, the program runs again with other
bytes in the memory that nobody has written (`Profile.poison`): what is stored then either changes, or it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from gen.check.rerun import Rerun, differing, results, runs, usable
from gen.sim import Also, Finding, Output, Profile, Run, UnwrittenRead, UnwrittenStore

CODE = "uninitialised-read"
SEEDS = (0, 1, 2)
"""NaN; then finite numbers, twice with opposite signs: a comparison that is false for NaN, or a product with zero, may
hide one of them, but not all."""

_INCOMPLETE = frozenset(
    {
        "argument-range",
        "circular-wait",
        "out-of-bounds",
        "queue-alloc",
        "wait-without-set",
        "wrong-core",
    }
)
"""Findings about an instruction that did nothing, or behind which the core did not go on."""

_OTHER_CORE = re.compile(r"AI[CV]|block")
"""In the edge of a race between two cores."""

Offsets = npt.NDArray[np.intp]


def suspects(run: Run) -> tuple[UnwrittenRead, ...]:
    """Reads of never-written bytes that may change what is stored.

    Bytes that were written too late are left to the race that made it so. Where the program reads them before it writes
    them, and the race is that the write may overtake the read, there is no such race: the two are mistakes of their
    own. Nothing is said of a kernel of which an instruction was left out, or that stopped halfway; nor of what is only
    stored by the stores of an accumulator that no Mmad has started: these change with the accumulator anyhow.
    """
    if not usable(run) or any(_incomplete(f) for f in run.errors):
        return ()
    unstarted = {f.second for f in run.errors if f.code == "accumulator-not-initialised"}
    races = [f for f in run.errors if any(c.startswith("race-") for c in _codes(f))]
    reads = (
        r
        for r in run.reads_unwritten
        if r.decides or any(s.place not in unstarted for s in r.stores)
    )
    return tuple(r for r in reads if not (races and r.written_later and not _overtaken(r, races)))


def _codes(finding: Finding) -> tuple[str, ...]:
    return finding.code, *(a.code for a in finding.also)


def _overtaken(read: UnwrittenRead, races: Sequence[Finding]) -> bool:
    """Whether every race of these bytes is a write that should come after this read, in the program of its core."""
    own = [f for f in races if read.place in (f.first, f.second) or _same_bytes(read, f)]
    return bool(own) and all(
        f.code == "race-war" and f.first == read.place and not _OTHER_CORE.search(f.edge)
        for f in own
    )


def _same_bytes(read: UnwrittenRead, race: Finding) -> bool:
    if race.space != read.space or race.bytes is None:
        return False
    return race.bytes[0] < read.bytes[1] and read.bytes[0] < race.bytes[1]


def _incomplete(finding: Finding) -> bool:
    return finding.code in _INCOMPLETE


def uninitialised_reads(run: Run, profile: Profile, rerun: Rerun) -> tuple[Finding, ...]:
    """The findings that the reads noted in `run` amount to: none where other bytes change nothing that is stored.

    `run` is the run that is judged, under `profile`. Costs nothing when it has no suspects, else two or three runs.
    """
    reads = suspects(run)
    if not reads:
        return ()
    profiles = [replace(profile, poison=seed, hazards=True, schedule="program") for seed in SEEDS]
    with runs(rerun, profiles) as made:
        for (_, one), (_, two) in pairwise(made):
            changed = _changed(one, two)
            if changed:
                return tuple(_findings(reads, changed, run.reads_unwritten))
    return ()


def with_uninitialised_reads(run: Run, profile: Profile, rerun: Rerun) -> Run:
    """`run` with the findings of `uninitialised_reads` among those of its last launch."""
    found = uninitialised_reads(run, profile, rerun)
    if not found:
        return run
    *before, last = run.launches
    return replace(run, launches=(*before, replace(last, findings=last.findings + found)))


def _changed(one: Run, two: Run) -> dict[int, tuple[Output, Offsets]]:
    """Tensor by index, with the offsets of the bytes that are not the same in both runs."""
    if not (usable(one) and usable(two)):
        return {}
    other = {o.index: o for o in results(two.outputs)}
    pairs = ((o, other[o.index]) for o in results(one.outputs) if o.index in other)
    found = {a.index: (a, differing(a, b)) for a, b in pairs}
    return {index: (a, offsets) for index, (a, offsets) in found.items() if offsets.size}


def _findings(
    reads: Sequence[UnwrittenRead],
    changed: dict[int, tuple[Output, Offsets]],
    every: Sequence[UnwrittenRead],
) -> Iterator[Finding]:
    """One finding for each piece of memory that was not written; the later reads of it follow from the first."""
    blamed: list[tuple[UnwrittenRead, UnwrittenStore | None]] = [
        (read, store) for read in reads for store in _stores(read, changed)
    ]
    if not blamed:  # it went through a workspace to another block, or through the scalar unit
        blamed = [(read, read.stores[0] if read.stores else None) for read in reads]
    done: list[UnwrittenRead] = []
    for read, store in blamed:
        if any(_same_memory(read, other) for other in done):
            continue
        done.append(read)
        rest = [r for r in every if r.place != read.place and _same_memory(read, r)]
        yield _finding(read, store, changed, rest)


def _stores(
    read: UnwrittenRead, changed: dict[int, tuple[Output, Offsets]]
) -> Iterator[UnwrittenStore]:
    """The first store that wrote changed bytes, if any."""
    for store in read.stores:
        if store.tensor in changed and _meets(store.ranges, changed[store.tensor][1]):
            yield store
            return


def _meets(ranges: Iterable[tuple[int, int]], offsets: Offsets) -> bool:
    bounds = np.array(list(ranges), np.intp).reshape(-1, 2)
    starts = np.searchsorted(offsets, bounds[:, 0])
    return bool((starts < np.searchsorted(offsets, bounds[:, 1])).any())


def _same_memory(a: UnwrittenRead, b: UnwrittenRead) -> bool:
    overlap = a.bytes[0] < b.bytes[1] and b.bytes[0] < a.bytes[1]
    return (a.space, a.tensor) == (b.space, b.tensor) and overlap


def _finding(
    read: UnwrittenRead,
    store: UnwrittenStore | None,
    changed: dict[int, tuple[Output, Offsets]],
    rest: Sequence[UnwrittenRead],
) -> Finding:
    output, offsets = changed.get(store.tensor if store else -1) or next(iter(changed.values()))
    where = f"GM ({read.tensor})" if read.tensor else read.space
    first, last = read.bytes[0], read.bytes[1] - 1
    span = f"byte {first}" if first == last else f"bytes {first}..{last}"
    message = (
        f"{read.place.op} ({read.place.pipe}) reads {span} of {where}, which hold what was there before the kernel,"
        f" and {output.name} depends on it from byte {offsets[0]} on"
    )
    return Finding(
        code=CODE,
        severity="error",
        message=message,
        space=read.space,
        bytes=read.bytes,
        edge=read.space,
        count=read.count,
        core=read.core,
        first=read.place,
        second=store.place if store else None,
        remedy="write these bytes before they are read, or store only what does not depend on them",
        also=tuple(Also(CODE, r.space, r.count, r.place, None) for r in rest),
    )
