"""Values of YAML scalars, and where each of their characters stands in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruamel.yaml.nodes import ScalarNode

from gen.spec.sourcemap import Place

_TAG = "tag:yaml.org,2002:"
MAX_DIGITS = 40


class ScalarError(ValueError):
    """A scalar that stands for no value of a spec; the message says why."""


def value(node: ScalarNode) -> str | int | float | bool | None:
    """What the scalar stands for under the YAML 1.2 core schema. Raises ScalarError."""
    tag, text = str(node.tag), str(node.value)
    if not tag.startswith(_TAG):
        raise ScalarError(f"the tag `{tag}` means nothing here")
    match tag.removeprefix(_TAG):
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int":
            return _integer(text)
        case "float":
            return _float(text)
        case _:
            return text


def _integer(text: str) -> int:
    digits = text.replace("_", "")
    if len(digits) > MAX_DIGITS:
        raise ScalarError(f"a number of {len(digits)} digits is too long")
    try:
        return int(digits, 10)
    except ValueError:
        pass
    try:
        return int(digits, 0)
    except ValueError:
        raise ScalarError(f"`{text}` is no integer") from None


def _float(text: str) -> float:
    plain = text.replace("_", "").lower()
    special = re.fullmatch(r"([-+]?)\.(inf|nan)", plain)
    try:
        return float("".join(special.groups())) if special else float(plain)
    except ValueError:
        raise ScalarError(f"`{text}` is no number") from None


def characters(node: ScalarNode, lines: Sequence[str]) -> list[Place]:
    """For each character of the scalar's value, and for the end of it, the place in the file.

    A line break that YAML folds to a space is placed at the end of its line. Works for all five
    styles of YAML: the characters of a value stand in the file in their order, apart from white
    space, escapes and the header of a block.
    """
    return _Aligner(node, lines).run()


class _Aligner:
    """Walks over the source of a scalar and its value side by side."""

    def __init__(self, node: ScalarNode, lines: Sequence[str]) -> None:
        self.text = str(node.value)
        self.style = node.style
        self.lines = lines
        self.line = node.start_mark.line
        self.column = node.start_mark.column
        self._skip_properties()
        if self.style in ("|", ">"):
            self.line, self.column = self.line + 1, 0
        elif self.style in ("'", '"'):
            self.column += 1

    def run(self) -> list[Place]:
        places = []
        for char in self.text:
            if char.isspace() and not self._at_escape():
                places.append(self._here())
                self.column += self._at_space()
                continue
            self._skip_space()
            length = self._width()
            places.append(Place(self.line + 1, self.column + 1, length))
            self.column += length
        places.append(self._here())
        return places

    def _skip_properties(self) -> None:
        """Step over an anchor and a tag in front of the text."""
        properties = re.match(r"(?:[&!]\S*(?:\s+|$))+", self._rest())
        if properties:
            self.column += properties.end()
            self._skip_space()

    def _here(self) -> Place:
        return Place(self.line + 1, self.column + 1, 1)

    def _rest(self) -> str:
        return self.lines[self.line][self.column :] if self.line < len(self.lines) else ""

    def _at_space(self) -> bool:
        return self._rest()[:1].isspace()

    def _at_escape(self) -> bool:
        return self.style == '"' and self._rest()[:1] == "\\" and self._rest() != "\\"

    def _skip_space(self) -> None:
        while self.line < len(self.lines):
            rest = self._rest()
            bare = rest.lstrip()
            if bare and not (self.style == '"' and bare == "\\"):
                self.column += len(rest) - len(bare)
                return
            self.line, self.column = self.line + 1, 0

    def _width(self) -> int:
        """Characters in the file that stand for the next character of the value."""
        rest = self._rest()
        if self.style == "'" and rest.startswith("''"):
            return 2
        if self.style == '"' and rest.startswith("\\"):
            return {"x": 4, "u": 6, "U": 10}.get(rest[1:2], 2)
        return 1
