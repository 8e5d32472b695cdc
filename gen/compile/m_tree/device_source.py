"""The emitted device source as a C++ program: its kernels, the rewriting of vector function calls, and a host `main`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gen.compile.m_tree.lowering import Launch, Lowered
from gen.compile.m_tree.scalar_access import as_calls

HOST_HEADERS = ("aicore/launch.h", "aicore/host.h")
COMMON_HEADERS = ("tl_templates/ascend/common.h", "tl_templates/ascend/debug.h")
"""What every emitted source includes."""

# __mix__(aic, aiv) of the emitted declaration → the launch's kernel kind.
_MIXES = {
    ("1", "0"): "mix_1_0",
    ("0", "1"): "mix_0_1",
    ("1", "1"): "mix_1_1",
    ("1", "2"): "mix_1_2",
}

_KERNEL = re.compile(
    r'^extern "C" __global__ (?:__(?P<kind>vector|cube)__|__mix__\((?P<aic>\d), (?P<aiv>\d)\))'
    r" void (?P<name>\w+)\((?P<parameters>[^)]*)\)",
    re.MULTILINE,
)
_PARAMETER = re.compile(r"__gm__ (?P<type>[\w:]+)\s*\*\s*(?:__restrict__ )?(?P<name>\w+)")
_SIMD_FUNCTION = re.compile(r"^__simd_vf__ inline void (\w+)\(", re.MULTILINE)


class UnknownFormError(Exception):
    """The source has a form that this reader does not know; the text says which."""


@dataclass(frozen=True)
class Kernel:
    """A kernel declaration: parameters are (C++ element type, tensor name), in the order of the device source."""

    name: str
    kind: str
    parameters: tuple[tuple[str, str], ...]


def kernels(source: str) -> dict[str, Kernel]:
    """Every kernel that `source` declares, by name. Raises UnknownFormError for a parameter that is not a tensor."""
    found = {}
    for match in _KERNEL.finditer(source):
        kind = match["kind"] or _MIXES.get((match["aic"], match["aiv"]))
        if kind is None:
            raise UnknownFormError(
                f"kernel {match['name']} runs on {match['aic']} AICs and {match['aiv']} AIVs"
            )
        parameters = [p.strip() for p in match["parameters"].split(",") if p.strip()]
        found[match["name"]] = Kernel(match["name"], kind, tuple(map(_parameter, parameters)))
    return found


def program(lowered: Lowered) -> str:
    """`lowered.source`, its lines where they were, with a `main` that runs all launches on the tensors of its command
    line. Raises UnknownFormError."""
    declared = kernels(lowered.source)
    known = {t.name for t in lowered.tensors} | lowered.viewed.keys()
    launches = []
    for launch in lowered.launches:
        kernel = declared.get(launch.kernel)
        if kernel is None:
            raise UnknownFormError(f"kernel {launch.kernel} is launched but not declared")
        strange = [name for _, name in kernel.parameters if name not in known]
        if strange:
            raise UnknownFormError(
                f"kernel {kernel.name} has parameters that are no tensors of the function: {strange}"
            )
        launches.append(_launch(kernel, launch, lowered.viewed))
    if not launches:
        raise UnknownFormError("the host part launches no kernel")
    return as_calls(_call_vector_functions(lowered.source)).rstrip("\n") + _main(launches)


def _parameter(text: str) -> tuple[str, str]:
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise UnknownFormError(f"parameter `{text}`")
    return match["type"], match["name"]


def _launch(kernel: Kernel, launch: Launch, viewed: Mapping[str, str]) -> str:
    arguments = ", ".join(
        f'static_cast<{type}*>(tensors["{viewed.get(name, name)}"])'
        for type, name in kernel.parameters
    )
    return f"    AICORE_LAUNCH({kernel.name}, {kernel.kind}, {launch.blocks})({arguments});\n"


def _main(launches: Sequence[str]) -> str:
    includes = "".join(f'#include "{header}"\n' for header in HOST_HEADERS)
    return (
        f"\n\n{includes}"
        "int main(int argc, char** argv) {\n"
        "    aicore::host::Tensors tensors(argc, argv);\n"
        f"{''.join(launches)}"
        "    return 0;\n"
        "}\n"
    )


def _call_vector_functions(source: str) -> str:
    """SIMD vector functions are emitted as plain calls; on the chip they run on the vector pipe, as `asc_vf_call` says.

    Each call stays on its line: `f(a);` becomes `asc_vf_call<f>(a);`. The wheel's NZ scatter
    (tl_templates/ascend/nd2nz_copy.h) is such a function too.
    """
    for name in _SIMD_FUNCTION.findall(source):
        source = re.sub(rf"^(\s*){name}\(", rf"\1asc_vf_call<{name}>(", source, flags=re.MULTILINE)
    return re.sub(
        r"^(\s*)(ascend_nd2nz_scatter<[^;()]*>)\(",
        r"\1asc_vf_call<\2>(",
        source,
        flags=re.MULTILINE,
    )
