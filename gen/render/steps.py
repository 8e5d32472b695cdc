"""`{% step "load" %} … {% endstep %}`: which text of a template belongs to which step.

While Jinja renders, the tag leaves a pair of private-use characters in the text. `take_marks`
removes them before anything is formatted, so that a formatter never sees a step, and remembers
their places as counts of *significant* characters. Formatters move white space, and black also
adds or drops commas, parentheses, quotes and the backslashes that escape them; every other
character stays, in order. Counting only those others finds each place again in the formatted
text, and comparing them (`locate`) proves that nothing else was changed.
"""

from __future__ import annotations

from dataclasses import dataclass

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

from gen.render.rendering import STEPS, StepSpan

_OPEN, _NAME_END, _CLOSE = "\ue000", "\ue001", "\ue002"
_MOVABLE = frozenset(" \t\r\n\f,()'\"\\")


class StepExtension(Extension):
    """The `step` tag. Its argument is one of `STEPS`, written as a string."""

    tags = {"step"}  # noqa: RUF012  the base class declares it per instance

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        line = next(parser.stream).lineno
        name = parser.stream.expect("string").value
        if name not in STEPS:
            parser.fail(f'there is no step "{name}"; the steps are {", ".join(STEPS)}', line)
        body = parser.parse_statements(("name:endstep",), drop_needle=True)
        opening = nodes.Output([nodes.TemplateData(f"{_OPEN}{name}{_NAME_END}")]).set_lineno(line)
        closing = nodes.Output([nodes.TemplateData(_CLOSE)]).set_lineno(line)
        return [opening, *body, closing]


@dataclass(frozen=True)
class Mark:
    """A step that covers the significant characters `first` to `last` (both included)."""

    step: str
    first: int
    last: int


def take_marks(text: str) -> tuple[str, tuple[Mark, ...]]:
    """`text` without step marks, and the marks; a step that holds no code is dropped."""
    plain: list[str] = []
    marks: list[Mark] = []
    open_steps: list[tuple[str, int, int]] = []
    count = position = 0
    while position < len(text):
        char = text[position]
        if char == _OPEN:
            end = text.index(_NAME_END, position)
            open_steps.append((text[position + 1 : end], count, len(marks)))
            position = end
        elif char == _CLOSE:
            step, first, place = open_steps.pop()
            if count > first:
                marks.insert(place, Mark(step, first, count - 1))
        else:
            plain.append(char)
            count += char not in _MOVABLE
        position += 1
    return "".join(plain), tuple(marks)


def locate(plain: str, formatted: str, marks: tuple[Mark, ...]) -> tuple[StepSpan, ...]:
    """The lines of `formatted`, which is `plain` after a formatter, that `marks` cover.

    Raises ValueError when the formatter changed more than layout.
    """
    if _significant(plain) != _significant(formatted):
        raise ValueError("the formatter changed more than layout; steps cannot be located")
    lines = formatted.split("\n")
    line_of = [n for n, text in enumerate(lines) for char in text if char not in _MOVABLE]
    return tuple(
        StepSpan(
            mark.step,
            _widen(lines, line_of[mark.first], -1, "(") + 1,
            _widen(lines, line_of[mark.last], +1, "),\"'") + 1,
        )
        for mark in marks
    )


def _significant(text: str) -> str:
    return "".join(char for char in text if char not in _MOVABLE).lower()


def _widen(lines: list[str], line: int, direction: int, loose: str) -> int:
    """Goes on over neighbouring lines that hold only `loose` characters, such as a lone `)`."""
    while 0 <= line + direction < len(lines) and lines[line + direction].strip():
        if lines[line + direction].strip(loose + " "):
            break
        line += direction
    return line
