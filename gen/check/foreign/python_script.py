"""Running a TileLang file as the program that it is: it makes tensors with torch, calls kernels, compares the results.

The script runs in a process of its own (`script_host`); for every call of a kernel it asks this process, which compiles
the kernel, runs it on the model with those very tensors, and judges it (`script_desk`).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from gen.check.foreign.options import RunOptions
from gen.check.foreign.prepared import KernelFile, Progress
from gen.check.foreign.script import INTERRUPTED, Call, Ran, Values
from gen.check.foreign.script_checks import TOLD_RIGHT, TOLD_WRONG, has_check, stops
from gen.check.foreign.script_desk import Desk
from gen.check.foreign.script_host import environment
from gen.compile.child import Correspondent, GoneError, SilentError

SILENCE = 5.0
"""Times `RunOptions.timeout` that a script may take between two calls: a reference of large matrices on the host takes
minutes."""
_MOST, _SHOWN = 1 << 20, 4000
"""Bytes of what a script printed that are looked at, and characters that are kept."""

Message = dict[str, Any]


def run(
    file: KernelFile, options: RunOptions, arguments: tuple[str, ...], progress: Progress
) -> Ran:
    """Runs the script to its end, or to an interrupt, and says what its check says."""
    with tempfile.TemporaryDirectory(prefix="crosstree-") as name:
        desk = Desk(file, options, progress, Path(name))
        text = file.path
        if file.text != file.path.read_text("utf-8"):
            text = Path(name) / file.path.name
            text.write_text(file.text, "utf-8")
        progress("starting the script")
        with _started(file, text, Path(name), options.seed, arguments) as child:
            try:
                end = _serve(child, desk.answer, SILENCE * options.timeout)
            except KeyboardInterrupt:
                end = _stopped(INTERRUPTED) | {"interrupted": True}
            said = child.printed()[-_MOST:]
    ran = _ran(desk.calls, end, said, file.text)
    return replace(
        ran,
        printed=said[-_SHOWN:],
        has_check=has_check(file.text),
        interrupted="interrupted" in end,
    )


def _ran(calls: Mapping[str, Call], end: Message, said: str, source: str) -> Ran:
    made = tuple(calls.values())
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "")
    if "error" not in end and made:
        if end["failed"]:
            return Ran(made, Values.WRONG, f"{end['failed'][0]} is false")
        if told := TOLD_WRONG.search(said):
            return Ran(made, Values.WRONG, _line_of(said, told.start()))
        checked = end["checks"] or stops(source) or TOLD_RIGHT.search(said)
        return Ran(made, Values.RIGHT if checked else Values.UNCHECKED, last)
    if "error" not in end:
        problem = "the script calls no kernel"
        return Ran(problem=f"{problem}: {last}" if last else problem, skipped=True)
    message = end["message"] or end["error"]
    if end.get("compared") and made:
        return Ran(made, Values.WRONG, message)
    if end.get("kernel") or end["error"] == _STOPPED:
        return Ran(made, problem=message)
    line = f" (line {end['line']}{end['code']})" if end.get("line") else ""
    return Ran(made, problem=f"the script stops: {end['error']}: {message}{line}")


def _line_of(text: str, place: int) -> str:
    return text[text.rfind("\n", 0, place) + 1 :].split("\n", 1)[0].strip()


def _serve(child: Correspondent, answer: Callable[[Message], Message], silence: float) -> Message:
    """Answers until the script has ended; how it did."""
    while True:
        try:
            asked = child.receive(silence)
            if asked["kind"] == "end":
                return asked
            child.send(answer(asked))
        except SilentError:
            return _stopped(f"the script said nothing for {silence:g} s")
        except GoneError as gone:
            return _stopped(f"the script's process ended ({gone})")


_STOPPED = "Stopped"


def _stopped(message: str) -> Message:
    return {"error": _STOPPED, "message": message, "checks": 0, "failed": []}


@contextmanager
def _started(
    file: KernelFile, text: Path, folder: Path, seed: int, arguments: tuple[str, ...]
) -> Iterator[Correspondent]:
    """The script's process; it is ended, with all that it started, when this is left."""
    place = folder / "here"
    place.mkdir()
    tree = "a_tree" if file.tree == "a_tree" else "m_tree"
    command = [sys.executable, "-m", "gen.check.foreign.script_host", tree]
    command += [str(file.path.resolve()), str(text.resolve()), str(folder), str(seed), *arguments]
    cache = {"TILELANG_CACHE_DIR": str(folder / "tilelang")}
    child = Correspondent(command, folder / "log", cwd=place, environment=environment() | cache)
    try:
        yield child
    finally:
        child.end()
