"""Plan → the text of three kernels, with the step that every line belongs to."""

from gen.render.edited import edited
from gen.render.renderer import render
from gen.render.rendering import STEPS, TREES, RenderedFile, Rendering, StepSpan
from gen.render.template import render_template, templates_folder
from gen.render.writer import FileState, compare, write

__all__ = [
    "STEPS",
    "TREES",
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
