"""Draws the README's picture: the three sources of specs/add.yaml side by side, as `gen diff` shows them.

python tools/picture.py            writes docs/add.svg
python tools/picture.py --check    exit 1 where it is not what would be drawn now
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from gen.plan import plan
from gen.render import render
from gen.show.diff import TITLES, show
from gen.spec import load

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "add.svg"
WIDTH = 190
"""Terminal columns: three columns of code without a broken line."""
SHOWN = ("load", "wait_load", "compute", "wait_compute", "store", "release")
"""What happens to one tile; launch and allocation would make the picture twice as long."""
ELSEWHERE = r"@font-face \{[^}]*\}"
"""Rich links its font from the network; the picture must not."""


def draw() -> str:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    rendering = render(plan(load(ROOT / "specs" / "add.yaml")))
    show(rendering, tuple(TITLES), console, SHOWN)
    svg = console.export_svg(title="gen diff specs/add.yaml", theme=MONOKAI, unique_id="crosstree")
    return re.sub(ELSEWHERE, "", svg)


def main() -> int:
    drawn = draw()
    if "--check" in sys.argv[1:]:
        return int(TARGET.read_text(encoding="utf-8") != drawn)
    TARGET.write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
