"""EnQue or FreeTensor that a kernel has nowhere: the line to write, behind the last use of the tensor."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.check.places import Place
from gen.check.queue_left_out import left_out
from gen.check.wording import Kernel

TEXT = (Path(__file__).parents[2] / "out" / "add" / "ascendc" / "add.asc").read_text()


def line_of(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if part in line)


@pytest.mark.parametrize(
    ("code", "call", "place", "last_use"),
    [
        ("queue-deque", "inQueueX.EnQue(xLocal);", "inQueueX.DeQue", "xGlobal[offset]"),
        ("queue-deque", "outQueueZ.EnQue(zLocal);", "outQueueZ.DeQue", "AscendC::Add(zLocal"),
        ("queue-alloc", "inQueueY.FreeTensor(yLocal);", "inQueueY.Alloc", "AscendC::Add(zLocal"),
        ("queue-alloc", "outQueueZ.FreeTensor(zLocal);", "outQueueZ.Alloc", "DataCopyPad(zGlobal"),
    ],
)
def test_the_line_to_write(code: str, call: str, place: str, last_use: str) -> None:
    lines = TEXT.split("\n")
    (gone,) = [n for n, line in enumerate(lines, 1) if line.strip() == call]
    text = "\n".join(lines[: gone - 1] + lines[gone:])
    kernel = Kernel("ascendc", text, "dav-2201")
    found = left_out(code, kernel, Place("add.asc", line_of(text, place), ""))
    assert found is not None
    (write,) = found.lines
    assert write.code == call
    assert write.where == "after"
    assert write.place is not None
    first = max(n for n, line in enumerate(text.split("\n"), 1) if last_use in line)
    assert first <= write.place.line < first + 4
    assert f"`{call.partition('.')[0]}` has no " in found.text
    assert left_out(code, Kernel("ascendc", TEXT, "dav-2201"), Place("add.asc", 1, "")) is None


def test_a_queue_that_has_the_call_lacks_something_else() -> None:
    kernel = Kernel("ascendc", TEXT, "dav-2201")
    place = Place("add.asc", line_of(TEXT, "inQueueX.DeQue"), "")
    assert left_out("queue-deque", kernel, place) is None
