"""Over-synchronisation: which flag or barrier could go, and how many modelled cycles that would gain.

Each is left out on its own, with everything that belongs to it (all sets and waits of a flag), and the program runs
again. It is superfluous where the verdict stays clean and the same bytes are stored. That is said of this run, its
shapes and its profile: a remark, never a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gen.check.rerun import Rerun, contents, results, runs, usable
from gen.sim import Finding, Profile, Run, SyncSite
from gen.sim.run import written_here

CODE = "sync-redundant"
MOST = 128
"""Flags and barriers that are tried; of a longer kernel a last note says how many were not."""
_BARRIER, _ALL_CORES = "PipeBarrier", "SyncAll"


def superfluous(run: Run, profile: Profile, rerun: Rerun) -> tuple[Finding, ...]:
    """Notes on the synchronisation of the last launch of `run` that could go; none unless `run` is clean.

    Begins with what the engine remarks on under `Profile.deep`: synchronisation that tells no pipe anything, event ids
    that are safe only as documented.
    """
    if not run.clean:
        return ()
    with runs(rerun, [replace(profile, deep=True)]) as whole:
        _, complete = next(whole)
        stored = _stored(complete)
    if not complete.clean:
        return ()
    notes = [f for f in complete.findings if f not in run.findings]
    if not stored:
        return tuple(notes)
    every = tuple(_parts(complete.launches[-1].sync))
    parts = every[:MOST]
    profiles = [replace(profile, drop=tuple(s.key for s in part)) for part in parts]
    with runs(rerun, profiles) as tried:
        for part, (_, without) in zip(parts, tried, strict=True):
            if without.clean and _stored(without) == stored:
                notes.append(_note(part, complete.cycles - without.cycles))
    if every[MOST:]:
        notes.append(_not_tried(len(every) - MOST))
    return tuple(notes)


def _stored(run: Run) -> dict[tuple[int, str], bytes]:
    """The bytes of each result."""
    if not usable(run):
        return {}
    return {(o.index, o.name): contents(o).tobytes() for o in results(run.outputs)}


def _parts(sites: Sequence[SyncSite]) -> Iterator[tuple[SyncSite, ...]]:
    """What can only be left out together, where a person wrote it and it tells some pipe something."""
    for part in _groups(sites):
        ends = any(site.last and site.place.op == _BARRIER for site in part)
        written = all(written_here(site.place) for site in part)
        everywhere = any(site.place.op == _ALL_CORES for site in part)
        if written and not ends and (everywhere or any(site.taught for site in part)):
            yield tuple(part)


def _groups(sites: Sequence[SyncSite]) -> list[list[SyncSite]]:
    """Sites of one component, and of one line: a compiler copies a line when it unrolls a loop."""
    groups: list[tuple[set[object], list[SyncSite]]] = []
    for site in sites:
        names: set[object] = {site.component}
        if site.place.line is not None:
            names.add((site.place.line, site.place.op))
        members = [site]
        for group in [g for g in groups if g[0] & names]:
            groups.remove(group)
            names |= group[0]
            members = group[1] + members
        groups.append((names, members))
    return [members for _, members in groups]


def _note(part: Sequence[SyncSite], gained: int) -> Finding:
    """The first set and the first wait, or the barrier, stand for all of the part."""
    sets = [s for s in part if "Set" in s.place.op]
    waits = [s for s in part if s not in sets]
    first, second = (sets[0], waits[0]) if sets and waits else (part[0], None)
    cycles = f"{gained} modelled cycles less" if gained > 0 else "no modelled cycle less"
    if first.place.op == _ALL_CORES:
        message = f"without this SyncAll nothing is out of order in this run; {cycles}"
        remedy = "leave it out"
        fix: dict[str, str | int] = {"kind": "remove"}
    elif first.place.op == _BARRIER:
        what = "all pipes" if first.edge == "ALL" else f"pipe {first.edge}"
        message = f"without the barrier of {what} nothing is out of order in this run; {cycles}"
        remedy = "leave it out"
        fix = {"kind": "remove", "pipe": first.edge}
    else:
        edge = _edge(first, second)
        message = (
            f"without the flag {edge}, id {first.id} nothing is out of order in this run; {cycles}"
        )
        to = second.place.pipe if second else first.place.pipe
        remedy = "leave out its sets and its waits"
        fix = {"kind": "remove", "from": first.place.pipe, "to": to, "id": first.id}
    return Finding(
        code=CODE,
        severity="note",
        message=message,
        space="",
        bytes=None,
        edge=first.edge if first.place.op == _BARRIER else _edge(first, second),
        count=sum(s.count for s in waits or part),
        core=first.core,
        first=first.place,
        second=second.place if second else None,
        remedy=remedy,
        fix=fix,
    )


def _not_tried(count: int) -> Finding:
    what = "one more flag or barrier was" if count == 1 else f"{count} more flags and barriers were"
    message = f"{what} not tried: {MOST} is the most"
    return Finding(CODE, "note", message, "", None, "", count, "", None, None)


def _edge(first: SyncSite, second: SyncSite | None) -> str:
    """Of a flag: between pipes, or between cores."""
    if second is None or "→" in first.edge:
        return first.edge
    return f"{first.edge}→{second.edge}"
