"""What rendering a plan yields: files, and which of their lines belong to which step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STEPS: tuple[str, ...] = (
    "launch",
    "allocate",
    "load",
    "wait_load",
    "compute",
    "wait_compute",
    "store",
    "release",
    "accumulate",
    "epilogue",
    "host",
)
"""The steps of a kernel, by the names that all trees share."""

FORMS: tuple[str, ...] = ("a_tree", "a_tree_auto", "m_tree", "m_tree_manual", "ascendc")
"""What a kernel can be rendered as, by the names of `gen.plan.Form`: a tree, or a variant of one."""

_TEMPLATES = {"a_tree_auto": "a_tree", "m_tree_manual": "m_tree"}
"""Folder of templates of the variants: the one of their tree."""


@dataclass(frozen=True)
class StepSpan:
    """Lines `first_line` to `last_line` (both included, counted from 1) that belong to `step`."""

    step: str
    first_line: int
    last_line: int


@dataclass(frozen=True)
class RenderedFile:
    """One file of a rendering; `tree` is the form that it belongs to.

    `path` is relative to the folder of the operator (`out/<name>`), with forward slashes. The spans
    in `steps` are ordered by first line; an inner span follows the one that holds it.
    """

    tree: str
    path: str
    text: str
    steps: tuple[StepSpan, ...] = ()

    def steps_at(self, line: int) -> tuple[str, ...]:
        """The steps that `line` belongs to, outermost first."""
        return tuple(s.step for s in self.steps if s.first_line <= line <= s.last_line)


@dataclass(frozen=True)
class Rendering:
    """All files of one operator; `refused` says why a form has none.

    `unasked` are forms that the spec does not ask for.
    """

    name: str
    files: tuple[RenderedFile, ...]
    refused: Mapping[str, str]
    unasked: tuple[str, ...] = ()

    def kernel(self, tree: str) -> RenderedFile | None:
        """The file that holds the kernel of the form `tree`, or None where there is none."""
        return next((f for f in self.files if f.tree == tree), None)

    def of_tree(self, tree: str) -> tuple[RenderedFile, ...]:
        """Every file of the form `tree`, its kernel first."""
        return tuple(f for f in self.files if f.tree == tree)


def files_of(tree: str, name: str, kind: str) -> tuple[tuple[str, str], ...]:
    """(template, path below `out/<name>`) of each file of the form `tree`; the kernel comes first."""
    if tree != "ascendc":
        return ((f"{_TEMPLATES.get(tree, tree)}/{kind}.py", f"{tree}.py"),)
    return (
        (f"ascendc/{kind}.asc", f"ascendc/{name}.asc"),
        ("ascendc/CMakeLists.txt", "ascendc/CMakeLists.txt"),
        ("ascendc/data_utils.h", "ascendc/data_utils.h"),
        ("ascendc/gen_data.py", "ascendc/scripts/gen_data.py"),
        ("ascendc/verify_result.py", "ascendc/scripts/verify_result.py"),
        ("ascendc/README.md", "ascendc/README.md"),
    )
