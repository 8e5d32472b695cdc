"""Preparing a kernel of the A tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gen.check.foreign.arguments import Arguments
from gen.check.foreign.prepared import KernelFile, Prepared, Progress
from gen.check.foreign.python_kernel import PythonKernel
from gen.check.foreign.tensors import DTYPES, TensorSpec
from gen.compile.a_tree import LoweredKernel, Request, Tensor, front_ends
from gen.compile.a_tree.extents import extent_of, names_of
from gen.errors import Diagnostic, GenError


def prepare(
    file: KernelFile,
    kernel: PythonKernel,
    arguments: Arguments,
    given: Mapping[str, TensorSpec],
    progress: Progress,
) -> Prepared:
    """Compiles the file. `given` says more about tensors than the kernel does: their roles, and what they hold.

    Raises CompileError, and GenError (E142) where a tensor cannot be made.
    """
    request = Request(str(file.path), file.text, arguments.function, arguments.call)
    lowered = front_ends.describe(request, file.a_tree, progress, file.timeout)
    tensors = tuple(
        _tensor(file, t, lowered, kernel, arguments, given)
        for t in lowered.tensors
        if t.name not in lowered.workspaces
    )
    program = front_ends.compile(
        file.path,
        text=file.text,
        function=arguments.function,
        arguments=arguments.call,
        extents=_extents(lowered, arguments, given),
        front_end=file.a_tree,
        progress=progress,
        timeout=file.timeout,
    )
    return Prepared(program, tensors, arguments.all)


def _extents(
    lowered: LoweredKernel, arguments: Arguments, given: Mapping[str, TensorSpec]
) -> dict[str, int]:
    """Run-time extents: as given, else what the shapes of given tensors make them."""
    found: dict[str, int] = {}
    for tensor in lowered.tensors:
        if tensor.name in given:
            sizes = zip(tensor.shape, given[tensor.name].shape, strict=False)
            found |= {name: size for name, size in sizes if isinstance(name, str)}
    return found | dict(arguments.extents)


def _tensor(
    file: KernelFile,
    tensor: Tensor,
    lowered: LoweredKernel,
    kernel: PythonKernel,
    arguments: Arguments,
    given: Mapping[str, TensorSpec],
) -> TensorSpec:
    own = given.get(tensor.name)
    extents = _extents(lowered, arguments, given)
    sizes = [extent_of(n, extents) for n in tensor.shape]
    unknown = [n for n, size in zip(tensor.shape, sizes, strict=True) if size is None]
    if unknown:
        message = f"the extent {unknown[0]} of {tensor.name} is known only at run time"
        names = [name for name in names_of(unknown[0]) if name not in extents] or [str(unknown[0])]
        help = "give it a value: " + " ".join(f"--arg {name}=1024" for name in names)
        raise GenError([Diagnostic("E142", message, str(file.path), help=help)])
    if tensor.dtype not in DTYPES:
        message = f"{tensor.name} is of type {tensor.dtype}, for which there are no values"
        raise GenError([Diagnostic("E142", message, str(file.path))])
    shape = tuple(size for size in sizes if size is not None)
    role = "out" if tensor.name in lowered.outputs else kernel.role(tensor.name) or "inout"
    spec = TensorSpec(tensor.name, DTYPES[tensor.dtype], shape, role)
    return spec if own is None else merged(file, spec, own)


def merged(file: KernelFile, spec: TensorSpec, own: TensorSpec) -> TensorSpec:
    """`spec` with the role and the values that the user gave. Raises GenError (E142) when he gave another tensor."""
    if (spec.dtype, spec.shape) != (own.dtype, own.shape):
        message = (
            f"the kernel takes {spec.name} as {spec.dtype}{list(spec.shape)},"
            f" not as {own.dtype}{list(own.shape)}"
        )
        raise GenError([Diagnostic("E142", message, str(file.path))])
    return replace(spec, role=own.role or spec.role, fill=own.fill)
