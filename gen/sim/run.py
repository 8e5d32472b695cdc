"""Runs a program on the model and reads its report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gen.sim.build import Program
from gen.sim.cache import cache_root, scratch
from gen.sim.printed import in_core_order
from gen.sim.profile import Profile
from gen.sim.symbols import Frame, named_frames, symbolise

_VERSION = 1
_SAYS = "crosstree: tape: "
"""How the player of a tape (native/tape) begins the line on standard error that says why it gave up."""


@dataclass(frozen=True, slots=True)
class Place:
    """An instruction that a finding is about: the call as its source writes it, its pipe, where.

    ``frames`` is the call stack, innermost first; ``line`` is the innermost frame that lies in the
    program's own sources.
    """

    op: str
    pipe: str
    frames: tuple[Frame, ...]
    line: Frame | None


@dataclass(frozen=True, slots=True)
class Also:
    """A mistake that follows from the one it is listed with, and vanishes with it."""

    code: str
    edge: str
    count: int
    first: Place | None
    second: Place | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake. ``count`` tells how often it happened; ``core`` where it was seen first.

    ``message`` says what happens, ``remedy`` what to write, in words that no tree owns. ``fix`` is
    the remedy in fields (``kind`` and the pipes, cores and ids that it is about), from which the
    words of a tree are made; ``None`` where no fields could say it. ``also`` are consequences of
    the same mistake. ``behind`` is the last instruction that a missing edge has to wait for, where it
    is not ``first``: the set goes behind it.

    ``bytes`` is a half-open range of offsets in ``space`` (``UB``, ``GM``, …; GM counts from the
    start of the tensor that ``message`` names); ``None`` where no memory is involved.
    """

    code: str
    severity: str
    message: str
    space: str
    bytes: tuple[int, int] | None
    edge: str
    count: int
    core: str
    first: Place | None
    second: Place | None
    remedy: str = ""
    fix: Mapping[str, Any] | None = None
    also: tuple[Also, ...] = ()
    behind: Place | None = None

    @property
    def sentence(self) -> str:
        """What happens and what to write."""
        return f"{self.message}: {self.remedy}" if self.remedy else self.message


@dataclass(frozen=True, slots=True)
class Tensor:
    """One pointer argument of a kernel: what messages call it, its size, and how many of its bytes the kernel wrote."""

    index: int
    name: str
    bytes: int
    written_bytes: int


@dataclass(frozen=True, slots=True)
class UnwrittenStore:
    """A store of what may depend on never-written bytes: where it stands, and what it wrote.

    ``tensor`` is the :attr:`Output.index`; ``ranges`` are half-open ranges of offsets in it, bytes.
    """

    place: Place
    core: str
    tensor: int
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class UnwrittenRead:
    """A read of bytes that nobody had written, and the stores of what it may have yielded.

    It is a mistake only if other bytes there change what is stored. ``bytes`` spans the bytes that
    were missing (offsets in ``space``, or in ``tensor`` of global memory); ``written_later`` says
    that somebody did write to them, but afterwards. ``decides``: the scalar unit read them.
    """

    place: Place
    core: str
    space: str
    tensor: str
    bytes: tuple[int, int]
    count: int
    written_later: bool
    decides: bool
    stores: tuple[UnwrittenStore, ...]


@dataclass(frozen=True, slots=True)
class SyncSite:
    """A position that synchronises. ``key`` is its name for ``Profile.drop``.

    Sets and waits that belong together have one ``component``. ``count`` tells how often it was
    executed, ``taught`` how often a wait or barrier told its pipe something new; ``last``: it ends
    a core.
    """

    key: str
    component: str
    place: Place
    core: str
    edge: str
    id: int
    mode: int
    count: int
    taught: int
    last: bool


