"""Running a program that reads and writes files of its own choosing."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from gen.check.foreign.options import OutputData
from gen.check.formats import Array
from gen.check.rerun import results
from gen.sim import Profile, Program, Run, run_program


def run(
    program: Program,
    files: Mapping[str, Array],
    profile: Profile,
    timeout: float,
    kept: Path | None = None,
) -> tuple[tuple[OutputData, ...], Run]:
    """Runs the host program once in a folder of its own that holds `files` (by relative path) and `output/`.

    The outputs are the files that it left there or, when it left none, what its kernels stored. `kept` as in
    `gen.sim.run_program`.
    """
    with (
        tempfile.TemporaryDirectory(prefix="crosstree-") as name,
        tempfile.TemporaryDirectory(prefix="crosstree-") as scratch,
    ):
        folder = Path(name)
        (folder / "output").mkdir()
        for path, array in files.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            np.ascontiguousarray(array).tofile(place)
        before = set(_files(folder))
        stored = kept or Path(scratch)
        done = run_program(program, cwd=folder, profile=profile, timeout=timeout, outputs=stored)
        left = [
            (str(file.relative_to(folder)), file) for file in _files(folder) if file not in before
        ]
        left = left or [(output.name, output.path) for output in results(done.outputs)]
        return tuple(_output(name, file) for name, file in left), done


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())


def _output(name: str, file: Path) -> OutputData:
    values = np.fromfile(file, np.uint8)
    digest = hashlib.sha256(values.tobytes()).hexdigest()
    return OutputData(name, "", (values.size,), digest, values)
