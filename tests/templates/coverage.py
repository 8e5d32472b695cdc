"""Which lines of the templates a set of specs renders."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from gen.plan import plan
from gen.render import render, templates_folder
from gen.render.template import environment
from gen.spec import Spec

Line = tuple[str, int]


def all_lines() -> set[Line]:
    """Every line that Jinja's compiler knows: (template, line), over all templates."""
    folder = templates_folder()
    return {line for name in environment(folder).list_templates() for line in _lines_of(name)}


def _lines_of(name: str) -> Iterator[Line]:
    template = environment(templates_folder()).get_template(name)
    code = {line for function in _functions(_module_code(template)) for line in _starts(function)}
    for line in code:
        yield name, template.get_corresponding_lineno(line)


def _module_code(template: Any) -> CodeType:
    source = template.environment.loader.get_source(template.environment, template.name)[0]
    compiled: CodeType = template.environment.compile(source, template.name, template.filename)
    return compiled


def _functions(code: CodeType) -> Iterator[CodeType]:
    """The render functions, blocks and macros: what runs when a template is rendered."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _functions(constant)


def _starts(code: CodeType) -> set[int]:
    return {line for _, _, line in code.co_lines() if line}


def rendered_lines(specs: list[Spec]) -> set[Line]:
    """The lines that rendering `specs` runs, by tracing the code that Jinja compiled."""
    folder = templates_folder()
    environment.cache_clear()  # imported macros would not run a second time
    made = environment(folder)
    seen: set[tuple[str, int]] = set()

    def local(frame: FrameType, event: str, _: object) -> Any:
        seen.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename.startswith(str(folder)):
            return local(frame, event, _)
        return None

    plans = [plan(spec) for spec in specs]
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for planned in plans:
            render(planned)
    finally:
        sys.settrace(before)
    found = set()
    for file, line in seen:
        name = Path(file).relative_to(folder).as_posix()
        found.add((name, made.get_template(name).get_corresponding_lineno(line)))
    return found
