"""Many kernels of a few lines in one program: x is a GM_ADDR of 64 KB of device memory, all zeros."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from gen.sim import Program, Run
from tests.face_ascendc.harness import compile_text, run

_HEAD = """\
#include "acl/acl.h"
#include "data_utils.h"
#include "kernel_operator.h"
using namespace AscendC;
"""
_KERNEL = """\
__global__ {kind} void body_{index}(GM_ADDR x)
{{
{body}
}}
"""
_MAIN = """\
int main(int argc, char** argv)
{{
    aclrtStream stream = nullptr;
    uint8_t* x = DeviceInput("x", 65536);
    switch (std::atoi(argv[1])) {{
{cases}
    }}
    return argc == 2 ? 0 : 1;
}}
"""
_CASE = "        case {index}: body_{index}<<<1, nullptr, stream>>>(x); break;\n"


@dataclass
class Suite:
    """Kernel bodies by name; those in `cube` run on an AIC, all others on an AIV. Compiled once for each chip."""

    bodies: Mapping[str, str]
    cube: frozenset[str] = frozenset()
    programs: dict[str, Program] = field(default_factory=dict)

    def source(self) -> str:
        """One source with all kernels and a main that launches the one whose number it is given."""
        kernels = [
            _KERNEL.format(
                kind="__cube__" if name in self.cube else "__vector__", index=i, body=body
            )
            for i, (name, body) in enumerate(self.bodies.items())
        ]
        cases = "".join(_CASE.format(index=i) for i in range(len(self.bodies)))
        return _HEAD + "".join(kernels) + _MAIN.format(cases=cases)

    def verdict(self, name: str, chip: str, *, auto_sync: bool = True) -> Run:
        """What the model says of the kernel `name`."""
        if chip not in self.programs:
            self.programs[chip] = compile_text(self.source(), chip)
        index = str(list(self.bodies).index(name))
        x = np.zeros(65536, np.uint8)
        _, done = run(self.programs[chip], chip, (index,), {"x": x}, {}, auto_sync=auto_sync)
        return done
