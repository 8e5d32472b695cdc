"""What the headers here declare: the forms of a function, the members of a type.

A function that is written by a macro has its form where the macro is defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gen.compile.cpp_log import Said
from gen.compile.cpp_text import blank, closing
from gen.compile.cpp_types import plain_type, split
from gen.sim.build import INCLUDE

_CANDIDATE = re.compile(r"^candidate\b|^provided for\b")
_MACRO = re.compile(r"^in definition of macro|^expanded from macro")
_TYPE = r"\b(?:enum(?:\s+class)?|struct|class)\s+(?P<name>\w+)(?: final)?(?:\s*:[^;{()]*)?\s*(?P<open>\{)"


_KEYWORDS = {"default", "delete", "this", "return", "true", "false", "nullptr", "const"}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a form."""

    type: str
    name: str
    has_default: bool

    def __str__(self) -> str:
        return f"{self.type} {self.name}".strip()


@dataclass(frozen=True)
class Form:
    """One way to call a function; `templates` are the words of its template parameters, `reasons` say why it did not
    fit."""

    name: str
    templates: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    reasons: tuple[str, ...]

    @property
    def least(self) -> int:
        """Arguments that it needs."""
        return sum(not p.has_default for p in self.parameters)

    def takes(self, count: int) -> bool:
        """Whether so many arguments can be right."""
        return self.least <= count <= len(self.parameters)

    def __str__(self) -> str:
        taken = " ".join(p.type for p in self.parameters)
        named = [plain_type(w) for w in self.templates if "=" not in w]
        given = [w for w in named if not re.search(rf"\b{w.split()[-1]}\b", taken)]
        shown = f"<{', '.join(given)}>" if given else ""
        return f"{self.name}{shown}({', '.join(map(str, self.parameters))})"


def forms_in(notes: Sequence[Said], name: str) -> list[Form]:
    """The candidates that the notes of an error name, as their declarations have them."""
    starts = [i for i, note in enumerate(notes) if _CANDIDATE.match(note.said)]
    # clang gives a candidate and why it is ignored in one note, g++ in two or three.
    found: list[Form] = []
    places: set[tuple[str, int]] = set()
    for start, end in zip(starts, [*starts[1:], len(notes)], strict=True):
        group = notes[start:end]
        at = next((n for n in group if _MACRO.match(n.said)), group[0])
        declared = _declaration(at)
        if declared and (at.file, at.line) not in places:
            places.add((at.file, at.line))
            reasons = tuple(n.said for n in group if not _MACRO.match(n.said))
            found.append(Form(name, *declared, reasons))
    return found


def _declaration(at: Said) -> tuple[tuple[str, ...], tuple[Parameter, ...]] | None:
    """The template parameters and the parameters of the function whose name stands at a place."""
    lines = _lines(Path(at.file))
    if at.line > len(lines):
        return None
    below = "\n".join([lines[at.line - 1][at.column - 1 :], *lines[at.line : at.line + 12]])
    head = re.match(r"\w+(?:##\w+)*\s*(?=\()", below)
    end = closing(below, head.end()) if head else -1
    if head is None or end < 0:
        return None
    parameters = tuple(map(_parameter, split(below[head.end() + 1 : end])))
    above = " ".join(
        [*lines[max(0, at.line - 4) : at.line - 1], lines[at.line - 1][: at.column - 1]]
    )
    templates = list(re.finditer(r"template <", above.rsplit(";", 1)[-1].rsplit("}", 1)[-1]))
    if not templates:
        return (), parameters
    words = above.rsplit(";", 1)[-1].rsplit("}", 1)[-1][templates[-1].end() :]
    return tuple(split(words[: _template_close(words)])), parameters


def _template_close(words: str) -> int:
    """Offset of the `>` that ends a list of template parameters."""
    depth = 0
    for i, char in enumerate(words):
        depth += (char == "<") - (char == ">")
        if depth < 0:
            return i
    return len(words)


