"""The position of a queue against what its tensors do: it decides which pipes EnQue and DeQue, and FreeTensor and
AllocTensor, let wait for each other.

VECIN: MTE2 fills and V reads; VECOUT: V fills and MTE3 stores (asc-devkit, docs/zh, SIMD-API, TQue, 资源管理).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_DECLARED = re.compile(
    r"TQue<\s*(?P<prefix>(?:AscendC::)?(?:TPosition|QuePosition)::)(?P<position>VECIN|VECOUT)\b[^>]*>\s*(?P<names>[^;]+);"
)
_MADE = re.compile(r"\b(\w+)\s*=\s*(\w+)\.(AllocTensor|DeQue)\s*<")
_COPY = re.compile(r"\bDataCopy(?:Pad)?\s*(?:<[^;()]*>)?\(\s*(\w+)[^,;]*,\s*(\w+)")


@dataclass(frozen=True)
class WrongPosition:
    """A queue, its position and the one that fits, the line of its declaration, and what stands there instead: empty
    where the line also declares queues whose position is right."""

    queue: str
    position: str
    right: str
    line: int
    code: str


def wrong_position(text: str, lines: tuple[int, ...]) -> WrongPosition | None:
    """The queue of a tensor that one of `lines` names and that the text uses the other way round."""
    written = text.split("\n")
    named = {name for line in lines for name in re.findall(r"\w+", written[line - 1])}
    for found in _DECLARED.finditer(text):
        queues = [part.strip() for part in found["names"].split(",")]
        right = "VECOUT" if found["position"] == "VECIN" else "VECIN"
        wrong = [q for q in queues if _role(text, q) == right]
        here = [q for q in wrong if named & _tensors(text, q)]
        if here:
            line = text.count("\n", 0, found.start()) + 1
            whole = written[line - 1].strip().replace(f"::{found['position']}", f"::{right}")
            return WrongPosition(
                here[0], found["position"], right, line, whole if wrong == queues else ""
            )
    return None


def _role(text: str, queue: str) -> str:
    """The position that fits: VECIN where copies fill what is allocated, VECOUT where they store what is dequeued; empty
    where the text shows both, or neither."""
    filled = stored = False
    made: dict[str, tuple[str, str]] = {}
    for line in text.split("\n"):
        for tensor, of, call in _MADE.findall(line):
            made[tensor] = of, call
        for target, source in _COPY.findall(line):
            filled = filled or made.get(target) == (queue, "AllocTensor")
            stored = stored or made.get(source) == (queue, "DeQue")
    return "" if filled == stored else "VECIN" if filled else "VECOUT"


def _tensors(text: str, queue: str) -> set[str]:
    return {tensor for tensor, of, _ in _MADE.findall(text) if of == queue}
