"""The trace of a run: every operation that its cores issued, as the model replayed it.

:func:`gen.sim.run_program` writes one when it is given a file; :func:`read_trace` reads it. A trace can
be printed (:func:`text`), counted (:func:`counts`) and held against another one (:func:`diff`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from gen.sim.build import Program
from gen.sim.symbols import Frame, read_frames, symbolise

__all__ = [
    "Core",
    "Difference",
    "LaunchTrace",
    "Operation",
    "Touch",
    "Trace",
    "counts",
    "diff",
    "read_trace",
    "text",
]

DATA = frozenset({"instr", "scalar_read", "scalar_write", "vector_function"})
"""Kinds of operations that read or write memory; all others synchronise."""

Core = tuple[int, str]
"""Index of the block and name of the core in it: ``AIC``, ``AIV0`` or ``AIV1``."""


@dataclass(frozen=True, slots=True)
class Touch:
    """Bytes that an operation reads or writes: ``rows`` runs of ``row_bytes``, ``pitch`` bytes apart.

    ``space`` is ``GM``, ``UB``, ``L1`` …. On-chip memories belong to a ``unit`` of the block (a UB to
    its AIV, all others to the ``AIC``) and ``base`` is an offset in it. In GM ``tensor`` is the index
    among all tensors of the process, and ``base`` an offset in that tensor.
    """

    space: str
    unit: str
    tensor: int | None
    base: int
    rows: int
    row_bytes: int
    pitch: int
    write: bool
    atomic: bool
    junk: bool
    """Written, but with bytes that mean nothing (padding without a value, scratch)."""

    @property
    def end(self) -> int:
        """Behind the last byte."""
        return self.base + (self.rows - 1) * self.pitch + self.row_bytes


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a core.

    ``index`` is its place in the program of its core, synchronisation included; ``ordinal`` that
    among the operations of ``kind`` in :data:`DATA` only, so that a program keeps them when its
    synchronisation changes (-1 for synchronisation). ``site`` identifies the source position; see
    :meth:`Trace.frames`. ``start`` and ``end`` are modelled cycles; a ``pending`` operation never
    ran, because the block was in a deadlock.

    ``other`` is the other pipe of an event flag; ``id`` that of a flag or a mutex; ``mode`` that of
    a flag between cores. ``words`` are the words of global memory by which cores synchronise, as
    tensor and offset; ``id`` is then how many cores a SyncAll is for.
    """

    launch: int
    block: int
    core: str
    pipe: str
    index: int
    kind: str
    name: str
    site: int
    ordinal: int
    touches: tuple[Touch, ...] = ()
    other: str = ""
    id: int = 0
    mode: int = 0
    only_aiv: bool = False
    words: str = ""
    blocking: bool = True
    order_class: int = 0
    unit_flag: int = 0
    continues: bool = False
    skipped: bool = False
    pending: bool = False
    start: int = 0
    end: int = 0

    @property
    def is_data(self) -> bool:
        """Whether it reads or writes memory."""
        return self.kind in DATA


@dataclass(frozen=True, slots=True)
class LaunchTrace:
    """One launch; ``operations`` are in the order of the replay, block after block.

    ``tensors`` maps the index of a tensor to its name and its size in bytes.
    """

    kernel: str
    kind: str
    chip: str
    blocks: int
    tensors: Mapping[int, tuple[str, int]]
    operations: tuple[Operation, ...]

    def cores(self) -> Mapping[Core, Sequence[Operation]]:
        """The operations of each core, in the order of its program."""
        found: dict[Core, list[Operation]] = defaultdict(list)
        for op in self.operations:
            found[op.block, op.core].append(op)
        return {core: sorted(ops, key=lambda op: op.index) for core, ops in sorted(found.items())}


@dataclass(frozen=True, slots=True)
class Trace:
    """All launches of a run. ``sites`` maps a site to its call stack: addresses, innermost first.

    ``named`` are the frames of sites in a source that the program interprets.
    """

    launches: tuple[LaunchTrace, ...]
    sites: Mapping[int, tuple[int, ...]] = field(repr=False)
    named: Mapping[int, tuple[Frame, ...]] = field(default_factory=dict, repr=False)

    @property
    def operations(self) -> Iterator[Operation]:
        """Of all launches."""
        return (op for launch in self.launches for op in launch.operations)

    def frames(self, program: Program) -> Mapping[int, tuple[Frame, ...]]:
        """The call stack of each site in the sources of ``program``, innermost first."""
        addresses = [a for stack in self.sites.values() for a in stack]
        lookup = symbolise(program.executable, addresses, self.named)
        return {s: tuple(f for a in st for f in lookup.get(a, ())) for s, st in self.sites.items()}


def read_trace(path: Path) -> Trace:
    """Reads what a run has written to ``path``; no launch when it wrote nothing.

    Raises ValueError where the file is not a trace.
    """
    reader = _Reader()
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    reader.add(json.loads(line))
                except (ValueError, KeyError, TypeError, IndexError) as error:
                    raise ValueError(f"{path}:{number} is no line of a trace: {error!r}") from error
    return reader.trace()


