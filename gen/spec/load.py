"""Spec files -> specs, or everything that is wrong with them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any, cast

from pydantic import ValidationError

from gen.errors import Diagnostic, GenError, hints, listing, suggest
from gen.spec import explain, nodes, rules, shipped, yamltext
from gen.spec.models import KEYS, KINDS, Spec
from gen.spec.rules import Problem
from gen.spec.sourcemap import Place, SourceMap

SUFFIXES = (".yaml", ".yml")
MAX_BYTES = 1 << 20

_COMMON = frozenset.intersection(*(frozenset(keys) for keys in KEYS.values()))


def load(path: str | os.PathLike[str]) -> Spec:
    """The spec in a file, or a shipped one by its name (`gemm`).

    Raises GenError with every mistake of it, in the order of the lines.
    """
    shown = os.fspath(path)
    file = shipped.find(shown)
    if file is not None:
        return loads(_read(file, shown), f"specs/{file.name}")
    return loads(_read(FilePath(path), shown), shown)


def load_all(paths: Iterable[str | os.PathLike[str]]) -> list[Spec]:
    """The specs in several files, in order. Raises GenError with the mistakes of all of them."""
    specs: list[Spec] = []
    found: list[Diagnostic] = []
    taken: dict[str, str] = {}
    for path in paths:
        try:
            spec = load(path)
        except GenError as error:
            found += error.diagnostics
            continue
        if spec.name in taken:
            message = f"`{spec.name}` is also the name of {taken[spec.name]}"
            help = "the renderings of both would go to one folder"
            found.append(spec.diagnostic("E132", message, ("name",), help))
        taken.setdefault(spec.name, os.fspath(path))
        specs.append(spec)
    if found:
        raise GenError(found)
    return specs


def loads(text: str, name: str = "<text>") -> Spec:
    """The spec in a text; ``name`` is what errors call it. Raises GenError with every mistake."""
    document = yamltext.read(text.removeprefix("\ufeff"))
    lines = document.lines
    found = [
        _at(Problem(f.code, f.message, (), f.help), Place(f.line, f.column), name, lines)
        for f in document.flaws
    ]
    root = document.root
    if root is None or not yamltext.is_mapping(root):
        raise GenError(found or [_not_a_mapping(root, name, lines)])
    tree = nodes.convert(root, lines)
    source = SourceMap(name, lines, tree.keys, tree.values, tree.characters)
    found += [_at(_of(f), f.place, name, lines) for f in tree.flaws]
    spec, problems = _validate(tree.data, {f.path for f in tree.flaws}, document.lost)
    found += [_at(p, _place(p, source), name, lines) for p in problems]
    if found or spec is None:
        raise GenError(sorted(dict.fromkeys(found), key=lambda d: (d.line, d.column)))
    spec._source = source
    return spec


def _of(flaw: nodes.NodeFlaw) -> Problem:
    return Problem(flaw.code, flaw.message, flaw.path, flaw.help)


def _validate(
    data: dict[str, Any], known_bad: set[tuple[str | int, ...]], lost: set[str]
) -> tuple[Spec | None, list[Problem]]:
    """The spec, or the broken rules. Of keys in ``lost``, which could not be read, none is missed."""
    kind, problems = _kind(data, lost)
    if kind is None:
        return None, problems
    valid: dict[str, Any] = {}
    spec: Spec | None = None
    try:
        spec = cast(Spec, KINDS[kind].model_validate({**data, "kind": kind}, context=valid))
    except ValidationError as error:
        # pydantic calls a list too short when none of its items is valid; the items have been told
        details = (d for d in error.errors() if d["type"] != "too_short" or not d["input"])
        problems += [explain.problem(d, kind) for d in details]
    defaults = {
        name: f.get_default(call_default_factory=True)
        for name, f in KINDS[kind].model_fields.items()
        if not f.is_required()
    }
    given = {**{k: v for k, v in defaults.items() if k not in data and k not in lost}, **valid}
    problems += rules.check({**given, "kind": kind}, _tensor_names(data, kind))
    return spec, [p for p in problems if not _silent(p, known_bad, lost)]


def _tensor_names(data: dict[str, Any], kind: str) -> rules.TensorNames:
    if kind != "elementwise":
        return rules.TensorNames()
    inputs, output = data.get("inputs"), data.get("output")
    return rules.TensorNames(
        tuple(inputs) if isinstance(inputs, dict) and inputs else None,
        tuple(output) if isinstance(output, dict) else None,
    )


def _silent(problem: Problem, known_bad: set[tuple[str | int, ...]], lost: set[str]) -> bool:
    if problem.code == "E111" and len(problem.path) == 1 and problem.path[0] in lost:
        return True
    return problem.code == "E112" and problem.path in known_bad


def _kind(data: dict[str, Any], lost: set[str]) -> tuple[str | None, list[Problem]]:
    """The kind, guessed where it is missing or misspelt so that the rest can be judged."""
    given = data.get("kind")
    if isinstance(given, str) and given in KINDS:
        return given, []
    close = suggest(given, KINDS) if isinstance(given, str) else ""
    guess = close.split("`")[1] if close else _guess(data)
    allowed = f"the kinds are {listing(list(KINDS), 'and')}"
    if "kind" not in data:
        missing = Problem("E111", "`kind` is missing", ("kind",), allowed)
        return guess, [] if "kind" in lost else [missing]
    if not isinstance(given, str):
        message = f"`kind` must be a text, not {explain.described(given)}"
        return guess, [Problem("E112", message, ("kind",), allowed)]
    help = hints(close, allowed)
    return guess, [Problem("E115", f"there is no kind `{given}`", ("kind",), help)]


def _guess(data: dict[str, Any]) -> str | None:
    score = {kind: len((set(keys) - _COMMON) & set(data)) for kind, keys in KEYS.items()}
    best = max(score, key=lambda kind: score[kind])
    return best if score[best] and list(score.values()).count(score[best]) == 1 else None


def _place(problem: Problem, source: SourceMap) -> Place | None:
    if problem.span is not None:
        return source.span(problem.path, *problem.span)
    if problem.key:
        return source.key(problem.path)
    if problem.code == "E111":
        above = problem.path[:-1]
        if above:
            return source.key(above)
        top = source.values[()]
        return source.keys.get(("kind",)) or Place(top.line, top.column)
    return source.value(problem.path)


def _at(problem: Problem, place: Place | None, name: str, lines: list[str]) -> Diagnostic:
    if place is None:
        return Diagnostic(problem.code, problem.message, name, help=problem.help)
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    return Diagnostic(
        problem.code,
        problem.message,
        name,
        place.line,
        place.column,
        place.length,
        line,
        problem.help,
    )


def _not_a_mapping(root: object, name: str, lines: list[str]) -> Diagnostic:
    help = "a spec starts with `kind: elementwise`, `kind: gemm` or `kind: norm`"
    if root is None:
        return Diagnostic("E104", "the spec is empty", name, help=help)
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    problem = Problem("E112", "a spec is a mapping of `key: value` entries", (), help)
    return _at(problem, Place(first + 1, 1, len(lines[first].rstrip()) or 1), name, lines)


def _read(path: FilePath, shown: str) -> str:
    try:
        flaw = _unfit(path, shown)
        raw = b"" if flaw else _bytes(path)
    except FileNotFoundError:
        flaw = Diagnostic("E101", "no such file", shown, help=_near(path))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        flaw = Diagnostic("E101", f"cannot be read: {reason}", shown)
    if flaw:
        raise GenError([flaw])
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise GenError([_not_utf8(raw, error.start, shown)]) from None


def _bytes(path: FilePath) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES)


def _unfit(path: FilePath, shown: str) -> Diagnostic | None:
    """Why a file cannot be a spec, judged without reading it. Raises OSError, ValueError."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        return Diagnostic("E101", "this is a folder", shown, help=_in_folder(path))
    if path.suffix not in SUFFIXES:
        help = "rename it, for example to `" + path.with_suffix(".yaml").name + "`"
        return Diagnostic("E105", "the name of a spec file ends in `.yaml`", shown, help=help)
    if not stat.S_ISREG(status.st_mode):
        return Diagnostic("E101", "this is no regular file", shown)
    if status.st_size > MAX_BYTES:
        return Diagnostic("E101", "larger than 1 MiB; this is no spec", shown)
    return None


