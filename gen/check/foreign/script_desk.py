"""Answers a script's process: its kernels are compiled, run on the model with its tensors, and judged."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gen.check.foreign.both import compared
from gen.check.foreign.judging import ReadyKernel, judge, not_compiled
from gen.check.foreign.options import FileVerdict, RunOptions
from gen.check.foreign.prepared import KernelFile, Prepared, Progress
from gen.check.foreign.run import profile_for
from gen.check.foreign.script import Call
from gen.check.foreign.script_tensors import misfit
from gen.check.foreign.script_trees import Compiled, compiled
from gen.check.foreign.tensors import DTYPES, TensorSpec
from gen.check.formats import Array
from gen.check.verdict import Outcome
from gen.compile.a_tree.front_ends import partner
from gen.compile.base import CompileError
from gen.plan import Tree

Message = dict[str, Any]


class Desk:
    """What it answered so far: `calls` are the verdicts, in the order in which kernels were called first."""

    def __init__(
        self, file: KernelFile, options: RunOptions, progress: Progress, folder: Path
    ) -> None:
        """`folder` takes the tensors that go back."""
        self._file, self._options, self._progress, self._folder = file, options, progress, folder
        self._answers: dict[str, Message] = {}
        self.calls: dict[str, Call] = {}

    def answer(self, asked: Message) -> Message:
        """The answer to one request; `error` says why there is none, `misfit` that it is the call that is wrong."""
        start = time.perf_counter()
        try:
            made = compiled(self._file, asked, self._progress)
        except CompileError as error:
            return self._refused(asked, error)
        if asked["kind"] == "compile":
            return {"takes": made.takes, "returns": made.returns, "source": made.source}
        values = {name: _read(stored) for name, stored in asked["tensors"].items()}
        if wrong := misfit(made.tensors, values):
            return {"misfit": f"`{asked['function']}` {wrong}"}
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
        if other := self._other():
            verdict = compared(
                verdict,
                kernel,
                lambda: compiled(other, asked, self._progress).program(shapes)[0],
                self._progress,
            )
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

    def _other(self) -> KernelFile | None:
        """The file for the front end to compare with."""
        front_end = partner(self._options.a_tree) if self._file.tree is Tree.A else None
        return replace(self._file, a_tree=str(front_end)) if front_end else None

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
