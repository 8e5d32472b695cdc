"""Renderings from one run to the next, by the content of the spec: what did not change is not made again."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gen.cache import content_key, keep, recall
from gen.render.folder import templates_folder
from gen.render.rendering import RenderedFile, Rendering, StepSpan

if TYPE_CHECKING:
    from gen.plan import Plan

PART = "renderings"
_FORMATTERS = ("black", "clang_format")
_MAKERS = ("chips", "plan", "render", "spec")
"""Packages whose sources decide what a spec is rendered to."""


def rendered(plan: Plan) -> Rendering:
    """As `gen.render.render`, but only once for each plan: the templates' language takes time to load, too."""
    key = _key(repr(plan))
    known = _recalled(key)
    if known is None:
        from gen.render.renderer import render

        known = render(plan)
        _keep(key, known)
    return known


def remembered(spec: str, trees: Collection[str]) -> Rendering | None:
    """The rendering of a spec file for `trees`, where an earlier run has left it."""
    return _recalled(_key_of_file(spec, trees))


def remember(spec: str, trees: Collection[str], rendering: Rendering) -> None:
    """Leaves `rendering` for later runs."""
    _keep(_key_of_file(spec, trees), rendering)


def _recalled(key: str) -> Rendering | None:
    kept = recall(PART, key) if key else None
    if kept is None:
        return None
    try:
        return _read(json.loads(kept))
    except (ValueError, KeyError, TypeError):
        return None


def _keep(key: str, rendering: Rendering) -> None:
    if key:
        keep(PART, key, json.dumps(asdict(rendering)).encode())


def _read(data: dict[str, Any]) -> Rendering:
    files = tuple(
        RenderedFile(f["tree"], f["path"], f["text"], tuple(StepSpan(**s) for s in f["steps"]))
        for f in data["files"]
    )
    return Rendering(data["name"], files, data["refused"], tuple(data["unasked"]))


def _key_of_file(spec: str, trees: Collection[str]) -> str:
    """Empty where there is no such file: that is for others to say."""
    try:
        text = Path(spec).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return _key(spec, text, *sorted(trees))


def _key(*parts: str) -> str:
    """Empty where there is no formatter: that is for others to say."""
    try:
        return content_key(*parts, sys.version, *map(_state, _sources()))
    except OSError:
        return ""


def _sources() -> Iterator[Path]:
    """Every file that has a part in a rendering; raises OSError where one is missing."""
    package = Path(__file__).parents[1]
    for folder in (*(package / name for name in _MAKERS), templates_folder()):
        yield from (p for p in sorted(folder.rglob("*")) if p.suffix != ".pyc")
    yield package / "errors.py"
    for name in _FORMATTERS:
        found = find_spec(name)
        if found is None or found.origin is None:
            raise FileNotFoundError(name)
        yield Path(found.origin)


def _state(path: Path) -> str:
    stat = path.stat()
    return f"{path} {stat.st_size} {stat.st_mtime_ns}"
