"""A call of a queue that a kernel has nowhere: EnQue before a DeQue, FreeTensor before the next AllocTensor."""

from __future__ import annotations

import re

from gen.check.places import Place
from gen.check.statements import statement
from gen.check.wording import Kernel, Remedy, Write, listed

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
