"""Runs a script of a sample: `python -m … SEED SCRIPT [arguments]`. Twice the same inputs, and nothing is left running."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from gen.check.foreign.script_host.chance import seed
from gen.compile.process_tree import adopt_orphans, end_descendants


def main() -> None:
    """Runs the script as a program that lies where it does."""
    adopt_orphans()
    number, sys.argv = int(sys.argv[1]), sys.argv[2:]
    script = Path(sys.argv[0])
    seed(number, with_torch="torch" in script.read_text("utf-8", "replace"))
    sys.path.insert(0, str(script.parent))
    try:
        runpy.run_path(str(script), run_name="__main__")
    finally:
        end_descendants()


if __name__ == "__main__":
    main()
