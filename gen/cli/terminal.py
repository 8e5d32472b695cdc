"""Consoles for what rich prints."""

from __future__ import annotations

import os
import sys

from rich.console import Console

#: Columns of output that goes to a file or a log, where nothing says how wide it may be: three
#: columns of code side by side.
UNBOUND_WIDTH = 160


def stdout_console() -> Console:
    """A console on stdout: as wide as the terminal, or as COLUMNS says; NO_COLOR is honoured."""
    bound = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if bound else UNBOUND_WIDTH)
