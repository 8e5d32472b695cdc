"""What a kernel file is run with, and what is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from gen.check.deep import DeepLook
from gen.check.formats import Array
from gen.check.verdict import STOPS, Fault, Outcome
from gen.errors import Diagnostic
from gen.plan import Tree
from gen.sim import Profile

DEFAULT_TIMEOUT = 120.0
"""Seconds that a kernel may run on the model before it counts as hanging."""
REJECTED = frozenset({"E402", "E403"})
"""Codes with which a front end refuses the file itself."""


@dataclass(frozen=True)
class RunOptions:
    """How to run and judge one kernel file. What is None or empty is taken from the file."""

    tree: Tree | None = None
    chip: str | None = None
    """A key of `gen.check.foreign.files.CHIP_NAMES`."""
    function: str | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Arguments of a Python kernel's factory and values of its run-time extents, as text."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Tensor by name: a spec such as `float32[64]`, or the path of a `.npy` or `.bin` file."""
    launch: str | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    """Macros of an Ascend C source, by name."""
    constants: Mapping[str, str] = field(default_factory=dict)
    """Other values of constants of a Python file, by name (`gen.check.foreign.edits`)."""
    seed: int = 0
    a_tree: str = "default"
    """The front end of the A tree (`gen.compile.a_tree.front_ends.FrontEnd`)."""
    auto_sync: bool | None = None
    """None: as the tree's compiler does by default (on)."""
    flag_identity: str = "doc"
    xflag: str = "counter"
    k_tail: str = "group"
    timeout: float = DEFAULT_TIMEOUT
    witnesses: bool = True
    """Whether to show for each race a number that goes wrong."""
    deep: bool = False
    """Whether to rerun the kernel under all schedules, and to remark on everything."""
    remarks: bool = False
    """Whether to remark also on what is wrong only where a chip differs from its documents (`Profile.deep`), and on
    synchronisation that could go."""
    text: str | None = None
    """Text that is taken to stand in the file instead of its own."""


@dataclass(frozen=True)
class OutputData:
    """What a kernel left behind in one tensor: `digest` is the SHA-256 of its bytes in row-major order."""

    name: str
    dtype: str
    """Empty where only bytes are known."""
    shape: tuple[int, ...]
    digest: str
    values: Array = field(repr=False, compare=False, default_factory=lambda: np.zeros(0, np.uint8))


@dataclass(frozen=True)
class FileVerdict:
    """One kernel file under one profile.

    `outcome` is clean, findings, unsupported (`reason` says what the model lacks), failed (`reason`: did not compile,
    crashed, ran out of time, or computed nothing) or not run (`reason`: a compiler is missing). Only `clean` is clean.
    """

    path: str
    tree: Tree
    chip: str
    outcome: Outcome
    reason: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    front_end: str = ""
    profile: Profile = field(default_factory=Profile)
    faults: tuple[Fault, ...] = ()
    outputs: tuple[OutputData, ...] = ()
    inputs: Mapping[str, Array] = field(default_factory=dict, repr=False)
    scalars: Mapping[str, object] = field(default_factory=dict)
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Recorded instructions by pipe and name."""
    cycles: int | None = None
    """Modelled cycles of the slowest core, all launches together."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    deep: DeepLook | None = None
    """Where it was asked for."""
    exit_code: int = 0
    host: tuple[str, ...] = ()
    """Remarks on what a host program of its own does with device memory."""
    printed: str = field(default="", repr=False)
    """What the program wrote to its standard output."""

    @property
    def errors(self) -> tuple[Fault, ...]:
        """The findings that are mistakes of the kernel."""
        return tuple(f for f in self.faults if f.severity == "error" and f.code not in STOPS)

    @property
    def rejected(self) -> bool:
        """Whether the front end of the tree refused the file."""
        return bool(self.diagnostics) and all(d.code in REJECTED for d in self.diagnostics)
