"""The recorder of a live tape: it runs beside the kernel and is told the numbers that the kernel computes.

The player starts the command of the tape and asks it for the calls of a core, part by part
(``native/tape/recorder.h`` describes the messages). The recorder runs each core in a thread of its
own, which waits wherever it needs a number.
"""

from __future__ import annotations

import os
import struct
import threading
import time
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import IO, NoReturn

from gen.sim.tape import (
    CORES,
    Core,
    Number,
    Register,
    Table,
    TapeError,
    site_records,
    string_records,
)

__all__ = ["LiveCore", "serve"]

_REPLIES = 3
_DONE, _ASKS, _FAILED = range(3)
_LOOK_SECONDS = 0.5


class LiveCore(Core):
    """The calls of a core that runs. :meth:`value` waits until the kernel has got there."""

    def __init__(self, block: int, name: str) -> None:
        super().__init__(Table(), block, name)
        self.given: SimpleQueue[list[Number]] = SimpleQueue()
        self.parts: SimpleQueue[bytes] = SimpleQueue()
        self._strings_told = 0
        self._sites_told = 0

    def value(self, register: Register) -> Number:
        """What the core has read or computed."""
        self.parts.put(self._part(_ASKS, struct.pack("<II", 1, register.number)))
        number = self.given.get()[0]
        if register.dtype == "uint64" and isinstance(number, int):
            return number & 0xFFFF_FFFF_FFFF_FFFF
        return number

    def record(self, record: Callable[[Core], None]) -> None:
        """Records it to its end; for the thread of the core."""
        try:
            record(self)
            self.parts.put(self._part(_DONE))
        except BaseException as error:
            text = _words(error).encode()
            self.parts.put(self._part(_FAILED, struct.pack("<I", len(text)) + text))

    def _part(self, state: int, tail: bytes = b"") -> bytes:
        """What was recorded since the last part."""
        table = self.table
        sites = site_records(table, self._sites_told)
        strings = string_records(table.strings, self._strings_told)
        self._sites_told, self._strings_told = len(table.sites), len(table.strings.index)
        calls = struct.pack("<Q", len(self.calls)) + bytes(self.calls)
        self.calls.clear()
        return strings + sites + calls + bytes([state]) + tail


def _words(error: BaseException) -> str:
    """One line for people: an error of the recorder in its own words, any other with its type."""
    if isinstance(error, TapeError):
        return str(error)
    return "".join(traceback.format_exception_only(error)).strip()


def serve(record: Callable[[Core], None]) -> NoReturn:
    """Answers the player that has started this process, until it is gone.

    ``record`` records one core from its start to its end; it is called once for every core that
    runs, in a thread of its own. What it raises ends the run with that text.
    """
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with os.fdopen(_REPLIES, "wb") as replies, os.fdopen(os.dup(0), "rb") as requests:
        cores: dict[tuple[int, int], LiveCore] = {}
        while (head := requests.read(12)) and len(head) == 12:
            block, unit, count = struct.unpack("<III", head)
            values = [_value(requests) for _ in range(count)]
            core = cores.get((block, unit))
            if core is None:
                core = cores[block, unit] = _started(record, block, unit)
            else:
                core.given.put(values)
            part = core.parts.get()
            replies.write(struct.pack("<Q", len(part)) + part)
            replies.flush()
    os._exit(0)  # threads that still wait hold nothing up


def _value(requests: IO[bytes]) -> Number:
    kind = requests.read(1)
    number: Number = struct.unpack("<d" if kind == b"f" else "<q", requests.read(8))[0]
    return number


def _started(record: Callable[[Core], None], block: int, unit: int) -> LiveCore:
    core = LiveCore(block, CORES[unit])
    threading.Thread(target=core.record, args=(record,), daemon=True).start()
    return core


def _end_with(player: int) -> None:
    """Ends this process once the one that started it is gone, whatever a kernel keeps it busy with."""
    while os.getppid() == player:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)
