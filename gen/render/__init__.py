"""Plan → the text of three kernels, with the step that every line belongs to.

Names load what they need when they are first used: to put a rendering on disk, no template has to be read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gen.render.edits import edited
    from gen.render.folder import templates_folder
    from gen.render.renderer import render
    from gen.render.rendering import FORMS, STEPS, RenderedFile, Rendering, StepSpan
    from gen.render.template import render_template
    from gen.render.writer import FileState, compare, write

__all__ = [
    "FORMS",
    "STEPS",
    "FileState",
    "RenderedFile",
    "Rendering",
    "StepSpan",
    "compare",
    "edited",
    "render",
    "render_template",
    "templates_folder",
    "write",
]

_HOMES = {
    "edits": ("edited",),
    "folder": ("templates_folder",),
    "renderer": ("render",),
    "rendering": ("STEPS", "FORMS", "RenderedFile", "Rendering", "StepSpan"),
    "template": ("render_template",),
    "writer": ("FileState", "compare", "write"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
