"""A launch of no block: nothing runs, so that nothing can be said of the kernel but that."""

from __future__ import annotations

import re

from gen.errors import Diagnostic
from gen.sim import Run

SAID = "a launch of 0 blocks"
"""What the model calls it (gen/sim/native/src/launch/host_api.cpp)."""

_LAUNCH = re.compile(r"\bT\.(?:Mixed)?Kernel\(|<<<|\bAICORE_LAUNCH\(")
_HELP = (
    "the number of blocks begins with 1: `T.ceildiv(M, 128)` rounds up where `M // 128` is 0",
    "the number of blocks begins with 1",
)


def no_blocks(run: Run, path: str, text: str) -> Diagnostic | None:
    """The mistake at the line of the kernel `text` that launches it; None where the launch had blocks."""
    if run.unsupported != SAID:
        return None
    message = "the kernel is launched with 0 blocks: nothing runs"
    help = _HELP[not path.endswith(".py")]
    for number, line in enumerate(text.splitlines(), 1):
        if _LAUNCH.search(line):
            code = line.strip()
            column = line.index(code) + 1
            return Diagnostic("E402", message, path, number, column, len(code), line, help)
    return Diagnostic("E402", message, path, help=help)
