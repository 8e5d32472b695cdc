"""``gen diff``: the trees of one spec side by side, step by step."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from gen.cli.exits import Exit
from gen.cli.forms import require_asked
from gen.cli.guard import print_json
from gen.cli.terminal import stdout_console
from gen.plan import plan
from gen.render import STEPS, render
from gen.show.diff import KERNEL_STEPS, TITLES, show, to_json, visible_trees
from gen.spec import load


def show_diff(spec: str, trees: Sequence[str], *, host: bool, as_json: bool) -> Exit:
    """Prints the renderings of a spec, aligned by step; no trees: as many as the terminal holds."""
    loaded = load(spec)
    require_asked(loaded, trees)
    rendering = render(plan(loaded))
    if as_json:
        print_json(to_json(rendering))
        return Exit.CLEAN
    console = stdout_console()
    visible = visible_trees(rendering, trees, console.width)
    show(rendering, visible, console, STEPS if host else KERNEL_STEPS)
    hidden = [TITLES[t] for t in TITLES if rendering.kernel(t) and t not in visible]
    if hidden and not trees:
        note = "hidden in a terminal this narrow; widen it, or choose with --tree"
        verb = "is" if len(hidden) == 1 else "are"
        print(f"note: {' and '.join(hidden)} {verb} {note}", file=sys.stderr)
    return Exit.CLEAN
