"""Remedies in the words of a TQue, where the tensors of a finding come from one."""

from __future__ import annotations

import re

from gen.check.places import Place
from gen.check.statements import statement

Line = tuple[str, str, Place]
"""What to write, `after` or `before`, and the line."""

_FREE = re.compile(r"\w+\.FreeTensor\((\w+)\)\s*;")
_NAMES = re.compile(r"\b([A-Za-z_]\w*)\b")


def not_enqueued(text: str, first: Place | None, second: Place | None) -> list[Line]:
    """EnQue behind `first`, which fills a tensor that a queue allocated, and DeQue before `second`, as far as the kernel
    has none of them; nothing where no queue is involved."""
    if first is None or second is None:
        return []
    return _not_enqueued(text.split("\n"), first, second)


def freed_early(text: str, first: Place | None) -> tuple[str, int] | None:
    """The FreeTensor above `first` of a tensor that `first` still uses, and its line."""
    return None if first is None else _freed_early(text.split("\n"), first)


def last_use(text: str, freed: Place | None) -> tuple[str, int] | None:
    """The FreeTensor at `freed`, and the last line below it, in its block, that still uses the tensor."""
    lines = text.split("\n")
    if freed is None or not 0 < freed.line <= len(lines):
        return None
    call = _FREE.search(lines[freed.line - 1])
    if call is None:
        return None
    uses = re.compile(rf"\b{call[1]}\b")
    depth, last = 0, None
    for number in range(freed.line + 1, len(lines) + 1):
        line = lines[number - 1].partition("//")[0]
        depth += line.count("{") - line.count("}")
        if depth < 0 or re.search(rf"\b{call[1]}\s*=[^=]", line):
            break
        if uses.search(line):
            last = number
    return (call[0], statement(text, last, python=False)[1]) if last else None


def _not_enqueued(lines: list[str], first: Place, second: Place) -> list[Line]:
    tensor, queue, kind = _origin(lines, first, "AllocTensor")
    if not queue:
        return []
    text = "\n".join(lines)
    enqueues = re.search(rf"\b{queue}\.EnQue(?:<[^>]*>)?\(", text)
    dequeues = re.search(rf"\b{queue}\.DeQue\s*<", text)
    found: list[Line] = []
    if not enqueues:
        found.append((f"{queue}.EnQue({tensor});", "after", first))
    if not dequeues:
        known = _still_declared(lines, tensor, first.line, second.line)
        declared = "" if known else f"{_prefix(text)}LocalTensor<{kind}> "
        found.append((f"{declared}{tensor} = {queue}.DeQue<{kind}>();", "before", second))
    return found


def enqueued_early(text: str, first: Place | None) -> tuple[str, int] | None:
    """The EnQue above `first` of a tensor that `first` only fills, and its line."""
    return None if first is None else _above(text.split("\n"), first, "AllocTensor", "EnQue")


def _freed_early(lines: list[str], first: Place) -> tuple[str, int] | None:
    return _above(lines, first, "DeQue", "FreeTensor")


def _above(lines: list[str], first: Place, made: str, gone: str) -> tuple[str, int] | None:
    """The call `gone` of a tensor, above the line that uses it, and below the call `made` that it comes from."""
    tensor, queue, _ = _origin(lines, first, made)
    if not queue:
        return None
    call = re.compile(rf"\b{queue}\.{gone}\({tensor}\)\s*;")
    for number in range(first.line - 1, 0, -1):
        line = lines[number - 1]
        if call.search(line):
            return f"{queue}.{gone}({tensor});", number
        if re.search(rf"\b{tensor}\s*=", line):
            break
    return None


def _origin(lines: list[str], place: Place, call: str) -> tuple[str, str, str]:
    """Tensor, queue and element type of the first name in the line of `place` that comes from `call` of a queue."""
    if not 0 < place.line <= len(lines):
        return "", "", ""
    for name in _NAMES.findall(lines[place.line - 1].partition("(")[2]):
        made = re.compile(rf"\b{name}\s*=\s*(\w+)\.(\w+)\s*<\s*([\w:]+)\s*>\s*\(")
        for line in reversed(lines[: place.line]):
            if found := made.search(line):
                if found[2] == call:
                    return name, found[1], found[3]
                break
    return "", "", ""


def _still_declared(lines: list[str], tensor: str, first: int, second: int) -> bool:
    """Whether what `tensor` names at line `first` still has that name at line `second`: no block was left in between."""
    made = next((n for n in range(first, 0, -1) if f"{tensor} =" in lines[n - 1]), first)
    depth = 0
    for line in lines[made - 1 : second - 1]:
        depth += line.count("{") - line.count("}")
        if depth < 0:
            return False
    return second > made


def _prefix(text: str) -> str:
    return "AscendC::" if "AscendC::" in text else ""
