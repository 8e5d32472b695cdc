"""Turning one template into one file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from traceback import extract_tb
from types import TracebackType

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
)

from gen.errors import Diagnostic, GenError
from gen.render.compiled import CompiledTemplates
from gen.render.filters import install, spell
from gen.render.folder import templates_folder
from gen.render.formatting import FormatError, format_text
from gen.render.rendering import RenderedFile
from gen.render.steps import StepExtension, locate, take_marks

SUFFIX = ".jinja"


@cache
def environment(folder: Path) -> Environment:
    """Jinja for code: undefined names are errors, tags leave no white space behind."""
    made = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        extensions=[StepExtension],
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        finalize=spell,
        bytecode_cache=CompiledTemplates(),
    )
    install(made)
    return made


def render_template(
    template: str,
    variables: Mapping[str, object],
    *,
    tree: str,
    path: str,
    folder: Path | None = None,
) -> RenderedFile:
    """Renders `template` (a path below `folder`, without `.jinja`) to the file `path`.

    `folder` is the project's own templates unless given. Raises GenError, which names the
    template's file and line, for a template that does not parse, uses a name that is not defined,
    or yields text that its formatter refuses.
    """
    folder = folder or templates_folder()
    name = template + SUFFIX
    try:
        marked = environment(folder).get_template(name).render(variables)
    except TemplateSyntaxError as error:
        place = error.name or name
        raise _fault(folder, place, error.lineno, error.message or "syntax error") from error
    except TemplateNotFound as error:
        message = f"there is no template {error.name}"
        raise _fault(folder, *_innermost(error.__traceback__, folder, name), message) from error
    except Exception as error:  # whatever an expression of the template raised
        message = f"{type(error).__name__}: {error}"
        raise _fault(folder, *_innermost(error.__traceback__, folder, name), message) from error
    plain, marks = take_marks(marked)
    try:
        text = format_text(plain, path)
        return RenderedFile(tree, path, text, locate(plain, text, marks))
    except (FormatError, ValueError) as error:
        raise _fault(folder, name, 0, f"{path}: {error}") from error


def _innermost(trace: TracebackType | None, folder: Path, name: str) -> tuple[str, int]:
    """Template and line of the last frame that lies in a template."""
    for frame in reversed(extract_tb(trace)):
        if frame.filename.endswith(SUFFIX):
            return Path(frame.filename).relative_to(folder).as_posix(), frame.lineno or 0
    return name, 0


def _fault(folder: Path, name: str, line: int, message: str) -> GenError:
    """A fault at `line` of the template `name`; line 0 where only the template is known."""
    file = folder / name
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    source = lines[line - 1] if 0 < line <= len(lines) else ""
    code = source.strip()
    diagnostic = Diagnostic(
        code="E301",
        message=message,
        path=f"{folder.name}/{name}",
        line=line,
        column=source.index(code) + 1,
        length=max(len(code), 1),
        source_line=source,
        help="the template is at fault here, not the spec",
    )
    return GenError([diagnostic])
