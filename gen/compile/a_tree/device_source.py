"""The emitted Ascend C as a host program: a few idioms rewritten on their lines, and a `main`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

from gen.compile.a_tree.extents import extent_of
from gen.compile.a_tree.worker import LoweredKernel, Tensor
from gen.compile.launch import rewrite_launches

HOST_HEADER = "aicore/host.h"
COMMON_HEADERS = ("tl_templates/ascend/common.h", "runtime/rt_ffts.h")
"""What every emitted source includes."""
BYTES = {
    "float32": 4,
    "int32": 4,
    "uint32": 4,
    "float16": 2,
    "bfloat16": 2,
    "int16": 2,
    "uint16": 2,
}
BYTES |= {"int8": 1, "uint8": 1, "bool": 1, "int64": 8, "uint64": 8}

_CALL = re.compile(r'^extern "C" void call\((?P<parameters>[^)]*)\)', re.MULTILINE)
_BUFFER = re.compile(
    r"(?P<declared>auto (?P<name>\w+) = ascend_ub\.GetWithOffset<\w+>)\((?P<elements>\d+), "
)
_HANDLE = re.compile(r"uint8_t\s*\*\s*(\w+)_handle")
_EXTENT = re.compile(r"int64_t\s+(\w+)")


class UnknownFormError(Exception):
    """The emitted source has a form that this reader does not know; the text says which, `name` what it is about."""

    def __init__(self, what: str, help: str = "", *, name: str = "") -> None:
        super().__init__(what)
        self.help, self.name = help, name


def program(kernel: LoweredKernel, path: str, extents: Mapping[str, int]) -> str:
    """The kernel's source, its lines where they were, with a `main` that takes its tensors from the command line.

    `extents` are the run-time extents (`T.symbolic`) by name. Raises UnknownFormError, and CompileError for a launch
    that cannot be rewritten.
    """
    call = _CALL.search(kernel.source)
    if call is None:
        raise UnknownFormError("it has no function `call`")
    arguments = [_argument(kernel, p.strip(), extents) for p in call["parameters"].split(",")]
    # The address of a temporary array is C99; U32List is an object that converts to the pointer.
    source = kernel.source.replace("(uint32_t[])", "::aicore::ascendc::U32List")
    source = _BUFFER.sub(lambda declaration: _padded(declaration, kernel), source)
    return rewrite_launches(source, path).rstrip("\n") + _main(arguments)


def _padded(declaration: re.Match[str], kernel: LoweredKernel) -> str:
    """The declaration of a buffer in UB, as large as the compiler's plan has it.

    The plan starts every row at 32 bytes, as copies do, unless rows have one element; the declaration counts elements
    without that room.
    """
    known = {buffer.name: buffer for buffer in kernel.buffers}
    buffer = known.get(declaration["name"])
    if buffer is None or buffer.dtype not in BYTES or buffer.shape[-1:] in ((), (1,)):
        return declaration[0]
    row = int(buffer.shape[-1])
    whole = 32 // BYTES[buffer.dtype]
    padded = -(-row // whole) * whole
    return f"{declaration['declared']}({int(declaration['elements']) // row * padded}, "


def _argument(kernel: LoweredKernel, parameter: str, extents: Mapping[str, int]) -> str:
    if parameter == "aclrtStream stream":
        return "nullptr"
    tensor = _HANDLE.fullmatch(parameter)
    if tensor:
        return _tensor(kernel, tensor[1], extents)
    extent = _EXTENT.fullmatch(parameter)
    if extent:
        return str(_extent(extent[1], extents))
    raise UnknownFormError(f"`call` has the parameter `{parameter}`")


def _tensor(kernel: LoweredKernel, name: str, extents: Mapping[str, int]) -> str:
    known = {tensor.name: tensor for tensor in kernel.tensors}
    if name not in known:
        raise UnknownFormError(
            f"the compiler added the tensor `{name}` (T.copy from UB to L1 or from L0C to UB does)",
            "copy to a tensor in GM, and from there after a flag between the cores",
            name=name,
        )
    if name in kernel.workspaces:
        return f"static_cast<uint8_t*>(aicore::gm_alloc({_bytes(known[name], extents)}))"
    return f'tensors["{name}"]'


def _bytes(tensor: Tensor, extents: Mapping[str, int]) -> int:
    if tensor.dtype not in BYTES:
        raise UnknownFormError(f"the workspace `{tensor.name}` is of type {tensor.dtype}")
    shape = [n if isinstance(n, int) else _extent(n, extents) for n in tensor.shape]
    return prod(shape) * BYTES[tensor.dtype]


def _extent(name: str, extents: Mapping[str, int]) -> int:
    found = extent_of(name, extents)
    if found is None:
        raise UnknownFormError(f"the extent {name} is known only at run time; give it a value")
    return found


def _main(arguments: list[str]) -> str:
    return (
        f'\n\n#include "{HOST_HEADER}"\n'
        "int main(int argc, char** argv) {\n"
        "    aicore::host::Tensors tensors(argc, argv);\n"
        f"    call({', '.join(arguments)});\n"
        "    return 0;\n"
        "}\n"
    )
