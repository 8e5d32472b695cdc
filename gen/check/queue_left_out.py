"""A call of a queue that a kernel has nowhere: EnQue before a DeQue, FreeTensor before the next AllocTensor."""

from __future__ import annotations

import re
from dataclasses import replace

from gen.check.places import Place
from gen.check.statements import statement
from gen.check.wording import Kernel, Remedy, Write, instead, listed, sentence

_LACKS = {"queue-deque": "EnQue", "queue-alloc": "FreeTensor"}
"""What a kernel lacks, by the finding that shows it."""
_MAKES = {"EnQue": ("AllocTensor",), "FreeTensor": ("DeQue", "AllocTensor")}
"""The calls that yield the tensor which is to be enqueued, or freed."""


def left_out(code: str, kernel: Kernel, place: Place | None) -> Remedy | None:
    """The line to write behind the last use of the tensor; None where the kernel has such a call, or it is not clear
    of which tensor."""
    verb, lines = _LACKS.get(code, ""), kernel.text.split("\n")
    if not verb or place is None or not 0 < place.line <= len(lines):
        return None
    queue = re.search(r"=\s*(\w+)\.\w+\s*<", lines[place.line - 1])
    if queue is not None and (mistaken := _alloc_for_deque(lines, queue[1], place)):
        return mistaken
    if queue is None or re.search(rf"\b{queue[1]}\.{verb}(?:<[^>]*>)?\(", kernel.text):
        return None
    for call in _MAKES[verb]:
        made = re.compile(rf"\b(\w+)\s*=\s*{queue[1]}\.{call}\s*<")
        found = [(n, m[1]) for n, line in enumerate(lines, 1) if (m := made.search(line))]
        if len(found) == 1:
            number, tensor = found[0]
            last = _last_use(lines, number, tensor)
            end = statement(kernel.text, last, python=False)[1]
            behind = Place(place.file, end, lines[end - 1])
            because = f"`{queue[1]}` has no {verb}"
            return listed([Write(f"{queue[1]}.{verb}({tensor});", "after", behind)], because)
        if found:
            return None
    return None


def _alloc_for_deque(lines: list[str], queue: str, place: Place) -> Remedy | None:
    """An AllocTensor in the place of a DeQue: of a queue that has EnQue and no DeQue, the one tensor that is freed and not
    enqueued."""
    text = "\n".join(lines)
    calls = {c: re.search(rf"\b{queue}\.{c}(?:<[^>]*>)?\(", text) for c in ("EnQue", "DeQue")}
    if calls["EnQue"] is None or calls["DeQue"] is not None:
        return None
    made = re.compile(rf"\b(\w+)\s*=\s*{queue}\.AllocTensor\s*<")
    found = [(n, m[1]) for n, line in enumerate(lines, 1) if (m := made.search(line))]
    taken = [
        n for n, tensor in found if not _in_block(lines, n, rf"\bEnQue(?:<[^>]*>)?\({tensor}\)")
    ]
    if len(found) < 2 or len(taken) != 1:
        return None
    number = taken[0]
    code = lines[number - 1].strip().replace("AllocTensor", "DeQue", 1)
    there = Place(place.file, number, lines[number - 1])
    because = f"`{queue}` has no DeQue, and line {number} allocates another tensor"
    wrong = instead(code, there, because)
    return replace(wrong, text=sentence(wrong.text))


def _in_block(lines: list[str], start: int, pattern: str) -> bool:
    """Whether a line below `start`, in its block, has the pattern."""
    wanted, depth = re.compile(pattern), 0
    for line in lines[start:]:
        code = line.partition("//")[0]
        depth += code.count("{") - code.count("}")
        if depth < 0:
            return False
        if wanted.search(code):
            return True
    return False


def _last_use(lines: list[str], made: int, tensor: str) -> int:
    """The last line, in the block of line `made`, that names the tensor."""
    uses, depth, last = re.compile(rf"\b{tensor}\b"), 0, made
    for number in range(made + 1, len(lines) + 1):
        code = lines[number - 1].partition("//")[0]
        depth += code.count("{") - code.count("}")
        if depth < 0:
            break
        if uses.search(code):
            last = number
    return last
