"""What a kernel file is lowered with: the same options as for a run, and no program is built."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gen.check.foreign import m_tree as prepared_m
from gen.check.foreign.arguments import Arguments, arguments_of
from gen.check.foreign.files import chip_of, first, header, tree_of
from gen.check.foreign.inputs import described
from gen.check.foreign.launch import parse_launch
from gen.check.foreign.options import RunOptions
from gen.check.foreign.prepared import KernelFile
from gen.check.foreign.python_kernel import inspect
from gen.compile import a_tree, m_tree
from gen.compile.base import read_kernel
from gen.errors import Diagnostic, GenError
from gen.plan import Tree


@dataclass(frozen=True)
class Wanted:
    """A kernel file and the request that its compiler gets."""

    file: KernelFile
    request: m_tree.Request | a_tree.Request


def wanted(path: Path, options: RunOptions) -> Wanted:
    """Reads the file and its options.

    Raises GenError as `run_file` does, and (E140) for Ascend C, which is device source already.
    """
    text = read_kernel(path) if options.text is None else options.text
    lines = header(text)
    tree = options.tree or tree_of(path, text)
    if tree is Tree.ASCENDC or path.suffix != ".py":
        message = "Ascend C is not lowered: it is the device source"
        help = "give a TileLang kernel (.py), or a spec"
        raise GenError([Diagnostic("E140", message, str(path), help=help)])
    file = KernelFile(path, text, tree, chip_of(None, tree, path, first(lines, "chip")))
    given, _ = described(path, options)
    if line := first(lines, "launch"):
        launch = parse_launch(line.value, path, line)
        launch.require_tensors_only()
        given = {**launch.tensors, **given}
    kernel = inspect(text)
    arguments = arguments_of(path, kernel, options, lines)
    if tree is Tree.M:
        return Wanted(file, prepared_m.request_of(file, kernel, arguments, given))
    return Wanted(file, _of_a_tree(file, arguments))


def _of_a_tree(file: KernelFile, arguments: Arguments) -> a_tree.Request:
    return a_tree.Request(str(file.path), file.text, arguments.function, arguments.call)
