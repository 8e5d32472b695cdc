"""Preparing an Ascend C source: with a host program of its own, or a kernel that is given one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from gen.check.foreign.launch import KINDS, LaunchLine
from gen.check.foreign.prepared import KernelFile, Prepared, Progress
from gen.check.foreign.tensors import TensorSpec
from gen.compile import ascendc
from gen.compile.cpp_text import blank, closing, split_arguments
from gen.compile.launch import kernel_kinds
from gen.errors import Diagnostic, GenError, hints, known, listing, suggest

_MAIN = re.compile(r"\bmain\s*\(")
_GLOBAL = re.compile(r"__global__[^;{}]*?\bvoid\s+(?P<name>\w+)\s*(?=\()")
_BINARY = re.compile(r'"(?P<path>[^"\n]+\.bin)"')
_WRITES = re.compile(r"(?:Write\w*|Save\w*|fwrite|ofstream[^;]*)\s*[({]\s*\Z")


def has_main(text: str) -> bool:
    """Whether the source brings its own host program."""
    return bool(_MAIN.search(blank(text)))


def prepare(
    file: KernelFile, launch: LaunchLine | None, given: Mapping[str, TensorSpec], progress: Progress
) -> Prepared:
    """Compiles the source. Raises CompileError, and GenError (E141, E142) where it does not go with `launch`."""
    if has_main(file.text):
        return _with_own_main(file, launch, given, progress)
    if launch is None:
        raise GenError([_no_launch(file)])
    name = _kernel(file, launch)
    call = _call(file, launch, name)
    progress("compiling")
    text = f"{file.text.rstrip(chr(10))}\n{_host(name, _kind(file, launch, name), launch.blocks, call)}"
    program = ascendc.compile(file.path, file.chip, text=text, own_host=False, defines=file.defines)
    tensors = tuple(launch.tensors.values())
    scalars = {n: v for n, v in launch.arguments.items() if n not in launch.tensors}
    return Prepared(program, tensors, scalars)


def _with_own_main(
    file: KernelFile, launch: LaunchLine | None, given: Mapping[str, TensorSpec], progress: Progress
) -> Prepared:
    if launch is not None and (launch.kind or launch.kernel or "blocks" in launch.text):
        help = "leave the launch out: name its input files with --input x=float32[64]"
        raise launch.mistake("the file has a main() that launches its kernel", help=help)
    tensors = {**(launch.tensors if launch else {}), **given}
    inputs = [t for t in tensors.values() if t.role != "out"]
    reads = {t.name: _file_of(file, t.name) for t in inputs}
    progress("compiling")
    program = ascendc.compile(file.path, file.chip, text=file.text, defines=file.defines)
    return Prepared(program, tuple(tensors.values()), reads=reads, own_host=True)


def input_files(text: str) -> list[str]:
    """Paths of the binary files that the host program names and does not write."""
    found = [m["path"] for m in _BINARY.finditer(text) if not _WRITES.search(text[: m.start()])]
    return list(dict.fromkeys(path for path in found if "output" not in path))


def _file_of(file: KernelFile, name: str) -> str:
    """The file that holds the tensor `name`: as the host program calls it."""
    paths = input_files(file.text)
    for path in paths:
        if PurePosixPath(path).stem.lower() in (name.lower(), f"input_{name.lower()}"):
            return path
    help = known("file that it reads", paths) if paths else "its main() names no .bin file"
    message = f"the host program reads no file for `{name}`"
    raise GenError([Diagnostic("E142", message, str(file.path), help=help)])


def _no_launch(file: KernelFile) -> Diagnostic:
    names = [m["name"] for m in _GLOBAL.finditer(blank(file.text))]
    if not names:
        return Diagnostic("E403", "the file has no __global__ kernel", str(file.path))
    message = f"nothing says how {listing(names)} is launched: the file has no main()"
    help = 'add a line such as "// launch: blocks=2 x=float32[1024]:in y=float32[1024]:out", or give --launch'
    return Diagnostic("E141", message, str(file.path), help=help)


def _kernel(file: KernelFile, launch: LaunchLine) -> str:
    """The kernel to launch, with its template arguments."""
    names = list(dict.fromkeys(m["name"] for m in _GLOBAL.finditer(blank(file.text))))
    wanted = re.match(r"\w+", launch.kernel)
    if wanted and wanted[0] in names:
        return launch.kernel
    if launch.kernel:
        help = hints(suggest(launch.kernel, names), known("kernel", names))
        raise launch.mistake(f"there is no kernel `{launch.kernel}`", at=launch.kernel, help=help)
    if not names:
        raise GenError([Diagnostic("E403", "the file has no __global__ kernel", str(file.path))])
    if len(names) > 1:
        message = f"the file has {len(names)} kernels"
        raise launch.mistake(message, help=f"say which one: kernel={names[0]}")
    return names[0]


def _kind(file: KernelFile, launch: LaunchLine, name: str) -> str:
    bare = re.match(r"\w+", name)
    declared = kernel_kinds([file.text]).get(bare[0] if bare else name)
    if declared and launch.kind and declared != launch.kind:
        message = f"the kernel is declared as {declared}"
        raise launch.mistake(message, at=launch.kind, help="leave kind= out")
    kind = declared or launch.kind
    if not kind:
        message = f"the declaration of `{name}` does not say which cores it runs on"
        raise launch.mistake(message, help=f"add kind=, one of {listing(KINDS)}")
    return kind


def _call(file: KernelFile, launch: LaunchLine, name: str) -> list[str]:
    """The arguments as the host passes them."""
    parameters = _parameters(file, name)
    names = [parameter.name for parameter in parameters]
    given = list(launch.arguments)
    if len(given) != len(names):
        message = f"`{name}` takes {len(names)} arguments, the launch gives {len(given)}"
        raise launch.mistake(message, help=known("parameter", names))
    if set(given) == set(names):
        given = names
    elif moved := [g for g, n in zip(given, names, strict=True) if g != n and g in names]:
        message = f"`{moved[0]}` does not stand where the kernel has it"
        raise launch.mistake(message, at=f"{moved[0]}=", help=known("parameter", names))
    return [_value(launch, g, p) for g, p in zip(given, parameters, strict=True)]


class _Parameter:
    """A parameter of a kernel: its name, and the words of its type."""

    def __init__(self, text: str) -> None:
        words = text.split("=", maxsplit=1)[0].strip()
        name = re.search(r"(\w+)\s*\Z", words)
        self.name = name[1] if name else words
        self.type = words[: name.start()].strip() if name else words
        self.is_tensor = "*" in self.type or "GM_ADDR" in self.type


def _parameters(file: KernelFile, kernel: str) -> list[_Parameter]:
    code = blank(file.text)
    bare = kernel.split("<", maxsplit=1)[0]
    found = next(m for m in _GLOBAL.finditer(code) if m["name"] == bare)
    end = closing(code, found.end())
    inside = code[found.end() + 1 : end]
    return [_Parameter(inside[a:b]) for a, b in split_arguments(inside) if inside[a:b].strip()]


def _value(launch: LaunchLine, name: str, parameter: _Parameter) -> str:
    argument = launch.arguments[name]
    if parameter.is_tensor != isinstance(argument, TensorSpec):
        wanted = "a tensor" if parameter.is_tensor else "a number"
        message = f"the parameter `{parameter.name}` is {wanted}"
        raise launch.mistake(message, at=f"{name}=")
    if isinstance(argument, TensorSpec):
        return f'tensors["{name}"]'
    if argument.startswith("{"):
        bare = re.sub(r"\b(?:const|__gm__)\b|&", "", parameter.type).strip()
        return f"{bare}{argument}"
    return argument


def _host(kernel: str, kind: str, blocks: int, arguments: list[str]) -> str:
    """A main() for the kernel, after its last line: findings keep their lines."""
    name = f"({kernel})" if "," in kernel else kernel
    return (
        '#include "aicore/host.h"\n'
        "int main(int argc, char** argv) {\n"
        "    aicore::host::Tensors tensors(argc, argv);\n"
        f"    AICORE_LAUNCH({name}, {kind}, {blocks})({', '.join(arguments)});\n"
        "    return 0;\n"
        "}\n"
    )
