"""A kernel file that is compiled and knows its tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gen.check.foreign.tensors import TensorSpec
from gen.check.formats import Array
from gen.chips import Chip
from gen.compile.base import DeviceProgram
from gen.plan import Tree

Progress = Callable[[str], None]


@dataclass(frozen=True)
class KernelFile:
    """What was asked for: the file, its text, its tree and the chip."""

    path: Path
    text: str
    tree: Tree
    chip: Chip
    defines: Mapping[str, str] = field(default_factory=dict)
    a_tree: str = "default"
    """The front end of the A tree (`gen.compile.a_tree.front_ends.FrontEnd`)."""
    timeout: float = 120.0
    """Seconds that the interpreter of the A tree may run the file."""


@dataclass(frozen=True)
class Prepared:
    """A program with its tensors; those of role `in` and `inout` get values, `out` and `inout` are outputs."""

    program: DeviceProgram
    tensors: tuple[TensorSpec, ...]
    scalars: Mapping[str, object] = field(default_factory=dict)
    reads: Mapping[str, str] = field(default_factory=dict)
    """For a file with a host program of its own: the file that it reads for each tensor, below its folder."""
    own_host: bool = False
    judges_itself: bool = False
    """Whether its host program says with its exit status that numbers are wrong: that is no crash."""

    @property
    def fresh(self) -> tuple[str, ...]:
        """Outputs that hold nothing before the kernel runs."""
        return tuple(t.name for t in self.tensors if t.role == "out" and not self.own_host)

    def outputs(self) -> dict[str, tuple[np.dtype[np.generic], tuple[int, ...]]]:
        """Outputs as a front end's runner takes them."""
        return {t.name: (t.dtype, t.shape) for t in self.tensors if t.role in ("out", "inout")}

    def given(self, values: Mapping[str, Array]) -> dict[str, Array]:
        """The inputs among `values`."""
        return {t.name: values[t.name] for t in self.tensors if t.role in ("in", "inout")}
