"""What runs around a kernel file's own script, in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path

import gen


def environment() -> dict[str, str]:
    """What the process gets: it finds this package, leaves no files beside the script, and has sets in one order."""
    root = str(Path(gen.__file__).resolve().parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
    }
