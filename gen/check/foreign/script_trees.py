"""What a script asks to be compiled, by the compiler of its tree."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gen.check.foreign.prepared import KernelFile, Progress
from gen.check.foreign.python_kernel import PythonKernel, inspect
from gen.check.foreign.slicing import as_called
from gen.check.foreign.tensors import DTYPES, TensorSpec
from gen.check.foreign.tensors import declared as declared_tensor
from gen.compile.a_tree import LoweredKernel, Tensor
from gen.compile.a_tree.extents import extent_of
from gen.compile.base import CompileError, DeviceProgram
from gen.errors import Diagnostic
from gen.plan import Tree

Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Compiled:
    """A lowered kernel: the tensors that its call takes and gives back, and how it becomes a program."""

    key: str
    takes: list[str]
    returns: list[str]
    source: str
    program: Callable[[Shapes], tuple[DeviceProgram, tuple[TensorSpec, ...]]]
    """For tensors of these shapes. Raises CompileError."""
    scalars: Mapping[str, object] = field(default_factory=dict)
    tensors: tuple[Tensor, ...] = ()
    """As the kernel declares them."""


def compiled(file: KernelFile, asked: Mapping[str, Any], progress: Progress) -> Compiled:
    """The kernel of a request of `script_host`. Raises CompileError."""
    if file.tree is Tree.M:
        return _m_tree(file, asked, progress)
    return _a_tree(file, asked, progress)


def _a_tree(file: KernelFile, asked: Mapping[str, Any], progress: Progress) -> Compiled:
    from gen.compile.a_tree import Request, front_ends

    name, arguments = asked["function"], asked["arguments"]
    text = as_called(file.text, name, asked["names"], asked["argv"])
    request = Request(str(file.path), text, name, arguments)
    lowered = front_ends.describe(request, file.a_tree, progress, file.timeout)
    kernel = inspect(file.text)

    def program(shapes: Shapes) -> tuple[DeviceProgram, tuple[TensorSpec, ...]]:
        extents = _extents(lowered, shapes)
        made = front_ends.compile(
            file.path,
            text=text,
            function=name,
            arguments=arguments,
            extents=extents,
            front_end=file.a_tree,
            progress=progress,
            timeout=file.timeout,
        )
        tensors = tuple(
            _a_tensor(file, t, extents, _a_role(t.name, lowered, kernel))
            for t in lowered.tensors
            if t.name not in lowered.workspaces
        )
        return made, tensors

    kept = {*lowered.outputs, *lowered.workspaces}
    takes = [t.name for t in lowered.tensors if t.name not in kept]
    return Compiled(
        request.key,
        takes,
        list(lowered.outputs),
        lowered.source,
        program,
        dict(arguments),
        lowered.tensors,
    )


def _a_role(name: str, lowered: LoweredKernel, kernel: PythonKernel) -> str:
    """What the script passes has values, whether the kernel reads them or not."""
    if name in lowered.outputs:
        return "out"
    return "in" if kernel.role(name) == "in" else "inout"


def _extents(lowered: LoweredKernel, shapes: Shapes) -> dict[str, int]:
    """Run-time extents, as the shapes of the tensors make them."""
    found: dict[str, int] = {}
    for tensor in lowered.tensors:
        sizes = zip(tensor.shape, shapes.get(tensor.name, ()), strict=False)
        found |= {name: size for name, size in sizes if isinstance(name, str)}
    return found


def _a_tensor(
    file: KernelFile, tensor: Tensor, extents: Mapping[str, int], role: str
) -> TensorSpec:
    sizes = [extent_of(n, extents) for n in tensor.shape]
    unknown = [n for n, size in zip(tensor.shape, sizes, strict=True) if size is None]
    if unknown or tensor.dtype not in DTYPES:
        what = f"the extent {unknown[0]}" if unknown else f"the number format {tensor.dtype}"
        message = f"{what} of {tensor.name} is not known"
        raise CompileError([Diagnostic("E405", message, str(file.path))])
    shape = tuple(size for size in sizes if size is not None)
    return TensorSpec(tensor.name, DTYPES[tensor.dtype], shape, role)


def _m_tree(file: KernelFile, asked: Mapping[str, Any], progress: Progress) -> Compiled:
    from gen.compile import m_tree

    reply = asked["lowered"]
    key = hashlib.sha256(json.dumps([reply, file.text], sort_keys=True).encode()).hexdigest()
    lowered = m_tree.lowered_reply({"log": "", **reply})
    returned = list(asked["returned"])
    written = {name for launch in lowered.launches for name in launch.written}

    def program(_: Shapes) -> tuple[DeviceProgram, tuple[TensorSpec, ...]]:
        progress("building")
        made = m_tree.build(file.path, file.text, lowered, key)
        tensors = tuple(
            declared_tensor(t.name, t.dtype, t.shape, _role(t.name, returned, written))
            for t in lowered.tensors
        )
        return made, tensors

    takes = [t.name for t in lowered.tensors if t.name not in returned]
    declared = tuple(Tensor(t.name, t.dtype, t.shape) for t in lowered.tensors)
    return Compiled(key, takes, returned, lowered.source, program, tensors=declared)


def _role(name: str, returned: list[str], written: set[str]) -> str:
    if name in returned:
        return "out"
    return "inout" if name in written else "in"
