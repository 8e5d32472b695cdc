"""A kernel file to a verdict: find out what it is, compile, run, judge."""

from __future__ import annotations

import ast
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gen.check import agreement
from gen.check.foreign.arguments import arguments_of
from gen.check.foreign.both import compared
from gen.check.foreign.edits import with_constants
from gen.check.foreign.files import HeaderLine, chip_of, first, header, tree_of
from gen.check.foreign.inputs import described, input_values, require_known
from gen.check.foreign.judging import ReadyKernel, judge, not_compiled
from gen.check.foreign.launch import LaunchLine, parse_launch
from gen.check.foreign.options import FileVerdict, RunOptions
from gen.check.foreign.prepared import KernelFile, Prepared, Progress
from gen.check.foreign.python_kernel import inspect
from gen.check.foreign.tensors import TensorSpec, looks_like_tensor
from gen.check.profiles import profile_of
from gen.check.verdict import Outcome
from gen.compile.a_tree.front_ends import partner
from gen.compile.base import CompileError, read_kernel
from gen.errors import Diagnostic, GenError
from gen.plan import Tree
from gen.sim import Profile


def run_file(
    path: Path, options: RunOptions | None = None, progress: Progress = lambda _: None
) -> FileVerdict:
    """Judges one kernel file under one profile.

    Raises GenError for what the user got wrong: a file that cannot be read (E101) or belongs to no tree (E143), options
    that do not go with it (E140), a launch line (E141) or an input (E142). What the file itself got wrong is a verdict.
    """
    options = options or RunOptions()
    file, lines = file_of(path, options)
    profile = profile_for(file, options)
    verdict = FileVerdict(str(path), file.tree, file.chip.name, Outcome.FAILED, profile=profile)
    start = time.perf_counter()
    try:
        kernel = _ready(file, lines, options, progress)
    except CompileError as error:
        verdict = not_compiled(verdict, error)
        if file.tree is Tree.A and partner(options.a_tree):
            other = _partner(options)
            faults = agreement.beside(error, lambda: ready_file(path, other, progress), str(path))
            return replace(verdict, faults=faults)
        return verdict
    seconds = {"compile": time.perf_counter() - start}
    verdict = judge(replace(verdict, seconds=seconds), kernel, file.text, options, progress)
    if file.tree is Tree.A and partner(options.a_tree):
        other = _partner(options)
        return compared(
            verdict, kernel, lambda: ready_file(path, other, progress).prepared.program, progress
        )
    return verdict


def _partner(options: RunOptions) -> RunOptions:
    """The same with the other front end."""
    return replace(options, a_tree=str(partner(options.a_tree)))


def ready_file(
    path: Path, options: RunOptions | None = None, progress: Progress = lambda _: None
) -> ReadyKernel:
    """A kernel file, compiled. Raises GenError as `run_file` does, and CompileError."""
    options = options or RunOptions()
    file, lines = file_of(path, options)
    return _ready(file, lines, options, progress)


def file_of(path: Path, options: RunOptions) -> tuple[KernelFile, tuple[HeaderLine, ...]]:
    """What the file is, and the comments at its top. Raises GenError: E101, E140, E143."""
    text = read_kernel(path) if options.text is None else options.text
    text = with_constants(str(path), text, options.constants)
    lines = header(text)
    tree = options.tree or tree_of(path, text)
    chip = chip_of(options.chip, tree, path, first(lines, "chip"))
    file = KernelFile(path, text, tree, chip, options.defines, options.a_tree, options.timeout)
    return file, lines


def _ready(
    file: KernelFile, lines: tuple[HeaderLine, ...], options: RunOptions, progress: Progress
) -> ReadyKernel:
    given, files = described(file.path, options)
    prepared = _prepare(file, lines, options, given, progress)
    require_known(file.path, prepared, given, files)
    values = input_values(prepared, options, files)
    return ReadyKernel(prepared, values, profile_for(file, options), options.timeout)


def profile_for(file: KernelFile, options: RunOptions) -> Profile:
    """The profile that the options ask for."""
    return profile_of(
        file.chip,
        file.tree,
        auto_sync=options.auto_sync,
        flag_identity=options.flag_identity,
        xflag=options.xflag,
        k_tail=options.k_tail,
        deep=options.deep or options.remarks,
    )


def _prepare(
    file: KernelFile,
    lines: tuple[HeaderLine, ...],
    options: RunOptions,
    given: Mapping[str, TensorSpec],
    progress: Progress,
) -> Prepared:
    launch = _launch(file.path, lines, options)
    if file.tree is Tree.ASCENDC:
        from gen.check.foreign import ascendc

        _no_arguments(file.path, options)
        launch = launch and replace(launch, arguments=_overridden(launch, given, options))
        return ascendc.prepare(file, launch, given, progress)
    if launch is not None:
        launch.require_tensors_only()
        given = {**launch.tensors, **given}
    _require_python(file)
    kernel = inspect(file.text)
    arguments = arguments_of(file.path, kernel, options, lines)
    if file.tree is Tree.M:
        from gen.check.foreign import m_tree

        return m_tree.prepare(file, kernel, arguments, given, progress)
    from gen.check.foreign import a_tree

    return a_tree.prepare(file, kernel, arguments, given, progress)


def _require_python(file: KernelFile) -> None:
    """Raises CompileError (E402) before a compiler is started for what is no Python."""
    try:
        ast.parse(file.text)
    except SyntaxError as error:
        line, column = error.lineno or 0, error.offset or 0
        source = (error.text or "").rstrip("\n")
        found = Diagnostic("E402", f"SyntaxError: {error.msg}", str(file.path), line, column)
        raise CompileError([replace(found, source_line=source)]) from None
    except ValueError as error:
        raise CompileError([Diagnostic("E402", str(error), str(file.path))]) from None


def _launch(path: Path, lines: tuple[HeaderLine, ...], options: RunOptions) -> LaunchLine | None:
    if options.launch is not None:
        return parse_launch(options.launch, path, None)
    line = first(lines, "launch")
    return parse_launch(line.value, path, line) if line else None


def _overridden(
    launch: LaunchLine, given: Mapping[str, TensorSpec], options: RunOptions
) -> dict[str, TensorSpec | str]:
    """The launch's arguments with the tensors that the command line describes otherwise.

    A file may have another shape than the launch says; its number format is held against the launch's.
    """
    found = dict(launch.arguments)
    for name, spec in given.items():
        old = found.get(name)
        if isinstance(old, TensorSpec):
            described = looks_like_tensor(options.inputs[name])
            dtype = spec.dtype if described else old.dtype
            found[name] = replace(spec, dtype=dtype, role=spec.role or old.role)
    return found


def _no_arguments(path: Path, options: RunOptions) -> None:
    if options.arguments or options.function:
        what = "--arg" if options.arguments else "--function"
        help = "name kernel and scalars in --launch: kernel=add n=3"
        message = f"{what} is for Python kernels"
        raise GenError([Diagnostic("E140", message, str(path), help=help)])
