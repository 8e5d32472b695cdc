"""Looking at C++ source without being fooled by comments, strings and nesting."""

from __future__ import annotations

import re

_OPAQUE = re.compile(
    r"//(?:[^\\\n]|\\(?:.|\n))*"
    r"|/\*.*?(?:\*/|\Z)"
    r'|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"'
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)*'",
    re.DOTALL,
)
_CLOSER = {"(": ")", "[": "]", "{": "}"}


def blank(text: str) -> str:
    """`text` with comments and the insides of literals replaced by spaces; every offset stays."""

    def spaces(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group())

    return _OPAQUE.sub(spaces, text)


def closing(code: str, start: int) -> int:
    """Offset of the bracket that closes the one at `start`, or -1. `code` is blanked."""
    stack: list[str] = []
    for position in range(start, len(code)):
        char = code[position]
        if char in _CLOSER:
            stack.append(_CLOSER[char])
        elif stack and char == stack[-1]:
            stack.pop()
            if not stack:
                return position
        elif char in _CLOSER.values():
            return -1
    return -1


def split_arguments(code: str) -> list[tuple[int, int]]:
    """(start, end) of the comma-separated parts of `code`; brackets and template lists hold together."""
    parts: list[tuple[int, int]] = []
    begin = position = 0
    while position < len(code):
        if code[position] in _CLOSER:
            end = closing(code, position)
            position = end if end >= 0 else len(code) - 1
        elif code[position] == "<":
            position = max(position, template_end(code, position))
        elif code[position] == ",":
            parts.append((begin, position))
            begin = position + 1
        position += 1
    parts.append((begin, len(code)))
    return parts


def template_end(code: str, start: int) -> int:
    """Offset of the `>` that closes the template list opened at `start`; -1 where `<` is less-than."""
    if start == 0 or not (code[start - 1].isalnum() or code[start - 1] == "_"):
        return -1
    depth, position = 0, start
    while position < len(code):
        char = code[position]
        if char in "(":
            end = closing(code, position)
            if end < 0:
                return -1
            position = end
        elif char == "<":
            depth += 1
        elif char == ">":
            depth -= 1
            if depth == 0:
                return position
        elif not (char.isalnum() or char in "_:, \t\n*&+-"):
            return -1
        position += 1
    return -1
