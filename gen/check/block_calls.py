"""IBSet and IBWait in a kernel's text: how one block of Ascend C tells another one how far it is.

Source: asc-devkit, docs/zh, SIMD-API, 同步控制, 核间同步, IBSet and IBWait: both take the workspace of the flags, a local
tensor, the block that sets, and the number of the event.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gen.check.nesting import Nesting, nesting

_CALL = re.compile(
    r"(?:AscendC::)?IB(?P<verb>Set|Wait)(?P<kind><[^;()]*>)?\((?P<arguments>[^;]*)\)\s*;"
)


@dataclass(frozen=True)
class BlockCall:
    """One call: its line, its text, and its arguments as they are written."""

    line: int
    sets: bool
    code: str
    arguments: tuple[str, ...]

    def beside(self, text: str, line: int) -> bool:
        """Whether it is executed as often as `line`: it stands in the same block of the text."""
        return nesting(text, min(self.line, line), max(self.line, line)) is Nesting.SAME

    @property
    def partner(self) -> str:
        """The call that belongs to it: a wait for a set, a set for a wait."""
        verb, other = ("Set", "Wait") if self.sets else ("Wait", "Set")
        return self.code.replace(f"IB{verb}", f"IB{other}", 1)


def block_calls(text: str) -> tuple[BlockCall, ...]:
    """Every IBSet and IBWait, from top to bottom."""
    return tuple(
        BlockCall(
            text.count("\n", 0, found.start()) + 1,
            found["verb"] == "Set",
            found[0],
            tuple(part.strip() for part in found["arguments"].split(",")),
        )
        for found in _CALL.finditer(text)
    )
