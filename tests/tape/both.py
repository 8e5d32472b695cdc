"""Runs the cases of an element type as compiled C++ and as a tape."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from gen.sim import Profile, Program, Run, build_program, run_program
from gen.sim.tape import DTYPES, KINDS, Argument, Core, Global, TapeTensor, TapeWriter
from gen.sim.tape_player import player
from gen.sim.trace import LaunchTrace, read_trace
from tests.tape.cases import COUNT, TILES, Case, X, Y, Z, all_cases, x, y, z
from tests.tape.cases_950 import cases_950
from tests.tape.language import BUFFER, CAPACITY, CPP, Step, call

Array = NDArray[Any]
Chip = Literal["2201", "3510"]
PART = COUNT * 8
"""Bytes of X, of Y, and of what belongs to one case in Z."""
ALL = call("PipeBarrier", template="<PIPE_ALL>", first=("PIPE_ALL",))
LOADS = (call("DataCopy", x, X, COUNT), call("DataCopy", y, Y, COUNT), ALL)
PROLOGUE = (*LOADS, call("DataCopy", z, y, COUNT), ALL)
EPILOGUE = (ALL, call("DataCopy", Z, z, COUNT), ALL)
CORE = {
    "aic": "ASCEND_IS_AIC",
    "aiv0": "(ASCEND_IS_AIV && AscendC::GetSubBlockIdx() == 0)",
    "aiv1": "(ASCEND_IS_AIV && AscendC::GetSubBlockIdx() == 1)",
}
HEAD = """\
#include <array>

#include "kernel_operator.h"
#include "aicore/host.h"

#if __NPU_ARCH__ == 3510
constexpr AscendC::NdDmaConfig kNearest{true};
constexpr AscendC::BinaryConfig kFirst{0};
constexpr AscendC::FixpipeConfig kRowsInUb{AscendC::CO2Layout::ROW_MAJOR, true};
#endif
struct Bits { uint64_t words[2]; };
template <class T>
struct Rows { AscendC::LocalTensor<T> tensors[16]; };
template <class T>
struct Pointers {
    template <class... Tensors>
    explicit Pointers(const Tensors&... rows) : at{reinterpret_cast<T*>(rows.GetPhyAddr())...} {}
    T* at[16];
};

void kernel(uint8_t* X_gm, uint8_t* Y_gm, uint8_t* Z_gm, int form) {
    AscendC::TPipe pipe;
    uint64_t kept = 0;
    uint16_t taken[4] = {};
"""
TAIL = """\
}