def _parameter(words: str) -> Parameter:
    bare, default, _ = words.partition("=")
    match = re.match(
        r"(?P<type>.*?[\s&*>])(?P<name>\w+)?\s*(?:\[\w*\])?\s*$", f"{bare.strip()} ".rstrip()
    )
    if match is None or match["name"] is None or match["type"].strip() == "const":
        return Parameter(plain_type(bare), "", bool(default))
    return Parameter(plain_type(match["type"]), match["name"], bool(default))


@cache
def _lines(path: Path) -> tuple[str, ...]:
    """Lines without comments and without the backslashes of macros; columns stay."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(re.sub(r"\\$", " ", line) for line in blank(text).split("\n"))


@dataclass(frozen=True)
class _Declared:
    """A type of the headers."""

    name: str
    is_enum: bool
    members: tuple[str, ...]


def members(type_name: str) -> tuple[str, ...]:
    """Enumerators of an enum, fields and functions of a struct or class of the headers; empty where it is none."""
    name = _aliases().get(type_name, type_name)
    return next((t.members for t in _types() if t.name == name), ())


def is_record(type_name: str) -> bool:
    """Whether it is an enum or a struct of parameters: a type with all of whose members a kernel may be written."""
    name = _aliases().get(type_name, type_name)
    found = next((t for t in _types() if t.name == name), None)
    return found is not None and (
        found.is_enum or bool(re.search(r"Params?|Config|Info$", type_name))
    )


def is_enum(type_name: str) -> bool:
    """Whether it is an enum of the headers."""
    name = _aliases().get(type_name, type_name)
    return any(t.is_enum for t in _types() if t.name == name)


def enum_of(word: str) -> str:
    """The enum of the headers that has this enumerator, or an empty string."""
    return next((t.name for t in _types() if t.is_enum and word in t.members), "")


@cache
def words() -> frozenset[str]:
    """All words of the headers."""
    return frozenset(re.findall(r"\w+", " ".join(_headers())))


@cache
def constructors(type_name: str) -> tuple[tuple[str, ...], ...]:
    """The parameters of the constructors of a struct, in the words of its fields."""
    pattern = re.compile(rf"\bconstexpr {type_name}\(")
    found: list[tuple[str, ...]] = []
    for text in _headers():
        for match in pattern.finditer(text):
            end = closing(text, match.end() - 1)
            fields = re.findall(r"[:,]\s*(\w+)\(", text[end : text.find("{", end)])
            names = [_parameter(p).name for p in split(text[match.end() : end])]
            found.append(tuple(fields if len(fields) == len(names) else names))
    return tuple(found)


@cache
def _aliases() -> dict[str, str]:
    """Types that have two names."""
    return dict(re.findall(r"\busing (\w+) = (\w+);", " ".join(_headers())))


@cache
def _types() -> tuple[_Declared, ...]:
    return tuple(entry for text in _headers() for entry in _types_in(text))


def _types_in(text: str) -> Iterator[_Declared]:
    for match in re.finditer(_TYPE, text):
        end = closing(text, match.start("open"))
        inside, is_enum = text[match.end() : end], match[0].startswith("enum")
        # Functions of the interface begin with a capital letter; what ends with _ is private.
        pattern = (
            r"(?:^|,)\s*(\w+)"
            if is_enum
            else r"\b([A-Z]\w+)(?=\()|\b([a-z]\w*[A-Za-z0-9])(?=\s*[;=,])"
        )
        found = dict.fromkeys("".join(m) for m in re.findall(pattern, inside))
        yield _Declared(match["name"], is_enum, tuple(w for w in found if w not in _KEYWORDS))


@cache
def _headers() -> tuple[str, ...]:
    files = [p for face in ("ascendc", "c_api") for p in sorted((INCLUDE / face).rglob("*.h"))]
    return tuple(blank(path.read_text("utf-8")) for path in files)
