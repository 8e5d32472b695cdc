"""Which front end takes a kernel of the A tree, and what is said where two differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gen.check import agreement
from gen.check.foreign import RunOptions, run_file
from gen.check.verdict import Fault, Outcome
from gen.compile.a_tree import Request, front_ends, interpreter
from gen.compile.base import CompileError, DeviceProgram
from gen.errors import Diagnostic
from gen.show.fault import faults_lines
from gen.sim import BuildError, Profile
from tests.interpreter.kernels import line_of, vector

OUTPUTS = {"y": (np.dtype(np.float32), (64, 512))}


def compiled(tmp_path: Path, body: str) -> tuple[DeviceProgram, Path]:
    path = tmp_path / f"{abs(hash(body))}.py"
    path.write_text(vector(body), encoding="utf-8")
    return interpreter.compile(path), path


def trial() -> agreement.Trial:
    x = np.random.default_rng(0).standard_normal((64, 512), dtype=np.float32)
    halves, whole = np.zeros((100, 50), np.float16), np.zeros((64, 64), np.int32)
    return agreement.Trial({"x": x, "halves": halves, "whole": whole}, OUTPUTS, Profile(), 60)


def test_without_the_compiler_the_interpreter_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_ends, "status", lambda: SimpleNamespace(toolchain=None))
    path = tmp_path / "kernel.py"
    path.write_text(vector("T.tile.add(c, a, b)"), encoding="utf-8")
    assert front_ends.compile(path).front_end == "interpreter"
    assert front_ends.describe(Request(str(path), path.read_text())).name == "kernel"


def test_equal_kernels_do_not_differ(tmp_path: Path) -> None:
    one, path = compiled(tmp_path, "T.tile.add(c, a, b)")
    other, _ = compiled(tmp_path, "T.tile.add(c, a, b)\n")
    assert agreement.difference(one, other, trial(), str(path)) is None


def test_the_first_instruction_that_differs_is_shown(tmp_path: Path) -> None:
    one, _ = compiled(tmp_path, "T.tile.add(c, a, b)")
    other, path = compiled(tmp_path, "T.tile.mul(c, a, b)  # <")
    fault = agreement.difference(one, other, trial(), "kernel.py")
    assert fault is not None
    assert (fault.code, fault.severity) == ("front-ends-differ", "error")
    assert "`V Add " in fault.message
    assert "`V Mul " in fault.message
    assert fault.core == "AIV0 of block 0"
    (place,) = fault.places
    assert (place.file, place.line) == ("kernel.py", line_of(path.read_text(), "# <"))


def test_another_flag_is_a_difference(tmp_path: Path) -> None:
    flags = 'T.set_flag("v", "mte3", {id})\nT.wait_flag("v", "mte3", {id})\nT.tile.add(c, a, b)'
    one, _ = compiled(tmp_path, flags.format(id=1))
    other, path = compiled(tmp_path, flags.format(id=2))
    fault = agreement.difference(one, other, trial(), str(path))
    assert fault is not None
    assert "SetFlag V→MTE3 id 1" in fault.message


def test_another_number_is_a_difference(tmp_path: Path) -> None:
    one, _ = compiled(tmp_path, "T.tile.add(c, a, 1.5)")
    other, path = compiled(tmp_path, "T.tile.add(c, a, 2.5)")
    fault = agreement.difference(one, other, trial(), str(path))
    assert fault is not None
    assert "outputs `y`" in fault.message


def test_one_that_does_not_end_is_a_difference(tmp_path: Path) -> None:
    one, path = compiled(tmp_path, "T.tile.add(c, a, b)")
    broken = replace(one.program, arguments=("/nonexistent/tape",))
    fault = agreement.difference(one, replace(one, program=broken), trial(), str(path))
    assert fault is not None
    assert "it ran to its end" in fault.message


def refusal(code: str = "E402", line: int = 3) -> CompileError:
    return CompileError(
        [Diagnostic(code, "no", "kernel.py", line=line, source_line="x", help="write y")]
    )


def test_a_refusal_is_a_note() -> None:
    error = refusal()
    fault = agreement.refused(error, "kernel.py")
    assert fault.severity == "note"
    assert fault.places[0].line == 3
    assert fault.message == "the interpreter does not take this kernel: no; write y"


def test_only_the_interpreter_takes_it() -> None:
    (fault,) = agreement.beside(refusal(), lambda: None, "kernel.py")
    assert fault.severity == "note"
    assert fault.message == "the interpreter takes this kernel, and the compiler does not"
    (fault,) = agreement.beside(refusal("E405"), lambda: None, "kernel.py")
    assert "does not compile" in fault.message


def test_what_the_compiler_has_not_placed_the_interpreter_does() -> None:
    def refuse() -> None:
        raise refusal(line=7)

    for error in (refusal("E405", line=1), refusal("E402", line=0)):
        (fault,) = agreement.beside(error, refuse, "kernel.py")
        assert fault.places[0].line == 7
        assert fault.message.endswith("no; write y")
    assert agreement.beside(refusal("E402", line=3), refuse, "kernel.py") == ()


def test_a_missing_compiler_says_nothing_of_the_kernel() -> None:
    assert agreement.beside(refusal("E401"), lambda: None, "kernel.py") == ()


def test_that_one_front_end_refuses_is_shown_without_notes() -> None:
    other = Fault("output-written-twice", "twice", "note", ())
    lines = list(faults_lines("", [agreement.refused(refusal(), "kernel.py"), other], 100))
    assert "does not take this kernel" in lines[0]
    assert any("1 note (output-written-twice)" in line for line in lines)


@pytest.mark.usefixtures("compiler")
def test_a_comparison_that_cannot_be_made_is_never_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unbuilt(*_: object, **__: object) -> None:
        raise BuildError("player does not link", "ld: undefined reference")

    monkeypatch.setattr(interpreter, "player", unbuilt)
    path = tmp_path / "kernel.py"
    path.write_text(vector("T.tile.add(c, a, b)"), encoding="utf-8")
    verdict = run_file(path, RunOptions(a_tree="both"))
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason == (
        "the front ends were not compared: the player of the interpreter's tapes cannot be built:"
        " player does not link"
    )


@pytest.mark.usefixtures("compiler")
def test_beside_an_error_in_the_emitted_text_stands_what_is_wrong_with_the_kernel(
    tmp_path: Path,
) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(vector("T.tile.add(bf, bf, bf)  # <"), encoding="utf-8")
    verdict = run_file(path, RunOptions(a_tree="both"))
    assert verdict.outcome is Outcome.UNSUPPORTED
    (fault,) = verdict.faults
    assert "T.tile.add does not exist for bfloat16" in fault.message
    assert "float32 and back" in fault.message
    assert fault.places[0].line == line_of(path.read_text(), "# <")
