"""What the C++ compiler says of a kernel as mistakes of the kernel: one for each, where it stands, in the API's words.

What is missing here though the interface has it is E405; everything else is E402.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from gen.chips import Chip
from gen.compile.absent import absent_names, listed
from gen.compile.cpp_calls import braces_of, call_of, explain
from gen.compile.cpp_forms import enum_of, is_enum, is_record, members, words
from gen.compile.cpp_log import CppError, Said, errors_of
from gen.compile.cpp_text import blank
from gen.compile.cpp_types import plain, plain_type, split
from gen.compile.documented import MEMBERS_NOT_HERE, NAMES
from gen.errors import Diagnostic, hints, known, suggestion

MOST = 20
"""Mistakes of one file that are told."""
_CHIPS = {"ascend910b": "Ascend 910B", "ascend950": "Ascend 950"}

_Q, _E = "[‘'\"]", "[’'\"]"
_MEMBER = re.compile(
    rf"{_Q}(?P<name>\w+){_E} is not a member of {_Q}(?P<scope>[\w:]+)"
    rf"|{_Q}(?:class |struct )?(?P<of>[\w:]+)(?:<.*>)?{_E} has no member named {_Q}(?P<field>\w+){_E}"
    rf"|no (?:member|template|type) named {_Q}(?P<named>\w+){_E} in (?:namespace )?{_Q}(?P<inside>[\w:]+)"
)
_UNDECLARED = re.compile(
    rf"{_Q}(?P<name>\w+){_E} (?:was not declared|has not been declared|does not name a type)"
    rf"|(?:use of undeclared identifier|unknown type name) {_Q}(?P<other>\w+){_E}"
)
_CONVERSION = re.compile(
    rf"(?:cannot convert|(?:invalid )?conversion from|no viable conversion from|could not convert) {_Q}(?P<a>.+?){_E}"
    rf"(?: \(.*?\))?(?: \{{aka [^}}]*\}})?(?: from .*?)? to (?:non-scalar type )?{_Q}(?P<b>.+?){_E}"
)
_ASSERTED = re.compile(r"static assertion failed(?: due to requirement .*?)?: (?P<said>.+)")
_TAKES = re.compile(r"\btakes<(?P<inside>.*)>")
_WITH = re.compile(r"\[with (?P<types>.*)\]")
_UNREADABLE = re.compile(
    r"^expected (?![‘'];)|^a function-definition is not allowed|before .* token$"
)


def mistakes(path: Path, text: str, place: Path, log: str, chip: Chip) -> list[Diagnostic]:
    """What `log` says of the source at `place`, made of the kernel `text` at `path`; empty where it names no place.

    Files beside `place` are those beside `path`.
    """
    emitted = place.read_text("utf-8") if place.is_file() else text
    own = _own(place)
    found: list[Diagnostic] = []
    undeclared: set[str] = set()
    absent: dict[str, int] = {}
    for error in errors_of(log):
        at = error.place(own)
        if at is None:
            continue
        if (name := _undeclared(error.said)) in undeclared:
            continue
        diagnostic = _diagnostic(error, at, path, text, emitted, place, chip)
        if diagnostic.code == "E405":
            absent |= absent_names(f"error: {error.said}", emitted)
        if _follows(diagnostic, found):
            continue
        if name:
            undeclared.add(name)
        found.append(diagnostic)
        if _UNREADABLE.search(error.said):
            break  # what comes behind it is guesswork
    found.sort(key=lambda d: (d.path, d.line, d.column))
    return _with_one_absence(found, absent)[:MOST]


def _with_one_absence(found: Sequence[Diagnostic], absent: dict[str, int]) -> list[Diagnostic]:
    """All that the model lacks in one diagnostic, where the first of it is used."""
    first = next((d for d in found if d.code == "E405"), None)
    told = first and replace(first, message=f"the model lacks {listed(absent)}")
    return [told if told and d is first else d for d in found if d.code != "E405" or d is first]


def _own(place: Path) -> Callable[[str], bool]:
    folder = place.parent.resolve()
    return lambda file: folder in Path(file).resolve().parents


def _follows(diagnostic: Diagnostic, found: Sequence[Diagnostic]) -> bool:
    """Whether an error at the same statement has been told: the rest is its echo."""
    return any((d.path, d.line) == (diagnostic.path, diagnostic.line) for d in found)


def _undeclared(said: str) -> str:
    match = _UNDECLARED.search(said)
    return (match["name"] or match["other"]) if match else ""


def _diagnostic(
    error: CppError, at: Said, path: Path, text: str, emitted: str, place: Path, chip: Chip
) -> Diagnostic:
    file = path if Path(at.file).resolve() == place.resolve() else path.parent / Path(at.file).name
    lines = (text if file == path else _read(file, at)).split("\n")
    if file == path and at.line > text.rstrip("\n").count("\n") + 1:
        return _unclosed(path, text) or Diagnostic("E402", plain(error.said), str(path))
    source = lines[at.line - 1] if at.line <= len(lines) else ""
    code, message, help, word = _meaning(error, emitted, source, at.column, chip)
    column, length = _span(source, at.column, word)
    return Diagnostic(code, message, str(file), at.line, column, length, source, help)


def _read(file: Path, at: Said) -> str:
    for candidate in (file, Path(at.file)):
        if candidate.is_file():
            return candidate.read_text("utf-8", errors="replace")
    return ""


def _span(source: str, column: int, word: str) -> tuple[int, int]:
    """Column and length of `word` at or in front of `column`, or of what stands at `column`."""
    if word:
        places = [m.start() + 1 for m in re.finditer(rf"\b{re.escape(word)}\b", source)]
        if places:
            before = [p for p in places if p <= column]
            return (before or places)[-1 if before else 0], len(word)
    here = re.match(r"\w+", source[column - 1 :])
    return column, len(here[0]) if here else 1


def _unclosed(path: Path, text: str) -> Diagnostic | None:
    """The bracket that is still open at the end of the file."""
    code, stack = blank(text), list[int]()
    for position, char in enumerate(code):
        if char == "{":
            stack.append(position)
        elif char == "}" and stack:
            stack.pop()
    if not stack:
        return None
    line = code.count("\n", 0, stack[-1]) + 1
    start = code.rfind("\n", 0, stack[-1]) + 1
    source = text.split("\n")[line - 1]
    return Diagnostic(
        "E402", "this `{` is not closed", str(path), line, stack[-1] - start + 1, 1, source
    )


def _meaning(
    error: CppError, emitted: str, source: str, column: int, chip: Chip
) -> tuple[str, str, str, str]:
    """Code, sentence, help, and the word of the source that it is about."""
    said = error.said
    if match := _MEMBER.search(said):
        return _no_member(error, match, emitted)
    if absent := absent_names(f"error: {said}", emitted):
        return "E405", f"the model lacks {listed(absent)}", "", next(iter(absent)).split("::")[-1]
    if name := _undeclared(said):
        return ("E402", f"`{name}` is not declared", _where_it_is(name), name)
    if asserted := _ASSERTED.search(said):
        return "E402", _asserted(error, asserted["said"], chip), "", _callee(source, column)
    if call := call_of(said):
        message, help = braces_of(error, call) or explain(error, call)
        return "E402", message, help, call.name
    if match := _CONVERSION.search(said):
        a, b = plain_type(match["a"]), plain_type(match["b"])
        return (
            "E402",
            f"{a} stands where {b} is needed",
            _cast(a, b, re.match(r"\w*", source[column - 1 :])),
            "",
        )
    return "E402", *_other(error, source)


def _no_member(error: CppError, match: re.Match[str], emitted: str) -> tuple[str, str, str, str]:
    name = match["name"] or match["field"] or match["named"]
    scope = (match["scope"] or match["of"] or match["inside"]).split("::")[-1]
    absent = absent_names(f"error: {error.said}", emitted)
    lacks = f"the model lacks {listed(absent)}"
    if scope == "AscendC":
        near = _near(name, [*NAMES, *words()], 0.8)
        if name in NAMES or (absent and not near):
            return "E405", lacks, "", name
        return "E402", f"there is no AscendC::{name}", _meant(near), name
    has = members(scope)
    near = _ends_with(name, has) or _near(name, has, 0.6)
    if name in MEMBERS_NOT_HERE.get(scope, ()) or (absent and not near and not is_record(scope)):
        return "E405", lacks, "", name
    all_of_them = known("member", has) if is_enum(scope) and not near else ""
    return "E402", f"{scope} has no member {name}", hints(_meant(near), all_of_them), name


def _near(name: str, choices: Sequence[str], cutoff: float) -> str:
    same = [c for c in choices if c.lower() == name.lower()]
    begun = [c for c in choices if c.startswith(f"{name}_")]
    found = difflib.get_close_matches(name, set(choices), n=1, cutoff=cutoff)
    return next(iter([*same, *found, *begun]), "")


def _ends_with(name: str, choices: Sequence[str]) -> str:
    return next((c for c in choices if len(name) > 3 and c.lower().endswith(name.lower())), "")


def _meant(word: str) -> str:
    return suggestion(word) if word else ""


def _where_it_is(name: str) -> str:
    """How a name of the interface is written in full, or which one was meant."""
    if enum := enum_of(name):
        return f"write AscendC::{enum}::{name}"
    if name in NAMES or members(name):
        return f"write AscendC::{name}, or `using namespace AscendC;`"
    return _meant(_near(name, [*NAMES], 0.8))


def _asserted(error: CppError, said: str, chip: Chip) -> str:
    """A rule of a call, with what it was given."""
    requirement = next(
        (m for t in (error.said, *(n.said for n in error.notes)) if (m := _TAKES.search(plain(t)))),
        None,
    )
    name = said.split(" ", 1)[0]
    if requirement and "Types<" in requirement["inside"]:
        given, *types = split(requirement["inside"])
        taken = (
            types[0 if chip.name == "ascend910b" else 1].removeprefix("Types<").removesuffix(">")
        )
        if taken:
            cast = ": Cast to float, compute, Cast back" if given == "bfloat16_t" else ""
            return f"{name} takes {_or(split(taken))} on the {_CHIPS[chip.name]}, not {given}{cast}"
        return f"{name} does not exist on the {_CHIPS[chip.name]}"
    return f"{plain(said)}{_given(error)}"


def _or(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _given(error: CppError) -> str:
    """` (here T = half, U = float)`, of the function whose rule it is."""
    match = _WITH.search(plain(error.inside))
    if match is None:
        return ""
    pairs = [p.split(" = ") for p in re.split(r"; ", match["types"]) if " = " in p]
    shown = [
        f"{n} = {plain_type(t)}" for n, t in pairs if not re.fullmatch(r"u?int\d+_t|.*\W.*", n)
    ]
    numbers = [p.replace("= int", "= int32_t") if p.endswith("= int") else p for p in shown]
    return f" (here {', '.join(numbers)})" if shown else ""


def _callee(source: str, column: int) -> str:
    """The function whose call stands at `column`: its name is there, or in front of its bracket."""
    behind = re.match(r"\w+(?=\s*(?:<[^;()]*>)?\s*\()", source[column - 1 :])
    before = re.search(r"(\w+)\s*(?:<[^;()]*>)?\s*$", source[: column - 1])
    return behind[0] if behind else before[1] if before else ""


def _cast(given: str, wanted: str, at: re.Match[str] | None) -> str:
    word = at[0] if at and at[0] else "…"
    if given.endswith("*") and wanted.endswith("*"):
        return f"write (__gm__ {wanted}){word}"
    return f"write {word}()" if "(*)" in given else ""


def _other(error: CppError, source: str) -> tuple[str, str, str]:
    said = error.said
    if match := re.search(
        r"unable to find numeric literal operator [‘'].*?\"\"(\w+)[’']|invalid suffix '(\w+)'", said
    ):
        suffix = match[1] or match[2]
        literal = re.search(rf"[\d.]+(?:e[+-]?\d+)?{suffix}\b", source)
        shown = literal[0] if literal else suffix
        help = f"write half({shown.removesuffix(suffix)})" if suffix.lower() in ("h", "f16") else ""
        return f"`{shown}` is no number of C++", help, shown
    if re.search(r"class template argument deduction failed|use of class template", said):
        match = re.search(r"\b(\w*Tensor|T\w+)\b", source)
        name = match[1] if match else ""
        return (
            f"{name or 'the template'} lacks its element type",
            f"write {name}<half>" if name else "",
            name,
        )
    if match := re.search(r"wrong number of template arguments \((\d+), should be (.*)\)", said):
        note = next((n.said for n in error.notes if "provided for" in n.said), "")
        declared = re.search(
            r"template<(?P<list>.*)> (?:class|struct) (?:\w+::)*(?P<name>\w+)", note
        )
        name = declared["name"] if declared else "it"
        help = f"it is {name}<{plain(declared['list'])}>" if declared else ""
        return (
            f"{name} takes {match[2]} template arguments, and {match[1]} stand{'s' * (match[1] == '1')} there",
            help,
            name,
        )
    if match := re.search(r"passing [‘'](.*?)[’'] as [‘']this[’'] argument discards", said):
        return f"a {plain_type(match[1])} that is const is changed here", "", ""
    return re.sub(r"[‘’]", "`", plain(said)), "", ""
