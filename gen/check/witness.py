"""A second observation of a race: under another schedule that the chip allows, other values are stored.

The judge of the engine and this module do not know of each other: here the program runs again without hazards being
tracked, and the bytes that it stored are compared. Where nothing races, they are the same under every schedule, so that
a difference in a run that was found clean means that the model contradicts itself (`contradiction`).

Atomic additions are exempt: they give the same sum in any order but for its rounding. A tensor to which a kernel adds
atomically is not compared, and where a kernel also reads such a tensor, nothing is. Only where a race was found already
are such numbers looked at, for more than rounding can explain (`ROUNDING`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gen.check.rerun import Rerun, contents, differing, runs, usable
from gen.sim import Also, Finding, Output, Profile, Run

Types: TypeAlias = Mapping[str, tuple[np.dtype[np.generic], tuple[int, ...]]]
"""Number format and shape of tensors by name, as far as they are known."""

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")
_CORES = {"mix_1_1": ("AIC", "AIV0"), "mix_1_2": ("AIC", "AIV0", "AIV1")}
_HALTED = frozenset({"wait-without-set", "circular-wait"})
_RACES = frozenset({"race-raw", "race-war", "race-waw", "output-written-twice"})
ROUNDING = 0.01
"""Largest part of a number by which sums of a racing kernel may differ and still count as the same."""
_VECTOR_FUNCTION = "asc_vf_call"
_THREADS = "V threads"
"""Edge of a race between the threads of one SIMT function."""
_EDGE = re.compile(r"(?:(AI[CV]\d?|block) )?(\w+)→(?:(AI[CV]\d?|block) )?(\w+)")


@dataclass(frozen=True)
class Witness:
    """What is stored otherwise under `schedule` (`Profile.schedule`): the first element that differs.

    `index` is None where the number format of the tensor is not known; the values then are the 4 bytes around the first
    byte that differs, as a hexadecimal number. `offset` is that of this byte, from the start of the tensor.
    """

    schedule: str
    tensor: str
    index: tuple[int, ...] | None
    offset: int
    in_order: float | int | str
    """The value when everything that may run goes in program order."""
    otherwise: float | int | str
    """The value under `schedule`."""

    def __str__(self) -> str:
        where = f"[{', '.join(map(str, self.index))}]" if self.index else f" at byte {self.offset}"
        return f"{self.tensor}{where} = {self.otherwise} instead of {self.in_order} under {self.schedule}"


def schedules(run: Run) -> tuple[str, ...]:
    """All schedules under which the program of `run` could behave otherwise than in program order."""
    used = [p for p in PIPES if p in run.counts]
    cores = [c for c in ("AIC", "AIV0", "AIV1") if any(c in _cores(k.kind) for k in run.launches)]
    names = [f"{when}-{x}" for x in (*used, *cores) for when in ("late", "early")]
    names += [f"late-{core}.{pipe}" for core in cores for pipe in used]
    names.append("reorder")
    if any(launch.blocks > 1 for launch in run.launches):
        names.append("blocks-reversed")
    if _VECTOR_FUNCTION in run.counts.get("V", {}):
        names.append("threads-reversed")
    return tuple(n.lower() for n in names)


def _cores(kind: str) -> tuple[str, ...]:
    return _CORES.get(kind, ())


def schedules_for(finding: Finding | Also) -> tuple[str, ...]:
    """The schedules that turn the two accesses of a race round, the likeliest first."""
    if finding.edge == _THREADS:
        return ("threads-reversed",)
    edge = _EDGE.fullmatch(finding.edge)
    if finding.code not in _RACES or edge is None:
        return ()
    core, first, other_core, second = (part.lower() if part else "" for part in edge.groups())
    if core == "block":
        return ("blocks-reversed", f"late-{first}", f"late-{second}")
    if (core, first) == (other_core, second):
        return ("reorder",)
    a = f"{core}.{first}" if core else first
    b = f"{other_core}.{second}" if other_core else second
    found = [f"late-{a}", f"early-{b}", f"late-{b}", f"early-{a}"]
    if core != other_core:
        found += [f"late-{core}", f"late-{other_core}"]
    return tuple(found)


def witnesses(
    run: Run,
    profile: Profile,
    rerun: Rerun,
    types: Types | None = None,
    under: Sequence[str] | None = None,
    rough: bool = False,
) -> tuple[Witness, ...]:
    """Everything that the program of `run` stores otherwise, one witness for each schedule of `under`.

    `under` is None: under all schedules that could matter. `run` was made under `profile`. `rough`: atomic sums count,
    too. A kernel that stops halfway
    stores more or less of its outputs under each schedule: that is no witness, and none is looked for.
    """
    if not usable(run) or _halts(run):
        return ()
    names = schedules(run) if under is None else tuple(under)
    if not names:
        return ()
    plain = replace(profile, hazards=False, threads=1, poison=0)
    with runs(rerun, [replace(plain, schedule=s) for s in ("program", *names)]) as made:
        _, first = next(made)
        if not usable(first) or _halts(first):
            return ()
        pairs = ((p.schedule, _first_difference(first, r, types or {}, rough)) for p, r in made)
        return tuple(replace(w, schedule=schedule) for schedule, w in pairs if w is not None)


def of_races(
    run: Run, profile: Profile, rerun: Rerun, types: Types | None = None
) -> tuple[Witness | None, ...]:
    """For each of `run.findings` a witness, where it is, or has as a consequence, a race that changes what is stored.

    Races of the same pipes share theirs: a schedule delays a pipe, and not an instruction.
    """
    wanted = [_schedules_of(f) if f.severity == "error" else () for f in run.findings]
    names = tuple(dict.fromkeys(s for some in wanted for s in some))
    found = {w.schedule: w for w in witnesses(run, profile, rerun, types, names, rough=True)}
    return tuple(next((found[s] for s in some if s in found), None) for some in wanted)


def _schedules_of(finding: Finding) -> tuple[str, ...]:
    races: tuple[Finding | Also, ...] = (finding, *finding.also)
    every = (schedules_for(race) for race in races)
    return next((names for names in every if names), ())


def contradiction(run: Run, found: Iterable[Witness]) -> str:
    """What to say when a run without an error has a witness: the model is wrong, and its verdict worth nothing."""
    witness = next(iter(found), None)
    if witness is None or run.errors:
        return ""
    return (
        f"the model contradicts itself: it found no race, yet {witness}; please report this kernel"
        " together with the profile"
    )


def _halts(run: Run) -> bool:
    return any(f.code in _HALTED for f in run.errors)


def _first_difference(one: Run, two: Run, types: Types, rough: bool) -> Witness | None:
    """The first element that differs; in a result of the kernel, if any does, else in a workspace."""
    if not usable(two) or _halts(two):
        return None
    other = {o.index: o for o in two.outputs}
    pairs = [(o, other[o.index]) for o in one.outputs if o.index in other]
    spread = any(o.atomic and o.read for pair in pairs for o in pair)
    for a, b in sorted(pairs, key=lambda pair: not pair[0].fetched):
        rounded = spread or a.atomic or b.atomic
        if rounded and not rough:
            continue
        offset = _beyond_rounding(a, b, types) if rounded else _first(differing(a, b))
        if offset is not None:
            return _witness(a, b, offset, types)
    return None


def _first(offsets: npt.NDArray[np.intp]) -> int | None:
    return int(offsets[0]) if offsets.size else None


def _beyond_rounding(a: Output, b: Output, types: Types) -> int | None:
    """Offset of the first number that differs by more than `ROUNDING`; none where the format is not known."""
    known = _type(a, types)
    if known is None:
        return None
    one, two = (contents(o).view(known[0]).astype(np.float64) for o in (a, b))
    with np.errstate(invalid="ignore"):
        close = np.abs(one - two) <= ROUNDING * np.maximum(np.abs(one), np.abs(two))
    apart = np.flatnonzero(~close & ~(np.isnan(one) & np.isnan(two)) & (one != two))
    return int(apart[0]) * known[0].itemsize if apart.size else None


def _witness(a: Output, b: Output, offset: int, types: Types) -> Witness:
    known = _type(a, types)
    if known is None:
        start = offset - offset % 4
        words = (contents(o)[start : start + 4] for o in (a, b))
        left, right = ("0x" + word.tobytes()[::-1].hex() for word in words)
        return Witness("", a.name, None, offset, left, right)
    dtype, shape = known
    values = (contents(o).view(dtype).reshape(-1)[offset // dtype.itemsize] for o in (a, b))
    one, two = (float(v) if dtype.kind not in "iu" else int(v) for v in values)
    index = tuple(int(i) for i in np.unravel_index(offset // dtype.itemsize, shape))
    return Witness("", a.name, index, offset, one, two)


def _type(output: Output, types: Types) -> tuple[np.dtype[np.generic], tuple[int, ...]] | None:
    """By name; or the only known tensor of its size, since an Ascend C host program gives no names."""
    sized = {n: t for n, t in types.items() if t[0].itemsize * int(np.prod(t[1])) == output.bytes}
    if output.name in sized:
        return sized[output.name]
    return next(iter(sized.values())) if len(sized) == 1 else None
