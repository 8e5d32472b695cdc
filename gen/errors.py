"""What went wrong, where, and how to put it right.

Every mistake that a user can make is a :class:`Diagnostic` with a stable code out of :data:`CODES`.
Code that finds mistakes collects all of them and raises one :class:`GenError`; only the command
line prints.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

#: Every code, once. A code is never given a second meaning; a code that is no longer raised stays
#: reserved.
CODES: Mapping[str, str] = {
    # E10x: the file itself
    "E101": "file not found or not readable",
    "E102": "not valid YAML",
    "E103": "tab in indentation",
    "E104": "empty spec",
    "E105": "not a spec file name",
    "E106": "not UTF-8 text",
    "E107": "duplicate key",
    # E11x: keys and values
    "E110": "unknown key",
    "E111": "missing key",
    "E112": "wrong type",
    "E113": "value out of range",
    "E114": "value not among the choices",
    "E115": "unknown kind",
    "E116": "not a name",
    "E117": "reserved name",
    "E118": "names clash",
    "E119": "tensor too large",
    # E12x: the expression
    "E120": "expression syntax",
    "E121": "unknown name in the expression",
    "E122": "unknown function",
    "E123": "wrong number of arguments",
    "E124": "unused input",
    "E125": "constant without a value",
    # E13x: fields that contradict each other
    "E130": "dtypes do not go together",
    "E131": "chip does not go with the kind",
    "E132": "two specs of one name",
    "E133": "an option that needs another one",
    # E14x: running a kernel file
    "E140": "an option does not go with the kernel file",
    "E141": "mistake in a launch line",
    "E142": "an input does not fit the kernel",
    "E143": "a file of no known tree",
    "E144": "mistake in what a kernel file expects",
    # E2xx: a plan that no chip can carry out
    "E201": "tile does not fit the memory",
    "E202": "tile is not aligned",
    "E203": "not supported by this tree",
    "E204": "a form that the spec does not ask for",
    # E3xx: from plan to files
    "E301": "fault in a template",
    "E302": "cannot write the output",
    # E4xx: from text to something that runs
    "E401": "compiler not installed",
    "E402": "the tree's compiler rejects the kernel",
    "E403": "no kernel in the file",
    "E404": "the tree's compiler crashed or ran too long",
    "E405": "the model does not take the emitted source",
    "E406": "the tree's compiler cannot be installed",
    # E5xx: the machine
    "E501": "the cache folder cannot be used",
    "E502": "the C++ compiler was stopped",
    # E6xx: the command line
    "E601": "no rule of this name",
    "E602": "a kernel that is not clean cannot be broken",
    "E603": "no such mutant",
}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake.

    ``line`` and ``column`` count from 1 (columns in characters); 0 means the whole file. ``length``
    is the number of characters to underline. ``help`` says what to write instead, in one sentence,
    or is empty.
    """

    code: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    length: int = 1
    source_line: str = ""
    help: str = ""

    def to_json(self) -> dict[str, Any]:
        """A JSON object with the fields of this class plus ``title``, the meaning of the code."""
        return {**asdict(self), "title": CODES.get(self.code, "")}


class GenError(Exception):
    """One or more mistakes of the user, all that could be found in one go."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        if not self.diagnostics:
            raise ValueError("a GenError needs at least one diagnostic")
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(render(d, color=False) for d in self.diagnostics)


_RESET, _BOLD, _RED, _BLUE, _CYAN = "\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[1;34m", "\x1b[1;36m"


def render(diagnostic: Diagnostic, color: bool = False) -> str:
    """The text of one mistake as a terminal shows it: code, sentence, place, source line with
    carets, help."""

    def paint(style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if color else text

    d = diagnostic
    out = [paint(_RED, f"error[{d.code}]") + paint(_BOLD, f": {_printable(d.message)}")]
    gutter = " " * max(len(str(d.line)), 1)
    if d.path:
        place = f"{d.path}:{d.line}:{d.column}" if d.line else d.path
        out.append(f"{gutter}{paint(_BLUE, '-->')} {_printable(place)}")
    if d.line and d.path:
        bar = paint(_BLUE, "|")
        shown, start, width = _window(d.source_line, d.column - 1, max(d.length, 1))
        out.append(f"{gutter} {bar}")
        out.append(f"{paint(_BLUE, str(d.line))} {bar} {shown}".rstrip())
        out.append(f"{gutter} {bar} {' ' * start}{paint(_RED, '^' * width)}")
    if d.help:
        out.append(f"{gutter} {paint(_BLUE, '=')} {paint(_CYAN, 'help')}: {_printable(d.help)}")
    return "\n".join(out)


def suggest(word: str, choices: Iterable[str]) -> str:
    """:func:`suggestion` of the closest choice, or an empty string when nothing is close."""
    pool = sorted(set(choices))
    lower = {c.lower(): c for c in pool}
    if word.lower() in lower:
        return suggestion(lower[word.lower()])
    found = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return suggestion(lower[found[0]]) if found else ""


def suggestion(word: str) -> str:
    """The question whether this word was meant."""
    return f"did you mean `{word}`?"


def hints(*parts: str) -> str:
    """The parts that are not empty, as one line of help."""
    said = [part for part in parts if part]
    return "".join(
        part + ("" if i == len(said) - 1 else " " if part.endswith("?") else "; ")
        for i, part in enumerate(said)
    )


def listing(words: Sequence[str], last: str = "or") -> str:
    """``a, b or c``, each in backticks."""
    quoted = [f"`{w}`" for w in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def known(what: str, words: Sequence[str]) -> str:
    """``the inputs are a, b and c``, or ``the only input is a``."""
    if len(words) == 1:
        return f"the only {what} is {listing(words)}"
    return f"the {what}s are {listing(words, 'and')}" if words else ""


_LINE_WIDTH = 100


def _printable(text: str) -> str:
    """Control characters (a terminal would obey them) shown as escapes."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def _window(line: str, start: int, length: int) -> tuple[str, int, int]:
    """The part of a long line around the marked span; where the span lies in it, in columns."""
    cells = ["    " if c == "\t" else _printable(c) for c in line]
    cells += [" "] * (start + length - len(cells))
    first, last = 0, len(cells)
    if columns("".join(cells).rstrip()) > _LINE_WIDTH:
        first = max(0, min(start - _LINE_WIDTH // 3, len(cells) - _LINE_WIDTH))
        last = first + _LINE_WIDTH
    before = "…" * (first > 0) + "".join(cells[first:start])
    marked = "".join(cells[start : min(start + length, last)])
    after = "".join(cells[start + length : last]) + "…" * (last < len(cells))
    return before + marked + after, columns(before), max(columns(marked), 1)


def columns(text: str) -> int:
    """Columns of a terminal that a text takes: two for each East Asian wide character."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)
