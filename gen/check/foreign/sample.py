"""An Ascend C sample with its own host program and, beside it, scripts that make the inputs and check the outputs.

The scripts are called as the sample's README says (`python3 scripts/gen_data.py -scenario_num=$SCENARIO_NUM`), in the
folder in which the program then runs.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np

from gen.check.foreign import ascendc
from gen.check.foreign.files import HeaderLine
from gen.check.foreign.judging import ReadyKernel, judge, not_compiled
from gen.check.foreign.options import FileVerdict, RunOptions
from gen.check.foreign.prepared import KernelFile, Prepared, Progress
from gen.check.foreign.run import profile_for
from gen.check.foreign.script import INTERRUPTED, Call, Ran, Values
from gen.check.foreign.script_host import environment
from gen.check.formats import Array
from gen.check.verdict import Outcome
from gen.compile import ascendc as front_end
from gen.compile.base import CompileError
from gen.compile.child import Child
from gen.errors import Diagnostic, GenError

_RUNNER = "gen.check.foreign.script_host.seeded"
MAKES, CHECKS = "gen_data.py", "verify_result.py"
_DEFAULT = {MAKES: (), CHECKS: ("output/output.bin", "output/golden.bin")}
_PASSES = re.compile(r"\b(?:pass(?:ed)?|success(?:ful(?:ly)?)?|match(?:es)?)\b", re.IGNORECASE)


def run(
    file: KernelFile, lines: tuple[HeaderLine, ...], options: RunOptions, progress: Progress
) -> Ran:
    """Makes the inputs, runs the program on the model, and lets the sample check what it wrote."""
    if not ascendc.has_main(file.text):
        help = "run it without --script, with a launch line and inputs"
        message = "the file has no main(), so that nothing calls its kernel"
        raise GenError([Diagnostic("E140", message, str(file.path), help=help)])
    calls: tuple[Call, ...] = ()
    unfinished = Ran(has_check=_script(CHECKS, file).is_file() or bool(_PASSES.search(file.text)))
    try:
        progress("making inputs")
        files = _inputs(file, options)
        verdict = _judged(file, files, options, progress)
        calls = (Call(file.path.stem, verdict),)
        if verdict.outcome not in (Outcome.CLEAN, Outcome.FINDINGS):
            return replace(unfinished, calls=calls, problem=verdict.reason)
        progress("checking the outputs")
        values, said, printed = _checked(file, files, verdict, options)
    except _ScriptError as error:
        return replace(unfinished, problem=str(error))
    except KeyboardInterrupt:
        return replace(unfinished, calls=calls, problem=INTERRUPTED, interrupted=True)
    return Ran(calls, values, said, printed=printed)


def _judged(
    file: KernelFile, files: Mapping[str, Array], options: RunOptions, progress: Progress
) -> FileVerdict:
    profile = profile_for(file, options)
    verdict = FileVerdict(
        str(file.path), file.tree, file.chip.name, Outcome.FAILED, profile=profile
    )
    progress("compiling")
    try:
        program = front_end.compile(file.path, file.chip, text=file.text, defines=file.defines)
    except CompileError as error:
        return not_compiled(verdict, error)
    reads = {name: name for name in files}
    prepared = Prepared(program, (), reads=reads, own_host=True, judges_itself=True)
    kernel = ReadyKernel(prepared, files, profile, options.timeout)
    return judge(verdict, kernel, file.text, options, progress)


class _ScriptError(Exception):
    """A script of the sample did not do its work."""


def _inputs(file: KernelFile, options: RunOptions) -> dict[str, Array]:
    """What the sample's script makes, by relative path; nothing where there is no script."""
    with tempfile.TemporaryDirectory(prefix="crosstree-") as name:
        for folder in ("input", "output"):
            Path(name, folder).mkdir()
        done = _call(MAKES, file, Path(name), options)
        if done is not None and done.status:
            raise _ScriptError(f"{MAKES} failed: {_last(done.err or done.out)}")
        return {
            str(p.relative_to(name)): np.fromfile(p, np.uint8)
            for p in sorted(Path(name).rglob("*"))
            if p.is_file()
        }


def _checked(
    file: KernelFile, files: Mapping[str, Array], verdict: FileVerdict, options: RunOptions
) -> tuple[Values, str, str]:
    with tempfile.TemporaryDirectory(prefix="crosstree-") as name:
        left = {o.name: o.values for o in verdict.outputs}
        for path, array in {**files, **left}.items():
            place = Path(name, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            array.tofile(place)
        done = _call(CHECKS, file, Path(name), options)
    if done is None:
        said = _last(verdict.printed)
        right = Values.RIGHT if _PASSES.search(verdict.printed) else Values.UNCHECKED
        return (Values.WRONG if verdict.exit_code else right), said, verdict.printed
    return (Values.WRONG if done.status else Values.RIGHT), _last(done.printed), done.printed


@dataclass(frozen=True)
class _Done:
    """How a script of the sample ended, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def printed(self) -> str:
        """What says most."""
        return self.out if self.out.strip() else self.err


def _call(script: str, file: KernelFile, folder: Path, options: RunOptions) -> _Done | None:
    """Runs a script of the sample in `folder`; None where it has none. What it leaves running ends with it."""
    place = _script(script, file)
    if not place.is_file():
        return None
    arguments = _arguments(file, script)
    command = [sys.executable, "-m", _RUNNER, str(options.seed), str(place), *arguments]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = Child(command, stdout=out, stderr=err, cwd=folder, environment=environment())
        try:
            status = child.wait(options.timeout)
        finally:
            child.end()
        if status is None:
            return _Done(1, "", f"it did not end within {options.timeout:g} s")
        return _Done(status, _text(out), _text(err))


def _script(name: str, file: KernelFile) -> Path:
    return (file.path.parent / "scripts" / name).resolve()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _arguments(file: KernelFile, script: str) -> list[str]:
    """What the README passes to the script, with the macros that it was built with filled in."""
    readme = file.path.parent / "README.md"
    text = readme.read_text("utf-8", "replace") if readme.is_file() else ""
    for line in text.splitlines():
        match = re.match(rf"\s*python3?\s+\S*\b{re.escape(script)}(?P<rest>.*)", line)
        if match is not None:
            words = _words(match["rest"])
            return [_filled(word, file.defines) for word in words]
    return list(_DEFAULT[script])


def _words(text: str) -> Iterable[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split("#", maxsplit=1)[0].split()


def _filled(word: str, defines: Mapping[str, str]) -> str:
    return re.sub(r"\$\{?(\w+)\}?", lambda m: defines.get(m[1], m[0]), word)


def _last(text: str) -> str:
    """The last line that says something."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
