"""Consoles for what rich prints."""

from __future__ import annotations

import os
import sys
from typing import Any

from rich.console import Console

#: Columns of output that goes to a file or a log, where nothing says how wide it may be: three
#: columns of code side by side.
UNBOUND_WIDTH = 160


class PipeConsole(Console):
    """A console whose text is printed as it is, and whose reader may leave."""

    def __init__(self, **options: Any) -> None:
        super().__init__(emoji=False, **options)

    def on_broken_pipe(self) -> None:
        """Leaves it to the guard of commands: that the reader left is no finding."""
        raise BrokenPipeError


def stdout_console() -> Console:
    """A console on stdout: as wide as the terminal, or as COLUMNS says; NO_COLOR is honoured."""
    bound = sys.stdout.isatty() or "COLUMNS" in os.environ
    return PipeConsole(width=None if bound else UNBOUND_WIDTH)