class _Reader:
    def __init__(self) -> None:
        self._headers: list[Mapping[str, Any]] = []
        self._operations: list[list[Operation]] = []
        self._sites: dict[int, tuple[int, ...]] = {}
        self._named: dict[int, tuple[Frame, ...]] = {}
        self._touches: dict[tuple[Any, ...], Touch] = {}

    def add(self, line: Mapping[str, Any]) -> None:
        if "launch" in line:
            self._headers.append(line)
            self._operations.append([])
        elif "stack" in line:
            self._sites[line["site"]] = tuple(line["stack"])
            if "source" in line:
                self._named[line["stack"][0]] = read_frames(line["source"])
        else:
            self._operations[-1].append(self._operation(line))

    def _operation(self, line: Mapping[str, Any]) -> Operation:
        fields = dict(line)
        pending = fields.pop("state", "") == "pending"
        touches = tuple(self._touch(tuple(t)) for t in fields.pop("touches", ()))
        return Operation(
            launch=len(self._headers) - 1, touches=touches, pending=pending, ordinal=-1, **fields
        )

    def _touch(self, data: tuple[Any, ...]) -> Touch:
        """Loops repeat the same bytes: equal touches are one object."""
        known = self._touches.get(data)
        if known is None:
            space, unit, tensor, base, rows, row_bytes, pitch, how = data
            flags = ("w" in how, "a" in how, "j" in how)
            known = Touch(space, unit, tensor, base, rows, row_bytes, pitch, *flags)
            self._touches[data] = known
        return known

    def trace(self) -> Trace:
        launches = tuple(
            LaunchTrace(
                kernel=header["launch"],
                kind=header["kind"],
                chip=header["chip"],
                blocks=header["blocks"],
                tensors={t["index"]: (t["name"], t["bytes"]) for t in header["tensors"]},
                operations=_numbered(operations),
            )
            for header, operations in zip(self._headers, self._operations, strict=True)
        )
        return Trace(launches, self._sites, self._named)


def _numbered(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """With the ordinal of each data operation in the program of its core."""
    data: dict[Core, list[int]] = defaultdict(list)
    for op in operations:
        if op.is_data:
            data[op.block, op.core].append(op.index)
    ordinals = {core: {i: n for n, i in enumerate(sorted(found))} for core, found in data.items()}
    for op in operations:
        if op.is_data:
            # Frozen for its users; the reader is still making it.
            object.__setattr__(op, "ordinal", ordinals[op.block, op.core][op.index])
    return tuple(operations)


def counts(operations: Iterable[Operation]) -> Mapping[str, Mapping[str, int]]:
    """How often each operation ran, by pipe and name; synchronisation goes by its kind."""
    found: dict[str, dict[str, int]] = {}
    for op in operations:
        if op.pending or op.continues:
            continue
        row = found.setdefault(op.pipe, {})
        name = op.name or op.kind
        row[name] = row.get(name, 0) + 1
    return found


@dataclass(frozen=True, slots=True)
class Difference:
    """Operations of one core that stand in only one of two traces, in place of each other."""

    core: Core
    left: tuple[Operation, ...]
    right: tuple[Operation, ...]


def diff(left: LaunchTrace, right: LaunchTrace) -> list[Difference]:
    """What the programs of the cores do differently; where a line stands does not count."""
    one, two = left.cores(), right.cores()
    found: list[Difference] = []
    for core in sorted({*one, *two}):
        a, b = one.get(core, ()), two.get(core, ())
        matcher = SequenceMatcher(None, [_what(op) for op in a], [_what(op) for op in b], False)
        for tag, i, j, k, n in matcher.get_opcodes():
            if tag != "equal":
                found.append(Difference(core, tuple(a[i:j]), tuple(b[k:n])))
    return found


def _what(op: Operation) -> tuple[object, ...]:
    sync = (op.other, op.id, op.mode, op.only_aiv, op.blocking, op.words)
    return (op.pipe, op.kind, op.name, *sync, op.touches)


def text(op: Operation, tensors: Mapping[int, tuple[str, int]] | None = None) -> str:
    """One line: block, core, pipe, modelled cycles, operation, what it reads (<) and writes (>).

    GM is called by the names of ``tensors`` (:attr:`LaunchTrace.tensors`), where they are given.
    """
    when = "pending" if op.pending else f"{op.start}..{op.end}"
    words = [str(op.block), op.core, op.pipe, when, _word(op)]
    return " ".join([*words, *(_region(t, tensors or {}) for t in op.touches)])


def _word(op: Operation) -> str:
    match op.kind:
        case "set_flag":
            return f"SetFlag {op.pipe}→{op.other} id {op.id}"
        case "wait_flag":
            return f"WaitFlag {op.other}→{op.pipe} id {op.id}"
        case "pipe_barrier":
            return f"PipeBarrier {op.pipe}"
        case "barrier_all":
            return "PipeBarrier all"
        case "cross_set" | "cross_wait":
            return (
                f"{'CrossSet' if op.kind == 'cross_set' else 'CrossWait'} id {op.id} mode {op.mode}"
            )
        case "sync_all":
            if op.words:
                return f"SyncAll of {op.id} AIVs by {op.words}"
            return "SyncAll of the AIVs" if op.only_aiv else "SyncAll"
        case "word_signal" | "word_wait":
            return f"{op.name} {op.words}"
        case "mutex_lock" | "mutex_unlock":
            return f"{'Lock' if op.kind == 'mutex_lock' else 'Unlock'} mutex {op.id}"
        case _:
            return op.name


def _region(t: Touch, tensors: Mapping[int, tuple[str, int]]) -> str:
    name = t.space
    if t.tensor is not None:
        name = tensors[t.tensor][0] if t.tensor in tensors else f"GM {t.tensor}"
    rows = f" x{t.rows}/{t.pitch}" if t.rows != 1 else ""
    return f"{'>' if t.write else '<'}{name}[{t.base}+{t.row_bytes}{rows}]"
