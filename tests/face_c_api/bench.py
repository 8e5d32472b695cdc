"""A bench for the C API face: kernels lowered by the real compiler, or written here, run on the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from gen.compile.m_tree import Lowered, Request, Session, TensorType, installed, lower
from gen.compile.m_tree.device_source import program as with_main
from gen.sim import Profile, Program, Run, build_program, run_program

KERNELS = Path(__file__).with_name("kernels")
DTYPES = {
    "float32": np.dtype(np.float32),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
}
FLOAT8 = np.dtype(ml_dtypes.float8_e4m3fn)
PROFILE = Profile(chip="3510")

Array = np.ndarray[Any, Any]
Outputs = Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]]


def half_ulp(exact: Array, dtype: np.dtype[Any]) -> Array:
    """Half a unit of the last place of `dtype` at each value; of the smallest normal number below it."""
    info = ml_dtypes.finfo(dtype)
    size = np.maximum(np.abs(exact), float(info.smallest_normal))
    return np.exp2(np.floor(np.log2(size)) - info.nmant - 1)


def report(run: Run) -> str:
    """Everything that a run says about itself, for the message of a failing test."""
    lines = [f"crashed: {run.crashed}", f"unsupported: {run.unsupported}"]
    for f in run.findings:
        places = [p.line and f"line {p.line.line}" for p in (f.first, f.second) if p]
        lines.append(f"{f.code} ({f.severity}, {f.edge}, {f.core}) at {places}: {f.message}")
    return "\n".join([*lines, run.stderr[-2000:]])


class Bench:
    """Lowers, builds and runs. Tensors go by name; a kernel's outputs are given as (dtype, shape), and what it updates
    as arrays in `inout`. Results come back by name."""

    def __init__(self, session: Session, folder: Path) -> None:
        self._session = session
        self._folder = folder

    def lower(
        self, file: str, function: str, inputs: Mapping[str, Array], **constants: Any
    ) -> Lowered:
        path = KERNELS / f"{file}.py"
        text = path.read_text(encoding="utf-8")
        return self.lower_text(text, inputs, path=path, function=function, **constants)

    def lower_text(
        self,
        text: str,
        inputs: Mapping[str, Array],
        *,
        path: Path | None = None,
        function: str | None = None,
        pass_configs: Mapping[str, Any] | None = None,
        **constants: Any,
    ) -> Lowered:
        types = tuple(TensorType(n, a.shape, str(a.dtype)) for n, a in inputs.items())
        place = str(path or self._folder / "kernel.py")
        request = Request(place, text, types, function, constants, pass_configs or {})
        return lower(request, session=self._session)

    def build(self, text: str, *, includes: tuple[Path, ...] = ()) -> Program:
        """A device source with a `main`."""
        source = self._folder / "kernel.cpp"
        source.write_text(text, encoding="utf-8")
        return build_program(
            [source], face="c_api", chip="ascend950", includes=[*includes, installed.headers()]
        )

    def execute(
        self,
        program: Program,
        inputs: Mapping[str, Array],
        outputs: Outputs,
        inout: Mapping[str, Array] | None = None,
    ) -> tuple[dict[str, Array], Run]:
        argv: list[str] = []
        kinds: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = dict(outputs)

        def add(name: str, mode: str, array: Array | None, size: int) -> None:
            file = self._folder / f"{name}.bin"
            if array is not None:
                np.ascontiguousarray(array).tofile(file)
            argv.append(f"{name}:{mode}:{size}:{file}")

        for name, array in inputs.items():
            add(name, "in", array, array.nbytes)
        for name, array in (inout or {}).items():
            add(name, "inout", array, array.nbytes)
            kinds[name] = (array.dtype, array.shape)
        for name, (dtype, shape) in outputs.items():
            add(name, "out", None, dtype.itemsize * prod(shape))
        run = run_program(program, argv=argv, profile=PROFILE, timeout=120.0)
        found = {
            name: np.fromfile(self._folder / f"{name}.bin", dtype).reshape(shape)
            for name, (dtype, shape) in kinds.items()
            if run.crashed is None
        }
        return found, run

    def run_source(
        self,
        lowered: Lowered,
        source: str,
        inputs: Mapping[str, Array],
        outputs: Outputs,
        inout: Mapping[str, Array] | None = None,
    ) -> tuple[dict[str, Array], Run]:
        """`lowered` with another source: the compiler's, changed."""
        program = self.build(with_main(replace(lowered, source=source)))
        return self.execute(program, inputs, outputs, inout)

    def run_text(
        self, text: str, inputs: Mapping[str, Array], outputs: Outputs
    ) -> tuple[dict[str, Array], Run]:
        """A kernel that is written in the test."""
        lowered = self.lower_text(text, inputs)
        return self.run_source(lowered, lowered.source, inputs, outputs)

    def clean(
        self,
        file: str,
        function: str,
        inputs: Mapping[str, Array],
        outputs: Outputs,
        inout: Mapping[str, Array] | None = None,
        **constants: Any,
    ) -> dict[str, Array]:
        """The results of a run that the model finds nothing wrong with."""
        lowered = self.lower(file, function, {**inputs, **(inout or {})}, **constants)
        found, run = self.run_source(lowered, lowered.source, inputs, outputs, inout)
        assert run.clean, report(run)
        return found
