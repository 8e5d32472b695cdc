"""Where the process begins: signals, and exceptions that no command has caught."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

from gen.cli.exits import Exit


def main() -> NoReturn:
    """Runs the command line and ends the process with its exit status."""
    # pydantic otherwise looks for plug-ins in every installed distribution, which takes longer
    # than reading a spec
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    signal.signal(signal.SIGTERM, _terminate)
    try:
        from gen.cli.app import app

        app(prog_name="gen")
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
    sys.exit(Exit.CLEAN)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    """Leave like Ctrl-C does: unfinished files are removed on the way out."""
    sys.exit(Exit.TERMINATED)
