"""YAML text -> nodes with their places, going on behind a syntax error.

ruamel.yaml stops at the first syntax error. So that a user sees the mistakes of the whole file at
once, the top-level entry with the error is blanked and the rest is read again.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field

from ruamel.yaml.composer import Composer
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.main import YAML
from ruamel.yaml.nodes import MappingNode, Node
from ruamel.yaml.reader import ReaderError

MAX_SYNTAX_ERRORS = 20

# The line breaks of YAML 1.2.2, section 5.4, and those that its predecessor knew: ruamel.yaml
# counts all of them.
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class SyntaxFlaw:
    """A place where the text is not YAML; ``line`` and ``column`` count from 1."""

    code: str
    message: str
    line: int
    column: int
    help: str = ""


@dataclass(slots=True)
class Document:
    """A file as far as it could be read."""

    lines: list[str]
    root: Node | None = None
    flaws: list[SyntaxFlaw] = field(default_factory=list)
    #: Top-level keys whose entries could not be read.
    lost: set[str] = field(default_factory=set)


def split_lines(text: str) -> list[str]:
    """The lines of a text as YAML counts them, without their line breaks."""
    return _BREAK.split(text)


def read(text: str) -> Document:
    """All that can be read of a text; never raises."""
    document = Document(split_lines(text))
    current = list(document.lines)
    for _ in range(MAX_SYNTAX_ERRORS):
        try:
            document.root = _compose("\n".join(current))
            return document
        except (YAMLError, RecursionError) as error:
            if not _blank(document, current, error):
                return document
    return document


def _compose(text: str) -> Node | None:
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = Composer
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about anchors that are given twice, which is legal
        root: Node | None = yaml.compose(text)
    return root


def _blank(document: Document, lines: list[str], error: Exception) -> bool:
    """Note the error and take its cause out of ``lines``; False when nothing is left to take."""
    if _blames_tab(error, lines):
        tabs = _tabs(lines)
        if tabs:
            document.flaws += tabs
            for flaw in tabs:
                line = lines[flaw.line - 1]
                lead = len(line) - len(line.lstrip(" \t"))
                lines[flaw.line - 1] = line[:lead].replace("\t", " ") + line[lead:]
            return True
    flaw, cause = _flaw(error, lines)
    if not any(f.line == flaw.line for f in document.flaws):  # one line, one syntax error
        document.flaws.append(flaw)
    if isinstance(error, ReaderError):
        line = lines[flaw.line - 1]
        lines[flaw.line - 1] = line[: flaw.column - 1] + "?" + line[flaw.column :]
        return True
    return _blank_entry(document, lines, min(cause, len(lines) - 1))


def _blames_tab(error: Exception, lines: list[str]) -> bool:
    if not isinstance(error, MarkedYAMLError) or error.problem_mark is None:
        return False
    line = lines[min(error.problem_mark.line, len(lines) - 1)]
    return "\\t" in str(error.problem) or "\t" in line[: len(line) - len(line.lstrip())]


def _tabs(lines: list[str]) -> list[SyntaxFlaw]:
    help = "YAML indents with spaces; replace each tab by two spaces"
    found = []
    for number, line in enumerate(lines, 1):
        lead = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in lead and line.strip():
            column = lead.index("\t") + 1
            found.append(SyntaxFlaw("E103", "a tab is used to indent", number, column, help))
    return found


def _blank_entry(document: Document, lines: list[str], at: int) -> bool:
    """Blank the top-level entry that holds line ``at`` (from 0)."""
    start = at
    while start > 0 and not _opens_entry(lines[start]):
        start -= 1
    end = start + 1
    while end < len(lines) and not _opens_entry(lines[end]):
        end += 1
    if not any(line.strip() for line in lines[start:end]):
        return False
    for line in lines[start:end]:
        document.lost |= set(re.findall(r"(\w+)['\"]?\s*:", line))
    lines[start:end] = [""] * (end - start)
    return True


def _opens_entry(line: str) -> bool:
    return bool(line.strip()) and line[0] not in " \t#}])-,"


def _flaw(error: Exception, lines: list[str]) -> tuple[SyntaxFlaw, int]:
    """The error in our words, and the line (from 0) where its cause begins."""
    if isinstance(error, ReaderError):
        line, column = _position("\n".join(lines), int(error.position))
        message = f"the character {chr(_code(error.character))!a} is not allowed in YAML"
        return SyntaxFlaw("E102", message, line + 1, column + 1), line
    if isinstance(error, MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        cause = error.context_mark or mark
        if mark is not None and cause is not None:
            message, help, at_cause = _explain(error)
            if at_cause or mark.line >= len(lines) or not lines[mark.line].strip():
                mark = cause
            return SyntaxFlaw("E102", message, mark.line + 1, mark.column + 1, help), cause.line
    if isinstance(error, RecursionError):
        return SyntaxFlaw("E102", "the file is nested too deeply", 1, 1), 0
    return SyntaxFlaw("E102", f"not valid YAML: {' '.join(str(error).split())}", 1, 1), 0


def _code(character: object) -> int:
    return character if isinstance(character, int) else ord(str(character)[0])


def _position(text: str, index: int) -> tuple[int, int]:
    before = split_lines(text[:index])
    return len(before) - 1, len(before[-1])


@dataclass(frozen=True, slots=True)
class _Wording:
    """What ruamel.yaml says (a part of it), and how we say it."""

    part: str
    message: str
    help: str = ""
    at_cause: bool = False  # point at where the broken construct begins


_WORDINGS = (
    _Wording(
        "mapping values are not allowed",
        "a `:` is not expected here",
        "put a value that contains `: ` in quotes, and begin all keys in one column",
    ),
    _Wording(
        "could not find expected ':'",
        "this is no `key: value` entry",
        "put a `:` and a space behind the key",
        at_cause=True,
    ),
    _Wording("expected ',' or '}'", "this `{` is not closed, or a comma is missing", "", True),
    _Wording("expected ',' or ']'", "this `[` is not closed, or a comma is missing", "", True),
    _Wording(
        "expected <block end>",
        "this does not continue what stands above",
        "begin all keys of a mapping in one column",
    ),
    _Wording(
        "undefined alias",
        "`*` in front of a value refers to an anchor, and there is none of that name",
        "put the value in quotes",
    ),
    _Wording(
        "cannot start any token", "a value cannot begin with this character", "put it in quotes"
    ),
    _Wording(
        "expected alphabetic or numeric",
        "`*` or `&` in front of a value must be followed by a name",
        "put the value in quotes",
    ),
    _Wording("unexpected end of stream", "this quote is never closed", "", at_cause=True),
    _Wording(
        "another document",
        "a second document begins here",
        "a file holds one spec; put the next one in a file of its own",
    ),
    _Wording("unknown escape character", "this escape is unknown in YAML", "use single quotes"),
)


def _explain(error: MarkedYAMLError) -> tuple[str, str, bool]:
    """Message, help, and whether the beginning of the construct is to blame."""
    problem = " ".join(str(error.problem or error.context or "cannot be read").split())
    context = " ".join(str(error.context or "").split())
    said = f"{context}: {problem}" if context and context != problem else problem
    for wording in _WORDINGS:
        if wording.part in said:
            return wording.message, wording.help, wording.at_cause
    return f"not valid YAML: {said}", "", False


def is_mapping(node: Node | None) -> bool:
    """Whether the node is a mapping."""
    return isinstance(node, MappingNode)
