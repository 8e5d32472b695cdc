"""The kernels of a spec as programs that run with and without judging the order of accesses."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gen.compile.base import DeviceProgram
from gen.sim import Profile

_METER = """\
#!{python} -S
import resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.run([{executable!r}, *sys.argv[1:]]).returncode
seconds = time.perf_counter() - start
with open({result!r}, "w") as file:
    file.write(f"{{seconds}} {{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}}")
sys.exit(code)
"""
"""Runs a program from a process that is small itself: the peak of a child is never below its parent's size when it
forked (getrusage(2))."""


@dataclass(frozen=True)
class Measured:
    """One run of a program, from start to end: its seconds, and its peak of resident bytes."""

    seconds: float
    peak: int


@dataclass(frozen=True)
class Kernel:
    """One tree's kernel with its inputs. `bytes` are those of all tensors."""

    tree: str
    bytes: int
    program: DeviceProgram
    inputs: dict[str, Any]
    wanted: dict[str, Any]
    profile: Profile

    def judged(self) -> None:
        """One run with hazards on, inputs and outputs included; it has to be clean."""
        self._run(self.program, self.profile)

    def measured(self, *, hazards: bool) -> Measured:
        """What the process alone takes."""
        with tempfile.TemporaryDirectory() as folder:
            meter, result = Path(folder, "meter"), Path(folder, "result")
            executable = str(self.program.program.executable)
            script = _METER.format(python=sys.executable, executable=executable, result=str(result))
            meter.write_text(script)
            meter.chmod(0o755)
            metered = replace(self.program, program=replace(self.program.program, executable=meter))
            self._run(metered, replace(self.profile, hazards=hazards))
            seconds, kilobytes = result.read_text().split()
        return Measured(float(seconds), int(kilobytes) * 1024)

    def _run(self, program: DeviceProgram, profile: Profile) -> None:
        _, done = program.run(self.inputs, self.wanted, profile, 120)
        assert done.clean, done


def programs(path: Path) -> Iterator[Kernel]:
    """The kernels of the spec at `path`, compiled."""
    from gen.check.formats import numpy_dtype
    from gen.check.frontends import compile_tree
    from gen.check.inputs import make_inputs
    from gen.check.profiles import profile_of
    from gen.check.run import outputs_of
    from gen.plan import plan
    from gen.render import render
    from gen.spec import load

    planned = plan(load(path))
    rendering = render(planned)
    inputs = make_inputs(planned.spec)
    wanted = {n: (numpy_dtype(d), shape) for n, (d, shape) in outputs_of(planned.spec).items()}
    size = sum(array.nbytes for array in inputs.values())
    for dtype, shape in wanted.values():
        count = 1
        for extent in shape:
            count *= extent
        size += count * dtype.itemsize
    for tree in planned.trees:
        program = compile_tree(tree, rendering, planned, lambda _: None)
        profile = profile_of(program.chip, tree.tree)
        yield Kernel(str(tree), size, program, inputs, wanted, profile)
