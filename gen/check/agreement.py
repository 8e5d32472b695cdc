"""Do the compiler and the interpreter of the A tree make the same of a kernel? Bit for bit, call for call."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from gen.check.formats import Array
from gen.check.places import Place
from gen.check.verdict import Fault
from gen.compile.base import CompileError, DeviceProgram, OutputSpec
from gen.sim import Frame, Profile, Run
from gen.sim.trace import Difference, LaunchTrace, Operation, Touch, Trace, diff, read_trace, text

DIFFERENCE = "front-ends-differ"
REFUSED, NOT_TAKEN = "E402", "E405"
"""Codes: a front end refuses the kernel; what the compiler emits is not taken, or the interpreter lacks something."""
OF_THE_KERNEL = frozenset({REFUSED, "E403", NOT_TAKEN})
"""Codes of what a front end says about a kernel; the others are about the front end or the machine."""


_PLACED = re.compile(r"auto (\w+) = \w+\.GetWithOffset<\w+>\(\d+, (\d+)\);")


@dataclass(frozen=True)
class Trial:
    """What both kernels run on."""

    inputs: Mapping[str, Array]
    outputs: Mapping[str, OutputSpec]
    profile: Profile
    timeout: float


def difference(
    compiled: DeviceProgram, interpreted: DeviceProgram, trial: Trial, file: str
) -> Fault | None:
    """The first instruction that differs, else the first output that does, else how the runs ended; None for nothing."""
    interpreted = _as_placed(interpreted, compiled.emitted or "")
    # One block after the other: sums of several blocks depend on which comes first.
    profile = replace(trial.profile, threads=1)
    with tempfile.TemporaryDirectory(prefix="crosstree-") as folder:
        paths = [Path(folder, name) for name in ("compiled", "interpreted")]
        runs = [
            program.run(trial.inputs, trial.outputs, profile, trial.timeout, trace=path)
            for program, path in zip((compiled, interpreted), paths, strict=True)
        ]
        traces = [read_trace(path) for path in paths]
    return (
        _of_ends(runs[0][1], runs[1][1])
        or _of_traces(traces[0], traces[1], interpreted, file)
        or _of_outputs(runs[0][0], runs[1][0])
    )


def _as_placed(program: DeviceProgram, emitted: str) -> DeviceProgram:
    """The interpreter's program with its buffers as in the compiler's, where they could lie in another order, too.

    The compiler's memory planning goes through a hash table of pointers: which of two buffers comes first that begin
    with one statement changes from process to process. All else is held against it as it is.
    """
    if program.reordered is None:
        return program
    places = sorted((int(place), name) for name, place in _PLACED.findall(emitted))
    return program.reordered([name for _, name in places])


def refused(error: CompileError, file: str) -> Fault:
    """The compiler takes the kernel and the interpreter does not: to know, and no difference of results."""
    first = error.diagnostics[0]
    message = f"the interpreter does not take this kernel: {first.message}"
    if first.help:
        message += f"; {first.help}"
    places = (Place(file, first.line, first.source_line),) if first.line else ()
    return Fault(DIFFERENCE, message, "note", places)


def uncompared(error: CompileError) -> str | None:
    """Why the front ends could not be held against each other; None where the interpreter has judged the kernel."""
    first = error.diagnostics[0]
    if first.code in OF_THE_KERNEL:
        return None
    return f"the front ends were not compared: {first.message}"


def beside(error: CompileError, interpret: Callable[[], object], file: str) -> tuple[Fault, ...]:
    """What the interpreter says of a kernel that the compiler does not take: that it does, or why it does not either.

    Nothing where the compiler is missing or has failed, or has named the line itself, or where the interpreter only
    lacks something.
    """
    codes = {d.code for d in error.diagnostics}
    if not codes <= {REFUSED, NOT_TAKEN}:
        return ()
    try:
        interpret()
    except CompileError as other:
        placed = NOT_TAKEN not in codes and all(d.line for d in error.diagnostics)
        lacks = all(d.code == NOT_TAKEN for d in other.diagnostics)
        return () if placed or lacks else (refused(other, file),)
    compiler = "what the compiler emits for it does not compile"
    if NOT_TAKEN not in codes:
        compiler = "the compiler does not"
    return (Fault(DIFFERENCE, f"the interpreter takes this kernel, and {compiler}", "note", ()),)


def _fault(message: str, places: tuple[Place, ...] = (), core: str = "") -> Fault:
    return Fault(DIFFERENCE, message, "error", places, core=core)


def _of_ends(one: Run, other: Run) -> Fault | None:
    ends = [
        run.crashed or (f"it lacks {run.unsupported}" if run.unsupported else "")
        for run in (one, other)
    ]
    if ends[0] == ends[1]:
        return None
    words = [end or "it ran to its end" for end in ends]
    return _fault(f"of the compiler's kernel: {words[0]}; of the interpreter's: {words[1]}")


def _of_traces(one: Trace, other: Trace, program: DeviceProgram, file: str) -> Fault | None:
    if len(one.launches) != len(other.launches):
        return _fault(f"{len(one.launches)} launches, and {len(other.launches)} of the interpreter")
    for launches in zip(one.launches, other.launches, strict=True):
        left, right = launches
        if left.tensors != right.tensors:
            left, right = _by_name(left), _by_name(right)
        left, right = _reads_in_order(left), _reads_in_order(right)
        found = diff(left, right)
        if found:
            again = _read_again(found, right)
            if again is not None:
                return _fault(again[0], _place(again[1], other, program, file))
            first = found[0]
            block, core = first.core
            shown = (_shown(first.left, left), _shown(first.right, right))
            message = (
                f"the front ends differ: the compiler's kernel has {shown[0]}, the interpreter's {shown[1]}"
                f" ({len(found)} differences)"
            )
            place = _place(first.right, other, program, file)
            return _fault(message, place, f"{core} of block {block}")
    return None


def _reads_in_order(launch: LaunchTrace) -> LaunchTrace:
    """With reads of elements that follow each other sorted: C++ leaves open which operand comes first."""
    operations: list[Operation] = []
    for _, done in sorted(launch.cores().items()):
        for reads, group in groupby(done, lambda op: (op.pipe, op.name) == ("S", "GetValue")):
            given = list(group)
            ordered = sorted(given, key=lambda op: str(op.touches)) if reads else given
            pairs = zip(given, ordered, strict=True)
            operations += [replace(op, index=place.index) for place, op in pairs]
    return replace(launch, operations=tuple(operations))


def _read_again(
    found: list[Difference], interpreted: LaunchTrace
) -> tuple[str, tuple[Operation, ...]] | None:
    """In words, where the compiler's kernel reads elements again, and nothing else differs; with one of these reads."""
    operations = [op for difference in found for op in (*difference.left, *difference.right)]
    more = sum(len(difference.left) - len(difference.right) for difference in found)
    if more <= 0 or any((op.pipe, op.name) != ("S", "GetValue") for op in operations):
        return None
    read = {op.touches for op in operations}
    own = next((op for op in interpreted.operations if op.touches in read), None)
    message = (
        "the front ends differ: the compiler prints an element wherever its value is needed, and its kernel reads it"
        f" there, {more} times more than the interpreter's; with a name (k = n[0, 1]) both read it once"
    )
    return message, () if own is None else (own,)


