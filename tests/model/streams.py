"""Small streams of operations: how they are written down, made at random, and run on the engine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gen.sim import Launch, Profile, Program, build_program, run_program
from gen.sim.trace import Trace, read_trace

HERE = Path(__file__).parent
CELL = 64
"""Bytes that one cell of a memory has."""


@dataclass(frozen=True)
class Op:
    """One operation of a core.

    `kind`: work (an instruction), get and put (the scalar unit reads or writes UB), set, wait, barrier, all (a barrier
    of all pipes), xset and xwait (flags between cores), sync (SyncAll), lock and unlock. `pipe` is the queue that it
    waits in. `cells` are (memory, first cell, cells, written?).
    """

    kind: str
    pipe: str
    other: str = ""
    id: int = 0
    mode: int = 0
    order_class: int = 0
    cells: tuple[tuple[str, int, int, bool], ...] = ()

    @property
    def is_data(self) -> bool:
        return self.kind in ("work", "get", "put")

    def __str__(self) -> str:
        match self.kind:
            case "work":
                cells = (f"{s},{c},{n},{'w' if w else 'r'}" for s, c, n, w in self.cells)
                return ":".join(["work", self.pipe, str(self.order_class), *cells])
            case "get" | "put":
                return f"{self.kind}:{self.cells[0][1]}"
            case "set":
                return f"set:{self.pipe}:{self.other}:{self.id}"
            case "wait":
                return f"wait:{self.other}:{self.pipe}:{self.id}"
            case "barrier":
                return f"barrier:{self.pipe}"
            case "xset" | "xwait":
                # On dav-2201 a wait stops the whole core, whatever pipe is asked for.
                pipe = self.other or self.pipe
                return f"{self.kind}:{self.mode}:{pipe}:{self.id}"
            case "lock" | "unlock":
                return f"{self.kind}:{self.pipe}:{self.id}"
            case _:
                return self.kind


Core = tuple[int, int]
"""Block, and 0 for the AIC or 1 for AIV0."""
UNITS = ("AIC", "AIV0")


@dataclass(frozen=True)
class Stream:
    """What each core of a kernel issues."""

    kind: str
    blocks: int
    cores: tuple[tuple[Core, tuple[Op, ...]], ...]

    def __str__(self) -> str:
        words = [self.kind, str(self.blocks)]
        for (block, unit), ops in self.cores:
            words += [f"@{block}.{unit}", *map(str, ops)]
        return " ".join(words)


@cache
def _program() -> Program:
    return build_program(
        [HERE / "kernels" / "streams.cpp"],
        face="core",
        chip="2201",
        includes=[HERE.parent / "sim" / "kernels"],
    )


def run(
    streams: Sequence[Stream | str], profile: Profile, folder: Path
) -> tuple[Sequence[Launch], Trace]:
    """Runs all streams in one process; a launch and a traced launch for each."""
    listing, trace = folder / "streams", folder / "trace"
    listing.write_text("".join(f"{s}\n" for s in streams))
    done = run_program(_program(), argv=[str(listing)], profile=profile, timeout=300, trace=trace)
    assert done.crashed is None, (done.crashed, done.stderr)
    assert done.unsupported is None, done.unsupported
    assert len(done.launches) == len(streams)
    return done.launches, read_trace(trace)


def outputs(streams: Sequence[Stream], profile: Profile, folder: Path) -> list[bytes]:
    """What each stream leaves in global memory."""
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "streams"
    listing.write_text("".join(f"{s}\n" for s in streams))
    done = run_program(
        _program(), argv=[str(listing)], profile=profile, timeout=300, outputs=folder / "kept"
    )
    assert done.crashed is None, (done.crashed, done.stderr)
    kept = {o.index: o.path.read_bytes() for o in done.outputs}
    return [kept.get(i, b"") for i in range(len(streams))]


# ---- at random -------------------------------------------------------------------------------------------------------

MEMORIES = {
    "V": ("UB",),
    "MTE2": ("UB", "GM"),
    "MTE3": ("UB", "GM"),
}
CUBE_MEMORIES = {
    "M": ("L0C",),
    "MTE1": ("L1",),
    "MTE2": ("L1", "GM"),
    "FIX": ("L0C", "GM"),
}
VECTOR_PAIRS = [(a, b) for a in ("V", "MTE2", "MTE3") for b in ("V", "MTE2", "MTE3") if a != b]
CUBE_PAIRS = [
    ("MTE2", "MTE1"),
    ("MTE1", "MTE2"),
    ("M", "FIX"),
    ("FIX", "M"),
    ("MTE1", "M"),
    ("M", "MTE1"),
]


class Maker:
    """Draws streams. Flags are mostly balanced, so that not every stream is in a deadlock."""

    def __init__(self, seed: int, chip: str) -> None:
        self.random = random.Random(seed)
        self._chip = chip

    def work(self, pipes: Sequence[str]) -> Op:
        pipe = self.random.choice(pipes)
        memories = CUBE_MEMORIES if "M" in pipes else MEMORIES
        # Two cells of each memory: most instructions meet.
        places = [
            (
                self.random.choice(memories[pipe]),
                self.random.randrange(2),
                1 + (self.random.random() < 0.2),
            )
            for _ in range(self.random.choice((1, 1, 2)))
        ]
        cells = tuple((s, c, n, self.random.random() < 0.5) for s, c, n in places)
        # An instruction that writes and reads the same bytes is judged like any other.
        return Op("work", pipe, order_class=int(self.random.random() < 0.3), cells=cells)

    def scalar(self) -> Op:
        write = self.random.random() < 0.5
        return Op(
            "put" if write else "get", "S", cells=(("UB", self.random.randrange(2), 1, write),)
        )

    def one_core(self, unit: int, size: int, scalars: bool) -> list[Op]:
        """Instructions, flags and barriers of one core."""
        pipes = ("V", "MTE2", "MTE3") if unit else ("M", "MTE1", "MTE2", "FIX")
        pairs = VECTOR_PAIRS if unit else CUBE_PAIRS
        ops: list[Op] = [self.work(pipes) for _ in range(self.random.randint(2, 4))]
        while len(ops) < size:
            roll = self.random.random()
            if roll < 0.55:
                self._flag(ops, self.random.choice(pairs))
            elif roll < 0.65:
                barriers = [
                    p for p in pipes if not (p == "V" and self._chip == "3510") and p != "FIX"
                ]
                self._insert(ops, Op("barrier", self.random.choice(barriers)))
            elif roll < 0.7:
                self._insert(ops, Op("all", "S"))
            elif scalars and unit and roll < 0.85:
                self._insert(ops, self.scalar())
            else:
                self._insert(ops, self.work(pipes))
        return ops

    def _insert(self, ops: list[Op], op: Op, after: int = -1) -> int:
        at = self.random.randint(after + 1, len(ops))
        ops.insert(at, op)
        return at

    def _flag(self, ops: list[Op], pair: tuple[str, str]) -> None:
        first, second = pair
        id = self.random.randrange(2)
        set_, wait = Op("set", first, second, id), Op("wait", second, first, id)
        roll = self.random.random()
        if roll < 0.85:
            self._insert(ops, wait, self._insert(ops, set_))
        elif roll < 0.93:
            self._insert(ops, set_, self._insert(ops, wait))
        else:
            self._insert(ops, set_ if self.random.random() < 0.3 else wait)

    def vector(self) -> Stream:
        scalars = self.random.random() < 0.4
        ops = self.one_core(1, self.random.randint(4, 10), scalars)
        return Stream("vector", 1, (((0, 1), tuple(ops)),))

    def cube(self) -> Stream:
        ops = self.one_core(0, self.random.randint(4, 10), False)
        return Stream("cube", 1, (((0, 0), tuple(ops)),))

    def two_cores(self) -> Stream:
        """AIC and one AIV that share global memory, with flags between them."""
        aic = [self._shared("FIX") for _ in range(self.random.randint(1, 2))]
        aiv = [
            self._shared(self.random.choice(("MTE2", "MTE3")))
            for _ in range(self.random.randint(1, 2))
        ]
        modes = (2, 4) if self._chip == "3510" else (2,)
        for _ in range(self.random.randint(1, 3)):
            mode, id = self.random.choice(modes), self.random.randrange(2)
            setter, taker = (aic, aiv) if self.random.random() < 0.5 else (aiv, aic)
            pipe = self.random.choice(("FIX", "MTE2") if setter is aic else ("MTE2", "MTE3"))
            wanted = self.random.choice(("FIX", "MTE2") if taker is aic else ("MTE2", "MTE3"))
            stopped = wanted if self._chip == "3510" else "S"
            if self.random.random() < 0.95:
                self._insert(setter, Op("xset", pipe, mode=mode, id=id))
            if self.random.random() < 0.95:
                self._insert(taker, Op("xwait", stopped, wanted, id, mode))
        if self.random.random() < 0.4:
            self._flag(aiv, self.random.choice((("MTE2", "MTE3"), ("MTE3", "MTE2"))))
        return Stream("mix_1_1", 1, (((0, 0), tuple(aic)), ((0, 1), tuple(aiv))))

    def _shared(self, pipe: str) -> Op:
        return Op(
            "work", pipe, cells=(("GM", self.random.randrange(2), 1, self.random.random() < 0.5),)
        )

    def two_blocks(self) -> Stream:
        """Two AIVs of different blocks that share global memory, with SyncAll."""
        cores = []
        syncs = self.random.randint(0, 2)
        for block in range(2):
            ops = [
                self._shared(self.random.choice(("MTE2", "MTE3")))
                for _ in range(self.random.randint(1, 3))
            ]
            for _ in range(syncs - (self.random.random() < 0.05)):
                self._insert(ops, Op("sync", "S"))
            if self.random.random() < 0.4:
                self._flag(ops, self.random.choice((("MTE2", "MTE3"), ("MTE3", "MTE2"))))
            cores.append(((block, 1), tuple(ops)))
        return Stream("vector", 2, tuple(cores))

    def mutexes(self) -> Stream:
        """Instructions of one core in locked sections (dav-3510)."""
        ops: list[Op] = []
        for _ in range(self.random.randint(2, 3)):
            work = self.work(("V", "MTE2", "MTE3"))
            section = [work]
            for id in range(self.random.choice((1, 1, 2))):
                section = [Op("lock", work.pipe, id=id), *section, Op("unlock", work.pipe, id=id)]
            ops += section
        if self.random.random() < 0.3:
            self._insert(ops, self.work(("V", "MTE2", "MTE3")))
        return Stream("vector", 1, (((0, 1), tuple(ops)),))
