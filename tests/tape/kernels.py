"""A kernel that adds a number to a tensor, tile by tile, with two buffers and flags, as a tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gen.sim import Profile, Program, Run, run_program
from gen.sim.tape import Argument, Core, Global, Local, TapeTensor, TapeWriter
from gen.sim.tape_player import player

SOURCE = Path("/kernels/add.py")
"""Where the kernel is said to stand."""
BLOCKS, TILES, TILE = 3, 4, 256
SIZE = BLOCKS * 2 * TILES * TILE
LINES = {
    "prime": 10,
    "free": 20,
    "load": 21,
    "loaded": 22,
    "arrived": 23,
    "stored": 24,
    "add": 25,
    "release": 26,
    "added": 27,
    "ready": 28,
    "store": 29,
    "written": 30,
    "drain": 40,
}

Array = NDArray[np.float32]
Record = Callable[[Core], None]


def record(
    core: Core,
    leave_out: Sequence[str] = (),
    extra: Mapping[str, tuple[str, Argument]] | None = None,
) -> None:
    """The calls of a core; ``leave_out`` names steps of :data:`LINES` that it lacks.

    ``extra`` are calls that stand behind a step, on its line.
    """
    if core.name == "aic":
        return

    def call(step: str, name: str, *arguments: Argument) -> None:
        place = core.place([("add", SOURCE, LINES[step]), ("main", SOURCE, 90)])
        if step not in leave_out:
            core.call(name, place, *arguments)
        if extra and step in extra:
            more, argument = extra[step]
            core.call(more, place, argument)

    part = core.block * 2 + (core.name == "aiv1")
    for slot in (1, 2):
        call("prime", "SetFlag", "V_MTE2", slot)
        call("prime", "SetFlag", "MTE3_V", slot)
    for tile in range(TILES):
        slot = tile % 2
        x, y = (window(4 * TILE * (slot + 2 * of)) for of in range(2))
        at = (part * TILES + tile) * TILE
        call("free", "WaitFlag", "V_MTE2", slot + 1)
        pad = (False, 0, 0, 0.0)
        call("load", "DataCopyPad", x, Global(0, "float32", at), 1, 4 * TILE, 0, 0, 0, *pad)
        call("loaded", "SetFlag", "MTE2_V", slot + 1)
        call("arrived", "WaitFlag", "MTE2_V", slot + 1)
        call("stored", "WaitFlag", "MTE3_V", slot + 1)
        call("add", "Adds", y, x, 1.5, TILE)
        call("release", "SetFlag", "V_MTE2", slot + 1)
        call("added", "SetFlag", "V_MTE3", slot + 1)
        call("ready", "WaitFlag", "V_MTE3", slot + 1)
        call("store", "DataCopyPad", Global(1, "float32", at), y, 1, 4 * TILE, 0, 0, 0)
        call("written", "SetFlag", "MTE3_V", slot + 1)
    for slot in (1, 2):
        call("drain", "WaitFlag", "V_MTE2", slot)
        call("drain", "WaitFlag", "MTE3_V", slot)


def window(address: int) -> Local:
    return Local("VECCALC", "float32", address, TILE, address, address + 4 * TILE)


def writer(command: Sequence[str] = ()) -> TapeWriter:
    tensors = [
        TapeTensor("X", "float32", "in", 4 * SIZE),
        TapeTensor("Z", "float32", "out", 4 * SIZE),
    ]
    return TapeWriter(
        kernel="main_kernel", kind="mix_1_2", blocks=BLOCKS, tensors=tensors, command=command
    )


def write(file: Path, recorder: Record = record) -> Program:
    """The program of a tape of which ``recorder`` makes every core."""
    tape = writer()
    for block in range(BLOCKS):
        for name in ("aic", "aiv0", "aiv1"):
            recorder(tape.core(block, name))
    tape.write(file)
    return player(file, sources=[SOURCE])


def values() -> Array:
    return np.random.default_rng(5).standard_normal(SIZE).astype(np.float32)


def run(
    program: Program,
    folder: Path,
    *,
    trace: Path | None = None,
    timeout: float = 60,
    profile: Profile | None = None,
) -> tuple[Run, Array]:
    """Runs the kernel on :func:`values`; the verdict, and what it stored."""
    values().tofile(folder / "X")
    (folder / "Z").unlink(missing_ok=True)
    argv = [f"X:in:{4 * SIZE}:{folder / 'X'}", f"Z:out:{4 * SIZE}:{folder / 'Z'}"]
    done = run_program(
        program,
        argv=argv,
        profile=profile or Profile(),
        timeout=timeout,
        trace=trace,
    )
    stored = folder / "Z"
    return done, np.fromfile(stored, np.float32) if stored.exists() else np.zeros(0, np.float32)