def _by_name(launch: LaunchTrace) -> LaunchTrace:
    """With tensors numbered by their names: the order in which a process allocates them is its own."""
    names = sorted(launch.tensors.values())
    number = {index: names.index(tensor) for index, tensor in launch.tensors.items()}
    touches: dict[Touch, Touch] = {}

    def moved(touch: Touch) -> Touch:
        if touch not in touches:
            tensor = None if touch.tensor is None else number.get(touch.tensor, touch.tensor)
            touches[touch] = replace(touch, tensor=tensor)
        return touches[touch]

    operations = tuple(
        replace(op, touches=tuple(map(moved, op.touches))) for op in launch.operations
    )
    return replace(launch, operations=operations, tensors=dict(enumerate(names)))


def _shown(operations: tuple[Operation, ...], launch: LaunchTrace) -> str:
    """The first of them, without its times."""
    if not operations:
        return "nothing"
    block, core, pipe, _, *words = text(operations[0], launch.tensors).split(" ")
    del block, core
    return f"`{' '.join([pipe, *words])}`"


def _place(
    operations: tuple[Operation, ...], trace: Trace, program: DeviceProgram, file: str
) -> tuple[Place, ...]:
    if not operations:
        return ()
    frames = trace.frames(program.program).get(operations[0].site, ())
    own = {str(source) for source in program.program.sources}
    frame = next((f for f in frames if str(f.file) in own), None)
    return () if frame is None else (Place(file, frame.line, _line(frame)),)


def _line(frame: Frame) -> str:
    try:
        return frame.file.read_text("utf-8").splitlines()[frame.line - 1]
    except (OSError, UnicodeDecodeError, IndexError):
        return ""


def _of_outputs(one: Mapping[str, Array], other: Mapping[str, Array]) -> Fault | None:
    for name, array in one.items():
        if name not in other or array.tobytes() != other[name].tobytes():
            return _fault(
                f"the outputs `{name}` of the two front ends differ, and their instructions do not"
            )
    return None
