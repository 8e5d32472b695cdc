"""A recorder of the kernel of kernels.py, which adds a number that it reads from each tile. Its argument says how it ends."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.environ["CROSSTREE_TEST_ROOT"])

from gen.sim.tape import Core, Global, TapeError
from gen.sim.tape_live import serve
from tests.tape.kernels import SOURCE, TILE, TILES, window

HOW = sys.argv[1]


def record(core: Core) -> None:
    if core.name == "aic":
        return

    def place(line: int) -> int:
        return core.place([("main", SOURCE, line)])

    part = core.block * 2 + (core.name == "aiv1")
    x = window(0)
    pad = (False, 0, 0, 0.0)
    for tile in range(TILES):
        at = (part * TILES + tile) * TILE
        core.call("DataCopyPad", place(1), x, Global(0, "float32", at), 1, 4 * TILE, 0, 0, 0, *pad)
        core.call("PipeBarrier", place(2), "PIPE_ALL")
        index = int(abs(core.value(core.read_scalar(place(3), x, 5)))) + 1
        end(HOW, core)
        amount = core.value(core.read_scalar(place(4), x, index))
        if HOW != "race":
            core.call("PipeBarrier", place(5), "PIPE_ALL")
        core.call("Adds", place(6), x, x, amount, TILE)
        if HOW != "race":
            core.call("PipeBarrier", place(7), "PIPE_ALL")
        core.call("DataCopyPad", place(8), Global(1, "float32", at), x, 1, 4 * TILE, 0, 0, 0)
        core.call("PipeBarrier", place(9), "PIPE_ALL")


def end(how: str, core: Core) -> None:
    if how == "refuses":
        raise TapeError("kernel.py:12: this cannot be recorded")
    if how == "raises":
        raise ValueError("not in the list")
    if how == "exits" and core.block == 1:
        os._exit(5)
    if how == "aborts" and core.block == 1:
        os.abort()
    if how == "unknown":
        core.call("Prelu", core.place([("main", SOURCE, 50)]))
    while how == "hangs":
        pass


if __name__ == "__main__":
    serve(record)