@dataclass(frozen=True, slots=True)
class Launch:
    """One kernel launch. ``cycles`` is modelled; ``counts`` is instructions per pipe and name.

    ``sync`` is listed only under ``Profile.deep``.
    """

    kernel: str
    kind: str
    blocks: int
    unsupported: str | None
    findings: tuple[Finding, ...]
    tensors: tuple[Tensor, ...]
    counts: Mapping[str, Mapping[str, int]]
    cycles: int
    reads_unwritten: tuple[UnwrittenRead, ...] = ()
    sync: tuple[SyncSite, ...] = ()
    unsupported_place: Place | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one core was."""

    core: str
    place: Place


@dataclass(frozen=True, slots=True)
class Output:
    """A tensor in global memory that a kernel wrote, as it was at the end (or when it was freed).

    ``index`` counts all tensors of the process in the order of their allocation; ``name`` is what
    messages call it. ``path`` holds its bytes. ``fetched``: the host program copied it back, or it
    is a file that was given for a result; the others may be workspaces. ``atomic``: kernels added
    to it atomically, in an order that nothing fixes; ``read``: a kernel read it, too.
    """

    index: int
    name: str
    bytes: int
    path: Path
    fetched: bool
    atomic: bool
    read: bool


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one execution.

    ``crashed`` says why there is no verdict (crash, time limit, missing or broken report, exit
    code); ``unsupported`` what the model lacks. Only a run with neither may be called clean.
    """

    launches: tuple[Launch, ...]
    unsupported: str | None
    crashed: str | None
    crash_place: Place | None
    exit_code: int
    stdout: str
    stderr: str
    report: Mapping[str, Any] = field(default_factory=dict, repr=False)
    outputs: tuple[Output, ...] = ()
    """What kernels stored, where the run was asked to keep it."""
    stood: tuple[Standing, ...] = ()
    """Where the cores were that ran when the time was over."""

    @property
    def unsupported_place(self) -> Place | None:
        """Where a core needed what the model lacks."""
        return next((x.unsupported_place for x in self.launches if x.unsupported), None)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all launches, errors and notes."""
        return tuple(f for launch in self.launches for f in launch.findings)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are mistakes, and not only remarks."""
        return tuple(f for f in self.findings if f.severity == "error")

    @property
    def reads_unwritten(self) -> tuple[UnwrittenRead, ...]:
        """Of all launches."""
        return tuple(r for launch in self.launches for r in launch.reads_unwritten)

    @property
    def clean(self) -> bool:
        """True when everything ran, everything was understood, and nothing is wrong."""
        return not (self.crashed or self.unsupported or self.errors or not self.launches)

    @property
    def last_words(self) -> str:
        """Why there is no verdict, with the last line that the program printed to stderr."""
        lines = self.stderr.strip().splitlines()
        return f"{self.crashed}: {lines[-1]}" if lines else str(self.crashed)

    @property
    def cycles(self) -> int:
        """Modelled cycles of all launches."""
        return sum(launch.cycles for launch in self.launches)

    @property
    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """Instructions of all launches, per pipe and name."""
        total: dict[str, dict[str, int]] = {}
        for launch in self.launches:
            for pipe, names in launch.counts.items():
                row = total.setdefault(pipe, {})
                for name, count in names.items():
                    row[name] = row.get(name, 0) + count
        return total

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Of the last launch."""
        return self.launches[-1].tensors if self.launches else ()


def run_program(
    program: Program,
    *,
    argv: Sequence[str] = (),
    cwd: Path | None = None,
    profile: Profile,
    timeout: float,
    trace: Path | None = None,
    outputs: Path | None = None,
) -> Run:
    """Executes ``program`` and returns its verdict; never raises for what the program does.

    ``timeout`` is in seconds. ``trace`` receives every operation of every core
    (:func:`gen.sim.trace.read_trace`). ``outputs`` (a folder, made when it is missing)
    receives every tensor in global memory that a kernel wrote; see :attr:`Run.outputs`.
    """
    with scratch(cache_root() / "runs") as place:
        report = place / "report.json"
        environment = dict(os.environ)
        environment["AICORE_REPORT"] = str(report)
        environment["AICORE_PROFILE"] = profile.environment()
        environment.pop("AICORE_TRACE", None)
        if trace is not None:
            trace.unlink(missing_ok=True)
            environment["AICORE_TRACE"] = str(trace)
        environment.pop("AICORE_OUTPUTS", None)
        if outputs is not None:
            outputs.mkdir(parents=True, exist_ok=True)
            environment["AICORE_OUTPUTS"] = str(outputs.resolve())
        known = environment.get("LD_LIBRARY_PATH")
        own = str(program.engine.parent)
        environment["LD_LIBRARY_PATH"] = f"{own}:{known}" if known else own
        command = [str(program.executable), *program.arguments, *argv]
        code, out, err = _execute(command, cwd, environment, timeout)
        text = report.read_bytes() if report.exists() else None
    done = _judge(program, _Ended(code, in_core_order(out), err, text), timeout)
    return done if outputs is None else replace(done, outputs=_outputs(done, outputs))


def _outputs(run: Run, folder: Path) -> tuple[Output, ...]:
    """What the report says was kept in ``folder``."""
    kept = run.report.get("outputs", ())
    return tuple(
        Output(
            o["index"],
            o["name"],
            o["bytes"],
            folder / o["file"],
            o["fetched"],
            o["atomic"],
            o["read"],
        )
        for o in kept
    )


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a process ended: exit code (``None``: the time was over), output, report (if it left one)."""

    code: int | None
    out: str
    err: str
    report: bytes | None


