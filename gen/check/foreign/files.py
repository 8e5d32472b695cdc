"""What a kernel file is: its tree, its chip, and what the comments in its first lines say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from gen.chips import ASCEND910B, ASCEND950, Chip
from gen.errors import Diagnostic, GenError, hints, listing, suggest
from gen.plan import Tree

CHIP_NAMES: Mapping[str, Chip] = MappingProxyType(
    {
        **dict.fromkeys(("910b", "ascend910b", "2201", "dav-2201"), ASCEND910B),
        **dict.fromkeys(("950", "ascend950", "3510", "dav-3510"), ASCEND950),
    }
)
"""Every name that a chip goes by."""
CPP_SUFFIXES = frozenset({".asc", ".cpp", ".cc", ".cce", ".h", ".hpp"})

_LINE = re.compile(r"\s*(?:#|//)\s*(?P<key>\w+)(?P<detail>[^:\n]*):(?:\s+(?P<value>.*?))?\s*$")
_COMMENT = re.compile(r"\s*(?:#|//)|\s*$")
_M_TREE = re.compile(
    r"tilelang\.ascend\b|[\"']ascend[\"']"
    r"|\bT\.(?:MixedKernel|SimdVF|SimtVF|dual_copy|ascend_\w+)\b|\bTL_ENABLE_AUTO_SCHEDULE\b"
)


@dataclass(frozen=True)
class HeaderLine:
    """`key detail: value` in a comment at the top of a file; `line` counts from 1, `text` is the whole line."""

    key: str
    detail: str
    value: str
    line: int
    text: str

    def mistake(
        self, code: str, path: Path, message: str, *, at: str = "", help: str = ""
    ) -> Diagnostic:
        """A diagnostic at this line, at the first place where `at` stands, or at the value."""
        column = self.text.find(at or self.value) if (at or self.value) else -1
        start = max(column, 0)
        length = len(at or self.value) if column >= 0 else len(self.text.strip())
        return Diagnostic(
            code, message, str(path), self.line, start + 1, max(length, 1), self.text, help
        )


def header(text: str) -> tuple[HeaderLine, ...]:
    """Lines of the form `key: value` in the comments before the first line of code."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not _COMMENT.match(line):
            break
        match = _LINE.match(line)
        if match:
            key, detail, value = match["key"], match["detail"].strip(), match["value"] or ""
            found.append(HeaderLine(key, detail, value, number, line))
    return tuple(found)


def first(lines: tuple[HeaderLine, ...], key: str) -> HeaderLine | None:
    """The first line with that key and nothing between key and colon."""
    return next((line for line in lines if line.key == key and not line.detail), None)


def tree_of(path: Path, text: str) -> Tree:
    """The tree that the file is written in, by its suffix and imports. Raises GenError (E143)."""
    if path.suffix in CPP_SUFFIXES:
        return Tree.ASCENDC
    if path.suffix == ".py" and _M_TREE.search(text):
        return Tree.M
    if path.suffix == ".py" and re.search(r"^\s*(?:import|from)\s+tilelang\b", text, re.MULTILINE):
        return Tree.A
    if path.suffix == ".py":
        _check_syntax(path, text)
    what = (
        "a Python file that imports no tilelang"
        if path.suffix == ".py"
        else f"a {path.suffix or 'plain'} file"
    )
    help = (
        "give a TileLang kernel (.py) or Ascend C (.asc, .cpp, .h), or say which it is with --tree"
    )
    raise GenError([Diagnostic("E143", f"{what} belongs to no tree", str(path), help=help)])


def _check_syntax(path: Path, text: str) -> None:
    """A file that is no Python may import anything. Raises GenError (E143)."""
    try:
        compile(text, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line, column = getattr(error, "lineno", 0) or 0, getattr(error, "offset", 0) or 0
        shown = text.splitlines()[line - 1] if 0 < line <= len(text.splitlines()) else ""
        message = f"the file is no Python: {getattr(error, 'msg', error)}"
        raise GenError(
            [Diagnostic("E143", message, str(path), line, column, source_line=shown)]
        ) from None


def chip_of(name: str | None, tree: Tree, path: Path, line: HeaderLine | None) -> Chip:
    """The chip to judge for: as named, else the first of the file's `chip:` line, else the tree's own.

    Raises GenError (E140) for a name that is none, and for a chip that the tree's compiler does not build for.
    """
    own = ASCEND950 if tree is Tree.M else ASCEND910B
    said = name or (line.value.split(",")[0].strip() if line else "")
    if not said:
        return own
    chip = CHIP_NAMES.get(said.lower())
    if chip is None:
        help = hints(suggest(said, CHIP_NAMES), "chips are 910b and 950")
        raise _wrong_chip(f"there is no chip `{said}`", name, path, line, help)
    if tree is not Tree.ASCENDC and chip is not own:
        message = f"the {'M' if tree is Tree.M else 'A'} tree's compiler builds for {own.name} only"
        raise _wrong_chip(message, name, path, line, f"leave {listing(['chip'])} out")
    return chip


def _wrong_chip(
    message: str, name: str | None, path: Path, line: HeaderLine | None, help: str
) -> GenError:
    if name is None and line is not None:
        return GenError([line.mistake("E140", path, message, help=help)])
    return GenError([Diagnostic("E140", message, str(path), help=help)])
