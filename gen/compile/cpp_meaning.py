"""What an error of the C++ compiler means, in the words of the AscendC interface."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from gen.chips import Chip
from gen.compile.absent import absent_names, listed
from gen.compile.cpp_calls import braces_of, call_of, explain
from gen.compile.cpp_forms import enum_of, is_enum, is_record, members, words
from gen.compile.cpp_log import CppError
from gen.compile.cpp_types import plain, plain_type, split
from gen.compile.documented import MEMBERS_NOT_HERE, NAMES
from gen.errors import hints, known, suggestion

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


def undeclared_name(said: str) -> str:
    """The name that the compiler does not know, or an empty string."""
    match = _UNDECLARED.search(said)
    return (match["name"] or match["other"]) if match else ""


def meaning(
    error: CppError, emitted: str, source: str, column: int, chip: Chip
) -> tuple[str, str, str, str]:
    """Code, sentence, help, and the word of the source that it is about.

    `emitted` is what was compiled, `source` the kernel's line, `column` where the compiler points in it.
    """
    said = error.said
    if match := _MEMBER.search(said):
        return _no_member(error, match, emitted)
    if absent := absent_names(f"error: {said}", emitted):
        name = next(iter(absent)).rsplit("::", maxsplit=1)[-1]
        near = _near(name, sorted(words()), 0.85)
        return "E405", f"the model lacks {listed(absent)}", _meant(near), name
    if name := undeclared_name(said):
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
    if re.match(r"(?:Local|Global)Tensor<", given) and not re.search(r"Tensor<|\*", wanted):
        return "GetValue(i) gives one element of a tensor"
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
    if match := re.search(r"no match for [‘']operator=[’'].*types are [‘']\S*Tensor<", said):
        help = "SetValue(i, value) writes one element of a tensor"
        return "a tensor is no place for a number", help, ""
    if match := re.search(r"passing [‘'](.*?)[’'] as [‘']this[’'] argument discards", said):
        return f"a {plain_type(match[1])} that is const is changed here", "", ""
    return re.sub(r"[‘’]", "`", plain(said)), "", ""
