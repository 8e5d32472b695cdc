"""Running a TileLang file as the program that it is: it makes tensors with torch, calls kernels, compares the results.

The script runs in a process of its own (`script_host`); for every call of a kernel it asks this process, which compiles
the kernel, runs it on the model with those very tensors, and judges it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np

import gen
from gen.check.foreign.judging import ReadyKernel, judge, not_compiled
from gen.check.foreign.options import FileVerdict, RunOptions
from gen.check.foreign.prepared import KernelFile, Prepared, Progress
from gen.check.foreign.run import profile_for
from gen.check.foreign.script import Call, Ran, Values
from gen.check.foreign.script_trees import Compiled, compiled
from gen.check.foreign.tensors import DTYPES, TensorSpec
from gen.check.formats import Array
from gen.check.verdict import Outcome
from gen.compile.base import CompileError

SILENCE = 5.0
"""Times `RunOptions.timeout` that a script may take between two calls: a reference of large matrices on the host takes
minutes."""
_MOST, _SHOWN = 1 << 20, 4000
"""Bytes of what a script printed that are looked at, and characters that are kept."""
_TOLD_WRONG = re.compile(r"\b(?:FAIL(?:ED)?|[Mm]ismatch(?:ed)?)\b")
_TOLD_RIGHT = re.compile(r"\b(?:PASS(?:ED)?|passed)\b")

Message = dict[str, Any]


def run(
    file: KernelFile, options: RunOptions, arguments: tuple[str, ...], progress: Progress
) -> Ran:
    """Runs the script to its end, and says what its check says."""
    with tempfile.TemporaryDirectory(prefix="crosstree-") as name:
        desk = _Desk(file, options, progress, Path(name))
        text = file.path
        if file.text != file.path.read_text("utf-8"):
            text = Path(name) / file.path.name
            text.write_text(file.text, "utf-8")
        progress("starting the script")
        with _started(file, text, Path(name), arguments) as child:
            end = child.serve(desk.answer, SILENCE * options.timeout)
            said = child.printed()
    return replace(_ran(desk.calls, end, said), printed=said[-_SHOWN:])


def _ran(calls: Mapping[str, Call], end: Message, said: str) -> Ran:
    made = tuple(calls.values())
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "")
    if "error" not in end and made:
        if end["failed"]:
            return Ran(made, Values.WRONG, f"{end['failed'][0]} is false")
        if told := _TOLD_WRONG.search(said):
            return Ran(made, Values.WRONG, _line_of(said, told.start()))
        checked = end["checks"] or end["compares"] or _TOLD_RIGHT.search(said)
        return Ran(made, Values.RIGHT if checked else Values.UNCHECKED, last)
    if "error" not in end:
        return Ran(problem=f"the script calls no kernel: {last}", skipped=True)
    message = end["message"] or end["error"]
    if end.get("compared") and made:
        return Ran(made, Values.WRONG, message)
    if end.get("kernel"):
        return Ran(made, problem=message)
    line = f" (line {end['line']})" if end.get("line") else ""
    return Ran(made, problem=f"the script stops: {end['error']}: {message}{line}")


def _line_of(text: str, place: int) -> str:
    return text[text.rfind("\n", 0, place) + 1 :].split("\n", 1)[0].strip()


class _Desk:
    """Answers what the script asks."""

    def __init__(
        self, file: KernelFile, options: RunOptions, progress: Progress, folder: Path
    ) -> None:
        self._file, self._options, self._progress, self._folder = file, options, progress, folder
        self._answers: dict[str, Message] = {}
        self.calls: dict[str, Call] = {}

    def answer(self, asked: Message) -> Message:
        """The answer to one request; `error` says why there is none."""
        start = time.perf_counter()
        try:
            made = compiled(self._file, asked, self._progress)
        except CompileError as error:
            return self._refused(asked, error)
        if asked["kind"] == "compile":
            return {"takes": made.takes, "returns": made.returns, "source": made.source}
        values = {name: _read(stored) for name, stored in asked["tensors"].items()}
        key = _key(made.key, values)
        if key in self.calls:
            self.calls[key] = replace(self.calls[key], times=self.calls[key].times + 1)
            return self._answers[key]
        return self._run(key, asked, made, values, start)

    def _run(
        self, key: str, asked: Message, made: Compiled, values: Mapping[str, Array], start: float
    ) -> Message:
        shapes = {name: array.shape for name, array in values.items()}
        try:
            program, tensors = made.program(shapes)
        except CompileError as error:
            return self._refused(asked, error)
        prepared = Prepared(program, _as_called(tensors, values), made.scalars)
        seconds = {"compile": time.perf_counter() - start}
        verdict = replace(self._verdict(), seconds=seconds)
        whole = {t.name: values.get(t.name, np.zeros(t.shape, t.dtype)) for t in prepared.tensors}
        kernel = ReadyKernel(prepared, whole, verdict.profile, self._options.timeout)
        verdict = judge(verdict, kernel, self._file.text, self._options, self._progress)
        self.calls[key] = Call(_name(asked), verdict)
        self._answers[key] = self._reply(verdict, asked)
        return self._answers[key]

    def _reply(self, verdict: FileVerdict, asked: Message) -> Message:
        if verdict.outcome not in (Outcome.CLEAN, Outcome.FINDINGS):
            return {"error": f"{verdict.outcome}: {verdict.reason}"}
        left = {o.name: o for o in verdict.outputs}
        if missing := [name for name in asked["returned"] if name not in left]:
            return {"error": f"the kernel left no {missing[0]}"}
        stored = {}
        for output in verdict.outputs:
            place = self._folder / f"out-{len(self.calls)}-{output.name}.bin"
            np.ascontiguousarray(output.values).tofile(place)
            shape, dtype = list(output.shape), output.dtype
            stored[output.name] = {"file": str(place), "dtype": dtype, "shape": shape}
        return {"tensors": stored}

    def _refused(self, asked: Message, error: CompileError) -> Message:
        verdict = not_compiled(self._verdict(), error)
        self.calls[f"refused {len(self.calls)}"] = Call(_name(asked), verdict)
        return {"error": f"{verdict.outcome}: {verdict.reason}"}

    def _verdict(self) -> FileVerdict:
        file = self._file
        profile = profile_for(file, self._options)
        return FileVerdict(
            str(file.path), file.tree, file.chip.name, Outcome.FAILED, profile=profile
        )


def _as_called(
    tensors: tuple[TensorSpec, ...], values: Mapping[str, Array]
) -> tuple[TensorSpec, ...]:
    """The tensors with the shapes that they were called with: a kernel may take them flattened."""
    return tuple(replace(t, shape=values[t.name].shape) if t.name in values else t for t in tensors)


def _name(asked: Message) -> str:
    arguments = ", ".join(f"{k}={v}" for k, v in (asked.get("arguments") or {}).items())
    return f"{asked['function']}({arguments})" if arguments else str(asked["function"])


def _read(stored: Message) -> Array:
    dtype = DTYPES[stored["dtype"]]
    return np.fromfile(stored["file"], dtype).reshape(stored["shape"])


def _key(kernel: str, values: Mapping[str, Array]) -> str:
    digest = hashlib.sha256(kernel.encode())
    for name, array in values.items():
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


@dataclass
class _Child:
    process: subprocess.Popen[bytes]
    asks: IO[str]
    answers: IO[str]
    log: Path

    def serve(self, answer: Any, silence: float) -> Message:
        """Answers until the script has ended; how it did."""
        selector = selectors.DefaultSelector()
        selector.register(self.asks, selectors.EVENT_READ)
        while True:
            if not selector.select(silence):
                return _ended(f"the script said nothing for {silence:g} s")
            line = self.asks.readline()
            if not line:
                return _ended(f"the script's process ended ({self._status()})")
            asked = json.loads(line)
            if asked["kind"] == "end":
                return dict(asked)
            self.answers.write(json.dumps(answer(asked)) + "\n")
            self.answers.flush()

    def _status(self) -> str:
        code = self.process.wait()
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"

    def printed(self) -> str:
        """What the script printed, the end of it where that is much."""
        return self.log.read_bytes()[-_MOST:].decode("utf-8", "replace")


def _ended(message: str) -> Message:
    return {"error": "Stopped", "message": message, "checks": 0, "failed": [], "compares": False}


@contextmanager
def _started(
    file: KernelFile, text: Path, folder: Path, arguments: tuple[str, ...]
) -> Iterator[_Child]:
    """The script's process; it is ended when this is left."""
    asks, asks_out = os.pipe()
    answers_in, answers = os.pipe()
    log, place = folder / "log", folder / "here"
    place.mkdir()
    tree = "a_tree" if file.tree == "a_tree" else "m_tree"
    command = [sys.executable, "-m", "gen.check.foreign.script_host", tree]
    command += [str(file.path.resolve()), str(text.resolve()), str(folder)]
    command += [str(asks_out), str(answers_in), *arguments]
    root = str(Path(gen.__file__).resolve().parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TILELANG_CACHE_DIR": str(folder / "tilelang"),
    }
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=place,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            pass_fds=(asks_out, answers_in),
            start_new_session=True,  # what it started ends with it
        )
    os.close(asks_out)
    os.close(answers_in)
    try:
        with os.fdopen(asks, encoding="utf-8") as reads, os.fdopen(answers, "w") as writes:
            yield _Child(process, reads, writes, log)
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