LAST_WORDS_SECONDS = 3.0
"""What a program has to say where its cores stand, once its time is over."""


def _execute(
    command: Sequence[str], cwd: Path | None, environment: Mapping[str, str], timeout: float
) -> tuple[int | None, str, str]:
    """Exit code (``None``: the time was over) and output."""
    pipe = subprocess.PIPE
    try:
        with subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            encoding="utf-8",
            errors="replace",
        ) as process:
            try:
                return _ended(process, timeout)
            except BaseException:
                process.kill()
                raise
    except OSError as error:
        return 127, "", str(error)


def _ended(process: subprocess.Popen[str], timeout: float) -> tuple[int | None, str, str]:
    try:
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGXCPU)
    try:
        return None, *process.communicate(timeout=LAST_WORDS_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return None, *process.communicate()


def _judge(program: Program, ended: _Ended, timeout: float) -> Run:
    code, out, err, text = ended.code, ended.out, ended.err, ended.report

    def failed(
        why: str, place: Place | None = None, report: Mapping[str, Any] | None = None
    ) -> Run:
        final = -1 if code is None else code
        return Run((), None, why, place, final, out, err, report or {})

    if code is None:
        overtime = failed(
            f"it did not end within {timeout:g} s: a loop of its own that never ends, or a problem that is large for the "
            "model; `gen explain timeout` tells what to do"
        )
        return replace(overtime, stood=_stood(program, text))
    if text is None:
        said = _last_word(err)
        if code and said:
            return failed(said)
        why = "" if code else ": no launch was complete when it ended"
        return failed(f"it left no report{why} ({_exit_word(code)})")
    try:
        report = json.loads(text)
        if report["version"] != _VERSION:
            return failed(f"its report has version {report['version']}, not {_VERSION}")
        if report.get("crashed"):
            reason, place = _crash(program, report["crashed"])
            return failed(reason, place, report)
        launches = _launches(program, report)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        return failed(f"its report is broken ({error or type(error).__name__})")
    unsupported = report.get("unsupported") or next(
        (x.unsupported for x in launches if x.unsupported), None
    )
    crashed = None
    if not unsupported:
        if code != 0:
            crashed = f"the program failed ({_exit_word(code)})"
        elif not launches:
            crashed = "it launched no kernel"
    return Run(launches, unsupported, crashed, None, code, out, err, report)


def _last_word(err: str) -> str:
    """Why the player of a tape gave up; empty for everything else."""
    lines = (line for line in reversed(err.splitlines()) if line.startswith(_SAYS))
    return next(lines, "").removeprefix(_SAYS)


def _exit_word(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _crash(program: Program, crash: Mapping[str, Any]) -> tuple[str, Place]:
    lookup = symbolise(program.executable, crash["stack"])
    frames = tuple(f for a in crash["stack"] for f in lookup.get(a, ()))
    where = f" in {crash['core']}" if crash.get("core") else ""
    what = "its stack overflowed" if crash.get("stack_overflow") else crash["signal"]
    kernel = f" of {crash['kernel']}" if crash.get("kernel") else ""
    return f"the program crashed ({what}){where}{kernel}", _place(program, "", "S", frames)


def _stood(program: Program, report: bytes | None) -> tuple[Standing, ...]:
    """Where the cores were, in their order; nothing where the program did not come to say it."""
    try:
        content = json.loads(report or b"{}")
    except ValueError:
        return ()
    found = content.get("overtime", ())
    named = named_frames(content.get("sources", {}))
    lookup = symbolise(program.executable, [a for x in found for a in x["stack"]], named)
    stood = [
        Standing(
            x["core"], _place(program, "", "S", tuple(f for a in x["stack"] for f in lookup[a]))
        )
        for x in found
    ]
    return tuple(sorted(stood, key=lambda s: _order_of(s.core)))


def _order_of(core: str) -> tuple[int, str]:
    unit, _, block = core.partition(" of block ")
    return int(block), unit


def _launches(program: Program, report: Mapping[str, Any]) -> tuple[Launch, ...]:
    items = report["launches"]
    found = [f for item in items for f in item["findings"]]
    found += [also for f in found for also in f["also"]]
    names = ("first", "second", "behind")
    places = [f[k] for f in found for k in names if f.get(k)]
    reads = [r for item in items for r in item["reads_unwritten"]]
    places += [x["place"] for r in reads for x in (r, *r["stores"])]
    places += [s for item in items for s in item["sync"]]
    places += [item["unsupported_at"] for item in items if item["unsupported_at"]]
    named = named_frames(report.get("sources", {}))
    lookup = symbolise(program.executable, [a for p in places for a in p["stack"]], named)
    return tuple(_launch(program, item, lookup) for item in items)


def _launch(
    program: Program, item: Mapping[str, Any], lookup: Mapping[int, tuple[Frame, ...]]
) -> Launch:
    def place(data: Mapping[str, Any] | None) -> Place | None:
        if data is None:
            return None
        frames = tuple(f for a in data["stack"] for f in lookup.get(a, ()))
        return _place(program, data["op"], data["pipe"], frames)

    def also(data: Mapping[str, Any]) -> Also:
        first, second = place(data["first"]), place(data["second"])
        return Also(data["code"], data["edge"], data["count"], first, second)

    def finding(data: Mapping[str, Any]) -> Finding:
        lo, hi = data["bytes"]
        return Finding(
            code=data["code"],
            severity=data["severity"],
            message=data["message"],
            space=data["space"],
            bytes=(lo, hi) if data["space"] else None,
            edge=data["edge"],
            count=data["count"],
            core=data["core"],
            first=place(data["first"]),
            second=place(data["second"]),
            remedy=data["remedy"],
            fix=data["fix"],
            also=tuple(also(x) for x in data["also"]),
            behind=place(data["behind"]),
        )

    def store(data: Mapping[str, Any]) -> UnwrittenStore:
        ranges = tuple((lo, hi) for lo, hi in data["ranges"])
        return UnwrittenStore(_known(place(data["place"])), data["core"], data["tensor"], ranges)

    def read(data: Mapping[str, Any]) -> UnwrittenRead:
        lo, hi = data["bytes"]
        return UnwrittenRead(
            place=_known(place(data["place"])),
            core=data["core"],
            space=data["space"],
            tensor=data["tensor"],
            bytes=(lo, hi),
            count=data["count"],
            written_later=data["written_later"],
            decides=data["decides"],
            stores=tuple(store(s) for s in data["stores"]),
        )

    def sync(data: Mapping[str, Any]) -> SyncSite:
        names = ("key", "component", "core", "edge", "id", "mode", "count", "taught", "last")
        return SyncSite(place=_known(place(data)), **{name: data[name] for name in names})

    synchronisation = tuple(sync(s) for s in item["sync"])
    found = (finding(f) for f in item["findings"])
    return Launch(
        kernel=item["kernel"],
        kind=item["kind"],
        blocks=item["blocks"],
        unsupported=item["unsupported"],
        findings=_after_free(f for f in found if not _needed(f, synchronisation)),
        tensors=tuple(Tensor(**t) for t in item["tensors"]),
        counts=item["counts"],
        cycles=item["cycles"],
        reads_unwritten=tuple(read(r) for r in item["reads_unwritten"]),
        sync=synchronisation,
        unsupported_place=place(item["unsupported_at"]),
    )


def _after_free(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """A buffer that is used after it was given back is also overwritten while it is used: one mistake."""
    left = list(findings)
    for used in [f for f in left if f.code == "queue-free" and f.second]:
        races = [f for f in left if f.code.startswith("race-") and _meets(f, used)]
        also = tuple(Also(f.code, f.edge, f.count, f.first, f.second) for f in races)
        left = [replace(f, also=f.also + also) if f is used else f for f in left if f not in races]
    return tuple(left)


def _meets(race: Finding, used: Finding) -> bool:
    use = used.second.line if used.second else None
    return use is not None and any(p and p.line == use for p in (race.first, race.second))


_CALLS = "sync.h"
"""The header of a face with the calls that synchronise: what calls them is what is asked for."""


def _needed(finding: Finding, sync: Sequence[SyncSite]) -> bool:
    """Whether a remark on superfluous synchronisation is about a queue, or about one of several copies of a line.

    A compiler may unroll a loop, so that the last round has a place of its own.
    """
    if finding.code != "sync-redundant":
        return False
    asked = finding.second or finding.first
    line = asked.line if asked else None
    used = any(s.taught and s.place.line == line for s in sync)
    return used or not written_here(finding.first)


def written_here(place: Place | None) -> bool:
    """Whether the call stands in the program's own source, and not in a queue or a template that it uses."""
    if place is None:
        return False
    frames = [f for f in place.frames if f.file.name != _CALLS]
    return bool(frames) and frames[0] == place.line


def _known(place: Place | None) -> Place:
    if place is None:
        raise ValueError("a place is missing")
    return place


def _place(program: Program, op: str, pipe: str, frames: tuple[Frame, ...]) -> Place:
    own = {str(s) for s in program.sources}
    line = next((f for f in frames if str(f.file) in own or str(f.file.resolve()) in own), None)
    return Place(op, pipe, frames, line)
