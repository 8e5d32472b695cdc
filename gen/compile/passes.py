"""The IR around each pass of a TVM compiler that changed it.

Both TileLang compilers are builds of TVM. Their workers load this file by its place: it imports nothing of the package.
"""

from __future__ import annotations

from typing import Any

Change = tuple[str, str, str]
"""Name of the pass, the IR before it and after it, as TVMScript."""


class PassLog:
    """A pass instrument. `changes` are the passes that changed something, in the order in which they ran."""

    def __init__(self, tvm: Any) -> None:
        self.changes: list[Change] = []
        self._equal = tvm.ir.structural_equal
        self._open: list[tuple[Any, int]] = []

    def run_before_pass(self, module: Any, _info: Any) -> None:
        self._open.append((module, len(self.changes)))

    def run_after_pass(self, module: Any, info: Any) -> None:
        before, known = self._open.pop()
        # A pass that is made of others is told by those.
        if len(self.changes) > known or self._equal(before, module):
            return
        old, new = before.script(), module.script()
        if old != new:
            self.changes.append((str(info.name), old, new))
