"""From a kernel to its tape: the plan, then every core."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from . import auto_combine, auto_passes, crossing, pipeline
from .auto_passes import NONE, Passes
from .buffer import Buffer
from .function import PrimFunc
from .in_place import shared_places
from .launch import Launched, Probe
from .look import FirstLookNeeded, Look, concluded
from .memory import CAPACITY, exceeded, order, place
from .places import Places
from .program import Staged, nodes
from .proxies import VALUES, Extent
from .refusal import RefusalError, unsupported
from .session import session
from .state import Plan, TapeCore, Unit

POSITIONS = {"ub": "VECCALC", "l1": "A1", "l0a": "A2", "l0b": "B2", "l0c": "CO1"}
"""Where the compiler declares each memory."""


@dataclass
class Planned:
    """A kernel whose buffers have their addresses."""

    function: PrimFunc
    plan: Plan
    buffers: list[Buffer]

    @property
    def kind(self) -> str:
        """Which cores a block has."""
        return "mix_1_1" if self.plan.kernel.threads == 1 else "mix_1_2"


def planned(function: PrimFunc, passes: Passes = NONE) -> Planned:
    """Runs the kernel once without a core. Raises RefusalError."""
    plan = _plan(function, passes)
    if plan.kernel is None:
        raise RefusalError(
            "the kernel has no T.Kernel", "write `with T.Kernel(cores, is_npu=True) as (cid, vid):`"
        )
    plan.scratch.shape = (plan.temporary,)
    plan.scratch.strides = [1]
    buffers = order(plan.root)
    plan.versions = pipeline.versions(plan.pipelines, plan.root)
    for stages, aside, block in plan.crossings:
        plan.versions.update(crossing.versions(stages, aside, block, plan.root))
        names = [t.name for t in function.tensors if t.name.startswith(crossing.WORKSPACE)]
        plan.between.update(dict.fromkeys(names, stages.stages))
    for buffer, number in plan.versions.items():
        buffer.versions = number
    _check_names([*function.tensors, *buffers])
    _check_rows(plan)
    place(buffers, plan.addresses)
    too_much = "" if passes.memory else exceeded(buffers)
    if too_much:
        raise RefusalError(
            too_much, "make tiles smaller: the compiler does not check", line=function.line
        )
    auto_passes.apply(plan, buffers, passes)
    return Planned(function, plan, buffers)


def _plan(function: PrimFunc, passes: Passes) -> Plan:
    plan = Plan(combine=passes.combine)
    try:
        _run(function, plan)
    except FirstLookNeeded:
        first = Plan()
        first.look = Look()
        _run(function, first)
        shared = first.kernel is not None and first.kernel.threads == 2
        seen = concluded(first.look, first.allocated, shared=shared)
        plan = _again(function, plan, seen=seen)
    if plan.combine and any(isinstance(n, Staged) for n in nodes(plan.program.root)):
        # Each kind of core has its own statements in a T.Pipelined: which, all statements tell.
        sides = auto_combine.sides(plan.program.root, cross=passes.cross)
        plan = _again(function, plan, sides=sides)
    pairs = shared_places(plan.root)
    return _again(function, plan, same=_same(plan, pairs)) if pairs else plan


def _again(function: PrimFunc, known: Plan, **more: Any) -> Plan:
    """One pass more, with what the last has shown."""
    plan = Plan(combine=known.combine)
    plan.seen, plan.sides, plan.same = known.seen, known.sides, known.same
    for name, value in more.items():
        setattr(plan, name, value)
    _run(function, plan)
    return plan


def _same(plan: Plan, pairs: list[tuple[Buffer, Buffer]]) -> dict[Any, Any]:
    """By allocation: the one whose buffer it gets."""
    made = {b: (site, n) for site, found in plan.allocated.items() for n, b in enumerate(found)}
    places: dict[Buffer, Buffer] = {}
    for new, old in pairs:
        if new.shape != old.shape or new not in made or old not in made:
            raise unsupported(
                f"buffers of two shapes at one address: the compiler puts {new.name} where {old.name} was"
            )
        places[new] = places.get(old, old)
    return {made[new]: made[old] for new, old in places.items()}


def _run(function: PrimFunc, plan: Plan) -> None:
    now = session()
    now.plan, now.core, now.unissued = plan, None, 0
    now.copies.clear()
    try:
        with _quiet():
            function.run_body()
    finally:
        now.plan = None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """The plan runs with numbers that no core has: what the kernel prints, and where it stops, is for its cores."""
    hook = sys.breakpointhook
    sys.breakpointhook = lambda *args, **kwargs: None
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        sys.breakpointhook = hook


C_TYPES = (
    "half",
    "float",
    "double",
    "int",
    "char",
    "short",
    "long",
    "bool",
    "auto",
    "void",
    "uint",
    "pipe",
)
"""Names that mean something in the C++ that the compiler prints."""


def _check_names(buffers: list[Buffer]) -> None:
    seen: dict[str, Buffer] = {}
    for buffer in buffers:
        if buffer.name in C_TYPES:
            raise RefusalError(
                f"the C++ that the compiler prints does not compile with a buffer called {buffer.name}",
                "give it another name",
            )
        if buffer.scope == "global":
            continue
        if buffer.name in seen:
            raise RefusalError(
                f"two buffers are called {buffer.name or 'nothing'}, and the compiler takes each name once",
                "give every buffer a name of its own",
            )
        seen[buffer.name] = buffer


def _check_rows(plan: Plan) -> None:
    """Copies start rows at 32 bytes; tile operations take them to be packed."""
    for buffer, line in plan.dense.items():
        width = buffer.shape[-1] * buffer.size
        if buffer in plan.pitched and width % 32 and buffer.shape[-1] != 1:
            raise RefusalError(
                f"rows of {buffer.name} have {width} bytes: copies start them 32 bytes apart, and this operation takes"
                " them to be packed",
                f"allocate rows of {-(-width // 32) * 32 // buffer.size} elements; the tensor in GM may stay as it is",
                line=line,
            )


class BufferViews:
    """Buffers for the tape. `local` and `remote` make its tensors."""

    def __init__(self, local: Callable[..., Any], remote: Callable[..., Any]) -> None:
        self.local, self.remote = local, remote

    def __call__(self, buffer: Buffer) -> Any:
        if buffer.memory is None:
            buffer.memory = self._made(buffer)
        return buffer.memory

    def _made(self, buffer: Buffer) -> Any:
        dtype = "uint8" if buffer.dtype == "bool" else buffer.dtype
        if buffer.scope == "global":
            return self.remote(buffer.address, dtype, 0)
        rows = buffer.versions * buffer.elements // buffer.shape[-1]
        bytes = rows * buffer.pitch
        high = min(buffer.address + -(-bytes // 32) * 32, CAPACITY[buffer.scope])
        position = POSITIONS[buffer.scope]
        return self.local(
            position, dtype, buffer.address, bytes // buffer.size, buffer.address, high
        )

    def memory(self, name: str, dtype: str) -> Any:
        """All of it."""
        size = {"float32": 4, "int32": 4, "float16": 2, "bfloat16": 2}.get(dtype, 1)
        return self.local(POSITIONS[name], dtype, 0, CAPACITY[name] // size, 0, CAPACITY[name])


class Recording:
    """Records the cores of a planned kernel with these run-time extents."""

    def __init__(self, kernel: Planned, extents: dict[str, int], views: BufferViews) -> None:
        self.kernel = kernel
        self.views = views
        VALUES.clear()
        VALUES.update(extents)
        self.tensors = [_resolved(tensor) for tensor in kernel.function.tensors]
        self.blocks = self._blocks()
        self.places = Places()

    def _blocks(self) -> int:
        now = session()
        now.core = Probe()
        try:
            with _quiet():
                self.kernel.function.run_body(self.tensors)
        except Launched as launched:
            if launched.blocks < 1:
                raise RefusalError(f"a kernel of {launched.blocks} blocks does not run") from None
            return launched.blocks
        finally:
            now.core = None
        raise RefusalError("the kernel has no T.Kernel")

    def core(self, core: TapeCore, block: int, name: str, *, shared: bool = True) -> None:
        """One core from start to end. `shared`: cores of one tape share the numbers of places."""
        places = self.places if shared else Places()
        unit = Unit(self.kernel.plan, core, block, name, self.views, places)
        function = self.kernel.function
        start = core.place([(function.name, function.file, function.line)])
        core.call("TPipe", start)
        core.call("TPipe::Destroy", start)
        now = session()
        if self.kernel.plan.issues[unit.is_cube].nothing:
            return
        now.plan, now.core, now.spot = None, unit, None
        try:
            function.run_body(self.tensors)
        finally:
            now.core = None


def _resolved(tensor: Buffer) -> Buffer:
    """With numbers for its extents."""
    shape = [n.of_call() if isinstance(n, Extent) else n for n in tensor.shape]
    for n in shape:
        if n < 1:
            raise RefusalError(f"{tensor.name} has no elements with these extents: {shape}")
    found = Buffer(tensor.name, tensor.scope, tensor.dtype, shape)
    found.address = tensor.address
    return found