def _not_utf8(raw: bytes, at: int, shown: str) -> Diagnostic:
    before = yamltext.split_lines(raw[:at].decode("utf-8"))
    line = yamltext.split_lines(raw.decode("utf-8", "replace"))[len(before) - 1]
    message = f"the byte 0x{raw[at]:02x} is not UTF-8"
    column = len(before[-1]) + 1
    help = "save the file as UTF-8"
    return Diagnostic("E106", message, shown, len(before), column, 1, line, help)


def _near(path: FilePath) -> str:
    """The spec that was probably meant by a name that does not exist."""
    folders = [path.parent, *([path.parent / "specs"] if path.parent.name != "specs" else [])]
    files = [f for folder in folders for s in SUFFIXES for f in _glob(folder, s)]
    by_stem = {f.stem: os.fspath(f) for f in files}
    hint = suggest(path.stem, by_stem)
    if hint:
        return f"did you mean `{by_stem[hint.split('`')[1]]}`?"
    return "" if path.suffix else _shipped(str(path))


def _shipped(word: str) -> str:
    """For a word that is no file: the shipped specs, which are known by name."""
    names = shipped.names()
    return hints(suggest(word, names), f"the shipped specs are {listing(names, 'and')}")


def _in_folder(path: FilePath) -> str:
    files = sorted(f.name for s in SUFFIXES for f in _glob(path, s))
    return f"name its specs, for example `{path / files[0]}`" if files else "name a spec file"


def _glob(folder: FilePath, suffix: str) -> list[FilePath]:
    try:
        return sorted(folder.glob(f"*{suffix}"))
    except OSError:
        return []
