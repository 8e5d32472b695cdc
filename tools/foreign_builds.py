"""The ways in which a sample can be built: which chips and macros its CMakeLists.txt accepts.

Only what such files use is understood: cached variables, conditions, errors, macros and the sources of a program.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ARCHITECTURE = "CMAKE_ASC_ARCHITECTURES"
CHIPS = {"dav-2201": "910b", "dav-3510": "950"}
LARGEST = 15
"""Numbers that are tried as the value of a variable."""

_COMMAND = re.compile(r"(?P<name>\w+)\s*\(")
_TOKEN = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>[^\s()"]+)|(?P<bracket>[()])')
_GUARD = re.compile(r"(?:^|\n)[ \t]*#[^\n]*")


class RefusedError(Exception):
    """The file says that it is not built like this."""


@dataclass
class _State:
    variables: dict[str, str]
    given: frozenset[str]
    asked: set[str] = field(default_factory=set)
    told: dict[str, str] = field(default_factory=dict)
    checked: set[str] = field(default_factory=set)
    macros: dict[str, str] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Build:
    """One way to build a sample: chip as `gen run --chip` takes it, macros, the source file."""

    chip: str
    defines: Mapping[str, str]
    source: str


def builds(folder: Path) -> Iterator[Build]:
    """All builds that the CMakeLists.txt of `folder` accepts, one for each chip and value of its own variables."""
    text = _GUARD.sub("\n", (folder / "CMakeLists.txt").read_text("utf-8", "replace"))
    first = _read(text, {})
    own = sorted(n for n in first.asked if not n.startswith(("CMAKE_", "ASC")))
    named = _architectures(folder, first)
    choices = [_choices(name, first) for name in own]
    seen: set[tuple[object, ...]] = set()
    for architecture, *values in itertools.product(named or CHIPS, *choices):
        given = {ARCHITECTURE: architecture, **dict(zip(own, values, strict=True))}
        try:
            state = _read(text, given)
        except RefusedError:
            continue
        source = next((s for s in state.sources if s.endswith((".asc", ".cpp"))), "")
        key = (architecture, tuple(sorted(state.macros.items())), source)
        if source and key not in seen:
            seen.add(key)
            yield Build(CHIPS[architecture], dict(state.macros), source)


def _architectures(folder: Path, state: _State) -> list[str]:
    """What the file says that it builds for; a README that never names another than the default agrees with it."""
    default = state.variables.get(ARCHITECTURE, "")
    readme = folder / "README.md"
    text = readme.read_text("utf-8", "replace") if readme.is_file() else ""
    if default == "dav-3510" and text and "dav-2201" not in text:
        return [default]
    if ARCHITECTURE not in state.told:
        words = {"dav-2201": "A2", "dav-3510": "Ascend 950"}
        return [a for a in CHIPS if words[a] in text]
    return [a for a in CHIPS if a in state.told[ARCHITECTURE]]


def _choices(name: str, state: _State) -> list[str]:
    """What may be tried: all small numbers where the file refuses some, else what it says about the variable."""
    if name in state.checked:
        return [str(n) for n in range(LARGEST)]
    told = state.told.get(name, "")
    if found := re.search(r"\b(\d+)-(\d+)\b", told):
        return [str(n) for n in range(int(found[1]), int(found[2]) + 1)]
    default = state.variables.get(name, "")
    numbers = re.findall(r"\b\d+\b", told)
    return list(dict.fromkeys([*([default] if default else []), *numbers])) or ["1"]


def _read(text: str, given: Mapping[str, str]) -> _State:
    """What the file sets up with these variables. Raises RefusedError."""
    state = _State(dict(given), frozenset(given))
    active: list[list[bool]] = []
    for name, words in _commands(text):
        runs = all(level[0] for level in active)
        if name in ("if", "elseif") and (
            "MATCHES" in words or "IN_LIST" in words or "EQUAL" in words
        ):
            state.checked |= state.asked & set(words)
        if name == "if":
            holds = runs and _holds(words, state)
            active.append([holds, holds, runs])
        elif name in ("elseif", "else"):
            level = active[-1]
            holds = level[2] and not level[1] and (name == "else" or _holds(words, state))
            level[:2] = [holds, level[1] or holds]
        elif name == "endif":
            active.pop()
        elif runs:
            _run(name, words, state)
    return state


def _commands(text: str) -> Iterator[tuple[str, list[str]]]:
    position = 0
    while match := _COMMAND.search(text, position):
        words, depth = [], 1
        position = match.end()
        while depth and (token := _TOKEN.search(text, position)):
            position = token.end()
            depth += {"(": 1, ")": -1}.get(token["bracket"] or "", 0)
            if depth:
                quoted = token["quoted"]
                words.append(token[0] if quoted is None else f'"{quoted}')
        yield match["name"].lower(), words


_DEFINITIONS = (
    "add_definitions",
    "add_compile_definitions",
    "target_compile_definitions",
    "ascendc_compile_definitions",
)


def _run(name: str, words: list[str], state: _State) -> None:
    values = [_filled(word, state) for word in words]
    if name == "message" and words and words[0] == "FATAL_ERROR":
        if state.given:
            raise RefusedError(" ".join(values))
    elif name == "set" and values:
        cached = "CACHE" in words
        if cached:
            state.asked.add(values[0])
            state.told[values[0]] = " ".join(values[words.index("CACHE") + 2 :])
        if not (cached and values[0] in state.given):
            end = words.index("CACHE") if cached else len(words)
            state.variables[values[0]] = ";".join(values[1:end])
    elif name in _DEFINITIONS:
        _define(values if name.startswith("add") else values[1:], state)
    elif name == "target_compile_options":
        _define([v for v in values if re.fullmatch(r"-D(\w+)(?:=(.*))?", v)], state)
    elif name == "add_executable":
        state.sources += values[1:]
    elif name == "string":
        _match(values, state)


def _define(values: list[str], state: _State) -> None:
    for value in values:
        if value not in ("PRIVATE", "PUBLIC", "INTERFACE"):
            macro, _, text = value.removeprefix("-D").partition("=")
            state.macros[macro] = text


def _match(values: list[str], state: _State) -> None:
    """`string(REGEX MATCH pattern variable text)`."""
    if values[:2] == ["REGEX", "MATCH"] and len(values) > 4:
        found = re.search(values[2], "".join(values[4:]))
        state.variables[values[3]] = found[0] if found else ""


def _filled(word: str, state: _State) -> str:
    def value(match: re.Match[str]) -> str:
        return state.variables.get(match[1], "")

    return re.sub(r"\$\{(\w+)\}", value, word.removeprefix('"'))


def _holds(words: list[str], state: _State) -> bool:
    if "OR" in words:
        at = _outside(words, "OR")
        if at >= 0:
            return _holds(words[:at], state) or _holds(words[at + 1 :], state)
    at = _outside(words, "AND")
    if at >= 0:
        return _holds(words[:at], state) and _holds(words[at + 1 :], state)
    if words[:1] == ["NOT"]:
        return not _holds(words[1:], state)
    if words[:1] == ["("]:
        return _holds(words[1:-1], state)
    if words[:1] == ["DEFINED"]:
        if words[1] not in state.variables:
            state.asked.add(words[1])
        return words[1] in state.variables
    if len(words) == 3:
        return _compared(words, state)
    value = _value(words[0], state) if words else ""
    return value.upper() not in ("", "0", "OFF", "NO", "FALSE", "N")


def _outside(words: list[str], operator: str) -> int:
    depth = 0
    for index, word in enumerate(words):
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word == operator and depth == 0:
            return index
    return -1


def _compared(words: list[str], state: _State) -> bool:
    left, operator, right = _value(words[0], state), words[1], _value(words[2], state)
    if operator == "MATCHES":
        return re.search(_filled(words[2], state), left) is not None
    if operator in ("STREQUAL", "EQUAL"):
        return left == right
    if operator == "IN_LIST":
        return left in state.variables.get(words[2], "").split(";")
    numbers = (left.isdigit() and right.isdigit(), operator)
    order = {"LESS": -1, "GREATER": 1}
    if numbers[0] and operator in order:
        return (int(left) - int(right)) * order[operator] > 0
    return False


def _value(word: str, state: _State) -> str:
    return state.variables.get(word, _filled(word, state))
