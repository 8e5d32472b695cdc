"""``gen render``: specs -> files."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Sequence
from enum import Enum, auto
from pathlib import Path

from gen.cli.exits import Exit
from gen.cli.guard import print_json
from gen.errors import Diagnostic, GenError
from gen.render.remembered import remember, remembered
from gen.render.rendering import FORMS, Rendering
from gen.render.writer import FileState, compare, write


class Mode(Enum):
    """What becomes of the renderings."""

    WRITE = auto()
    CHECK = auto()
    LIST = auto()


_DONE = {"new": "written", "changed": "written", "stale": "removed", "unchanged": "unchanged"}
_TO_DO = {"new": "missing", "changed": "different", "stale": "stale", "unchanged": "unchanged"}


def render_specs(
    specs: Sequence[str], out: str, named: Collection[str], mode: Mode, *, as_json: bool
) -> Exit:
    """Renders all specs below the folder ``out``, in the forms ``named`` or else in all that they ask for.

    Nothing is written if one fails.
    """
    trees = named or FORMS
    known = remembered(specs[0], trees) if len(specs) == 1 else None
    renderings = [known] if known else _render_all(specs, trees)
    if named:
        _require_asked(specs, renderings)
    act = write if mode is Mode.WRITE else compare
    states = {r.name: act(r, Path(out)) for r in renderings}
    if as_json:
        print_json({"renderings": [_json(r, states[r.name]) for r in renderings]})
    else:
        _print(renderings, states, mode)
    changed = any(s.state != "unchanged" for found in states.values() for s in found)
    if mode is not Mode.CHECK or not changed:
        return Exit.CLEAN
    if not as_json:
        print("help: the same command without --check writes them", file=sys.stderr)
    return Exit.FINDINGS


def _render_all(specs: Sequence[str], trees: Collection[str]) -> list[Rendering]:
    """The renderings of some forms, or GenError with the mistakes of all specs."""
    from gen.plan import plan
    from gen.render import render
    from gen.spec import load_all

    renderings: list[Rendering] = []
    found: list[Diagnostic] = []
    for path, spec in zip(specs, load_all(specs), strict=True):
        try:
            renderings.append(render(plan(spec), trees))
            remember(path, trees, renderings[-1])
        except GenError as error:
            found += error.diagnostics
    if found:
        raise GenError(found)
    return renderings


def _require_asked(specs: Sequence[str], renderings: Sequence[Rendering]) -> None:
    """Raises GenError (E204) where a spec does not ask for a form that was named."""
    for path, rendering in zip(specs, renderings, strict=True):
        if rendering.unasked:
            from gen.cli.forms import require_among

            require_among(path, rendering.unasked, ())


def _print(
    renderings: Sequence[Rendering],
    states: dict[str, tuple[FileState, ...]],
    mode: Mode,
) -> None:
    words = _DONE if mode is Mode.WRITE else _TO_DO
    for rendering in renderings:
        for state in states[rendering.name]:
            if mode is Mode.LIST or state.state != "unchanged":
                print(f"{words[state.state]:<9} {state.path}")
        for tree, reason in rendering.refused.items():
            print(f"note: {rendering.name} has no {tree} rendering: {reason}", file=sys.stderr)
    count = Counter(words[s.state] for found in states.values() for s in found)
    print(", ".join(f"{n} file{'s' * (n != 1)} {word}" for word, n in count.items()))


def _json(rendering: Rendering, states: Sequence[FileState]) -> dict[str, object]:
    return {
        "name": rendering.name,
        "files": [{"path": str(s.path), "state": s.state} for s in states],
        "refused": dict(rendering.refused),
    }
