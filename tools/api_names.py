"""Writes docs/ascend_c_api.md: which names of the Ascend C interface the model has, from its own headers.

python tools/api_names.py            # writes the page
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from gen.compile.documented import NAMES
from gen.sim.build import INCLUDE
from gen.sim.toolchain import find_compiler

PAGE = Path(__file__).parents[1] / "docs" / "ascend_c_api.md"
CHIPS = {"2201": "Ascend 910B", "3510": "Ascend 950"}
HEAD = """\
# Names of the Ascend C interface

Made by `tools/api_names.py`: every documented name of `namespace AscendC`, and whether the headers of the model declare
it. A kernel that uses a name that is not declared is `unsupported`, by that name; so is one that uses a form of the last
list.
"""


def declared(chip: str, names: Iterable[str] = NAMES) -> set[str]:
    """Those of `names` that a kernel for the chip can name; asks the C++ compiler."""
    wanted = sorted(names)
    lines = ['#include "kernel_operator.h"', *(f"using AscendC::{name};" for name in wanted)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "names.cpp")
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [
            *find_compiler().command,
            "-std=c++17",
            "-fsyntax-only",
            "-w",
            f"-D__NPU_ARCH__={chip}",
        ]
        command += [f"-I{INCLUDE / 'ascendc'}", f"-I{INCLUDE}", str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    wrong = {int(n) for n in re.findall(r"names\.cpp:(\d+):\d+: error", done.stderr)}
    return {name for line, name in enumerate(wanted, 2) if line not in wrong}


def limits() -> list[str]:
    """What calls that are declared do not take, as the model says it."""
    found: set[str] = set()
    for path in (INCLUDE / "ascendc" / "tensor_api").glob("*.h"):
        found.update(re.findall(r'"AscendC::(\w+[ (][^"]*)"', path.read_text(encoding="utf-8")))
    return sorted(found)


def document() -> str:
    """The page."""
    of = {chip: declared(chip) for chip in CHIPS}
    both, either = of["2201"] & of["3510"], of["2201"] | of["3510"]
    parts = [HEAD.strip(), *_section("On both chips", both)]
    for chip, title in CHIPS.items():
        if only := of[chip] - both:
            parts += _section(f"On the {title} only", only)
    parts += _section("Not declared", NAMES - either)
    forms = "\n".join(f"- `{form}`" for form in limits())
    return "\n\n".join([*parts, "## Forms that are named and not modelled", forms]) + "\n"


def _section(title: str, names: Iterable[str]) -> list[str]:
    words = sorted(names)
    return [f"## {title} ({len(words)})", ", ".join(f"`{word}`" for word in words)]


if __name__ == "__main__":
    PAGE.write_text(document(), encoding="utf-8")
    print(f"{PAGE.relative_to(PAGE.parents[1])} written")
    sys.exit(0)