int main(int argc, char** argv) {
    int form = std::atoi(argv[1]);
    aicore::host::Tensors t(argc - 1, argv + 1);
    uint8_t *x = t["X"], *y = t["Y"], *z = t["Z"];
    AICORE_LAUNCH(kernel, mix_1_2, 1)(x, y, z, form);
}
"""


@cache
def groups(chip: Chip) -> dict[str, list[Case]]:
    """The cases of each element type; those of the Ascend 950 are calls that only it has."""
    found: dict[str, list[Case]] = {}
    for case in all_cases() if chip == "2201" else cases_950():
        found.setdefault(case.dtype, []).append(case)
    return found


GROUPS = groups("2201")
GROUPS_950 = groups("3510")


def steps_of(case: Case) -> tuple[Step, ...]:
    return (*PROLOGUE, *case.steps, *EPILOGUE) if case.framed else case.steps


def source(chip: Chip) -> str:
    """One program; its first argument is the number of a group."""
    lines = [HEAD]
    for position, buffer in BUFFER.items():
        lines.append(f"    AscendC::TBuf<AscendC::TPosition::{position}> {buffer};")
        lines.append(f"    pipe.InitBuffer({buffer}, {CAPACITY[position]});")
    lines.append("    pipe.Destroy();")
    for number, cases in enumerate(groups(chip).values()):
        lines.append(f"    if (form == {number}) {{")
        for index, case in enumerate(cases):
            lines += _statements(case, index)
        lines.append("    }")
    return "\n".join([*lines, TAIL])


def _statements(case: Case, index: int) -> list[str]:
    lines = [f"    if ({' || '.join(CORE[core] for core in case.cores)}) {{"]
    lines += [tile.declaration(case.dtype) for tile in TILES]
    for tensor in (X, Y, Z):
        kind = CPP[case.stored_as or case.dtype if tensor is Z else case.dtype]
        start = index * PART if tensor is Z else 0
        lines.append(f"AscendC::GlobalTensor<{kind}> {tensor.name};")
        lines.append(f"{tensor.name}.SetGlobalBuffer(({kind}*)({tensor.name}_gm + {start}));")
    return [*lines, *(step.cpp(case.dtype) for step in steps_of(case)), "    }"]


@cache
def compiled(chip: Chip) -> Program:
    place = Path(tempfile.mkdtemp(prefix="crosstree-test-")) / "cases.cpp"
    place.write_text(source(chip), encoding="utf-8")
    return build_program([place], face="ascendc", chip=chip)


def tape(cases: Sequence[Case], file: Path, chip: Chip) -> Program:
    sizes = {"X": PART, "Y": PART, "Z": PART * len(cases)}
    tensors = [
        TapeTensor(name, "uint8", "inout" if name == "Z" else "in", size)
        for name, size in sizes.items()
    ]
    writer = TapeWriter(kernel="kernel", kind="mix_1_2", blocks=1, tensors=tensors)
    for name in KINDS["mix_1_2"]:
        core = writer.core(0, name)
        core.call("TPipe", core.place([("kernel", "cases.py", 1)]))
        core.call("TPipe::Destroy", core.place([("kernel", "cases.py", 2)]))
        for index, case in enumerate(cases):
            if name in case.cores:
                _record(core, case, index)
    writer.write(file)
    return player(file, chip=chip)


def _record(core: Core, case: Case, index: int) -> None:
    """Step `s` of case `c` stands at line `1000 c + s`."""
    for number, step in enumerate(steps_of(case)):
        name, arguments = step.on_tape(case.dtype)
        place = core.place([(case.name, "cases.py", 1000 * (index + 1) + number)])
        core.call(name, place, *(_in_part(argument, index) for argument in arguments))


def _in_part(argument: Argument, index: int) -> Argument:
    if not isinstance(argument, Global) or argument.tensor != Z.index:
        return argument
    return argument.at(index * PART // DTYPES[argument.dtype])


def data(dtype: str, seed: int, elements: int) -> Array:
    rng = np.random.default_rng(seed)
    kind = np.dtype({"bfloat16": ml_dtypes.bfloat16}.get(dtype, dtype))
    if kind.kind in "iu":
        return rng.integers(1, 9, elements).astype(kind)
    return (rng.standard_normal(elements) + 0.01).astype(kind)


@dataclass(frozen=True)
class Done:
    """What came of a run: the part of Z of each case, and the trace."""

    run: Run
    parts: list[bytes]
    trace: LaunchTrace


def execute(program: Program, dtype: str, chip: Chip, first: Sequence[str] = ()) -> Done:
    count = PART // DTYPES[dtype]
    arrays = {"X": data(dtype, 1, count), "Y": data(dtype, 2, count)}
    arrays["Z"] = data(dtype, 3, count * len(groups(chip)[dtype]))
    with tempfile.TemporaryDirectory() as folder:
        argv = [*first]
        for name, array in arrays.items():
            path = Path(folder, name)
            array.tofile(path)
            argv.append(f"{name}:{'inout' if name == 'Z' else 'in'}:{array.nbytes}:{path}")
        trace = Path(folder, "trace")
        run = run_program(program, argv=argv, profile=Profile(chip=chip), timeout=120, trace=trace)
        assert run.crashed is None, (run.crashed, run.stderr)
        out = Path(folder, "Z").read_bytes()
        parts = [out[i : i + PART] for i in range(0, len(out), PART)]
        return Done(run, parts, read_trace(trace).launches[0])


def both(dtype: str, chip: Chip = "2201") -> tuple[Done, Done]:
    """The cases of a type as a compiled program, and as a tape."""
    number = str(list(groups(chip)).index(dtype))
    with tempfile.TemporaryDirectory() as folder:
        program = tape(groups(chip)[dtype], Path(folder, "cases.tape"), chip)
        return execute(compiled(chip), dtype, chip, (number,)), execute(program, dtype, chip)
