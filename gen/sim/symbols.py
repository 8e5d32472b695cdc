"""Source positions for the addresses in a report."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Frame:
    """One level of a call stack; inlined calls have levels of their own. ``line`` counts from 1."""

    function: str
    file: Path
    line: int


def symbolise(
    executable: Path,
    addresses: Iterable[int],
    named: Mapping[int, tuple[Frame, ...]] | None = None,
) -> Mapping[int, tuple[Frame, ...]]:
    """The frames at each address, innermost first.

    ``named`` are those that are known (:func:`named_frames`). An address without debug information,
    and every address when neither ``addr2line`` nor ``llvm-symbolizer`` is installed, gets none.
    """
    known = named or {}
    wanted = sorted({*addresses} - known.keys())
    return {**known, **_looked_up(executable, wanted)}


def _looked_up(executable: Path, wanted: Sequence[int]) -> Mapping[int, tuple[Frame, ...]]:
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    if not wanted or tool is None:
        return dict.fromkeys(wanted, ())
    words = "\n".join(hex(a) for a in wanted) + "\n"
    done = subprocess.run(
        [tool, "-e", str(executable), "-i", "-f", "-C", "-a"],
        input=words,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    nothing: dict[int, tuple[Frame, ...]] = dict.fromkeys(wanted, ())
    return nothing | dict(_parse(done.stdout))


def named_frames(named: Mapping[str, Sequence[Any]]) -> Mapping[int, tuple[Frame, ...]]:
    """The positions in sources that a program interprets, as reports and traces have them."""
    return {int(name): read_frames(frames) for name, frames in named.items()}


def read_frames(frames: Sequence[Any]) -> tuple[Frame, ...]:
    """From ``[[function, file, line], …]``, innermost first."""
    return tuple(Frame(function, Path(file), line) for function, file, line in frames)


def _parse(text: str) -> Iterable[tuple[int, tuple[Frame, ...]]]:
    """Output of addr2line -a -f: ``0xaddress``, then pairs of lines: function, ``file:line``."""
    address: int | None = None
    frames: list[Frame] = []
    function: str | None = None
    for line in text.splitlines():
        if function is None and line.startswith("0x"):
            if address is not None:
                yield address, tuple(frames)
            address, frames = int(line, 16), []
        elif function is None:
            function = line
        else:
            frame = _frame(function, line)
            frames += [frame] if frame else []
            function = None
    if address is not None:
        yield address, tuple(frames)


def _frame(function: str, place: str) -> Frame | None:
    file, _, number = place.partition(" (discriminator")[0].rpartition(":")
    if not file or file == "??" or not number.isdigit() or number == "0":
        return None
    return Frame(function, Path(file), int(number))
