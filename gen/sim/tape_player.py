"""The player: one program that runs any tape on the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gen.sim.build import NATIVE, Program, build_program

_SOURCES = tuple(sorted((NATIVE / "tape").glob("*.cpp")))


def player(tape: Path, *, sources: Sequence[Path] = (), chip: str = "2201") -> Program:
    """The program that plays ``tape``, which takes the tensors of the tape as arguments.

    ``sources`` are the files that its findings may name. It is compiled at the first call for a
    chip; raises BuildError where that fails.
    """
    built = build_program(_SOURCES, face="ascendc", chip=chip)
    named = tuple(source.resolve() for source in sources)
    return replace(built, sources=named, arguments=(str(tape.resolve()),))
