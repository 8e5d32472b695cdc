"""Fragments in Ascend C: all of them in one program for each chip, launched one at a time.

What a fragment may use without declaring it: `xGm` (40960 floats that the host set) and `yGm` (1024 floats that it did
not), `x`, `y` and `z` (1024 floats in UB); with `cube` a loaded pair of fractals `a2`, `b2`, the accumulator `c1`
(16 x 16) and `cGm`.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np

from gen.check.oversync import superfluous
from gen.check.poison import with_uninitialised_reads
from gen.check.rerun import Rerun
from gen.compile import ascendc
from gen.compile.base import DeviceProgram
from gen.rules import Fragment
from gen.sim import Profile, Run, run_program
from tests.face_ascendc.harness import ARCH, CHIPS, KERNELS

PATH = KERNELS / "fragments.asc"

_HEAD = """\
#include "acl/acl.h"
#include "data_utils.h"
#include "kernel_operator.h"
using namespace AscendC;
"""
_GLOBAL = """\
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)in, 40960);
    yGm.SetGlobalBuffer((__gm__ float*)out, 1024);
    LocalTensor<float> x(TPosition::VECIN, 0, 1024), y(TPosition::VECCALC, 4096, 1024);
    LocalTensor<float> z(TPosition::VECOUT, 8192, 1024);
"""
_CUBE = """\
    GlobalTensor<half> aGm;
    GlobalTensor<float> cGm;
    aGm.SetGlobalBuffer((__gm__ half*)in, 4096);
    cGm.SetGlobalBuffer((__gm__ float*)out, 256);
    LocalTensor<half> a1(TPosition::A1, 0, 256), a2(TPosition::A2, 0, 256), b2(TPosition::B2, 0, 256);
    LocalTensor<float> c1(TPosition::CO1, 0, 256);
    DataCopy(a1, aGm, Nd2NzParams{1, 16, 16, 0, 16, 16, 1, 0});
    PipeBarrier<PIPE_ALL>();
#if __NPU_ARCH__ == 2201
    LoadData(a2, a1, LoadData2DParams{0, 1, 1, 0, 0, false, 0});
    LoadData(b2, a1, LoadData2DParams{0, 1, 1, 0, 0, false, 0});
#else
    LoadData(a2, a1, LoadData2DParamsV2{0, 0, 1, 1, 1, 1, false, 0});
    LoadData(b2, a1, LoadData2DParamsV2{0, 0, 1, 1, 1, 1, false, 0});
#endif
    PipeBarrier<PIPE_ALL>();
"""
_KERNEL = """\
__global__ {kind} void fragment_{index}(GM_ADDR in, GM_ADDR out)
{{
    InitSocState();
{before}{body}
    PipeBarrier<PIPE_ALL>();
}}
"""
_MAIN = """\
int main(int argc, char** argv)
{{
    aclrtStream stream = nullptr;
    uint8_t* in = DeviceInput("x", 163840);
    uint8_t* out = DeviceOutput({bytes});
    switch (std::atoi(argv[1])) {{
{cases}
    }}
    aclrtSynchronizeStream(stream);
    return argc == 2 ? 0 : 1;
}}
"""
_CASE = "        case {index}: fragment_{index}<<<{blocks}, nullptr, stream>>>(in, out); break;\n"
_KINDS = {"cube": "__cube__", "mix": "__mix__(1, 2)", "vectors": "__mix__(0, 1)"}


def _option(fragment: Fragment, name: str, otherwise: str) -> str:
    found = [o.partition("=")[2] for o in fragment.options if o.startswith(f"{name}=")]
    return found[0] if found else otherwise


def looked_at(done: Run, profile: Profile, rerun: Rerun) -> Run:
    """`done` with what only further runs of the program show."""
    found = with_uninitialised_reads(done, profile, rerun)
    if not profile.deep:
        return found
    *before, last = found.launches
    notes = superfluous(found, profile, rerun)
    return replace(found, launches=(*before, replace(last, findings=last.findings + notes)))


@dataclass
class FragmentProgram:
    """The fragments of one chip whose output has one size."""

    chip: str
    out_bytes: int
    fragments: tuple[Fragment, ...]
    built: list[DeviceProgram] = field(default_factory=list)

    def source(self) -> str:
        kernels, cases = "", ""
        for i, f in enumerate(self.fragments):
            kind = next((_KINDS[o] for o in f.options if o in _KINDS), "__vector__")
            before = _CUBE if "cube" in f.options else "" if "mix" in f.options else _GLOBAL
            kernels += _KERNEL.format(kind=kind, index=i, before=before, body=f.text)
            cases += _CASE.format(index=i, blocks=_option(f, "blocks", "1"))
        return _HEAD + kernels + _MAIN.format(cases=cases, bytes=self.out_bytes)

    def verdict(self, fragment: Fragment) -> Run:
        sync = _option(fragment, "auto_sync", "on") == "on"
        deep = "deep" in fragment.options
        profile = Profile(chip=ARCH[self.chip], auto_sync=sync, deep=deep)

        def rerun(profile: Profile, kept: Path | None) -> Run:
            return self._run(fragment, profile, kept)

        return looked_at(rerun(profile, None), profile, rerun)

    def _run(self, fragment: Fragment, profile: Profile, kept: Path | None) -> Run:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "input").mkdir()
            (np.arange(40960, dtype=np.float32) / 8).tofile(Path(folder, "input", "x.bin"))
            return run_program(
                self.program().program,
                argv=(str(self.fragments.index(fragment)),),
                cwd=Path(folder),
                profile=profile,
                timeout=2 if "timeout" in fragment.options else 60,
                outputs=kept,
            )

    def program(self) -> DeviceProgram:
        if not self.built:
            self.built.append(ascendc.compile(PATH, CHIPS[self.chip], text=self.source()))
        return self.built[0]


def alone(fragment: Fragment) -> FragmentProgram:
    """A program with one fragment."""
    (program,) = programs((fragment,))
    return program


@cache
def programs(fragments: tuple[Fragment, ...]) -> tuple[FragmentProgram, ...]:
    groups: dict[tuple[str, int], list[Fragment]] = {}
    for f in fragments:
        key = (_option(f, "chip", "910b"), 1024 if "cube" in f.options else 4096)
        if f not in groups.setdefault(key, []):
            groups[key].append(f)
    return tuple(FragmentProgram(chip, size, tuple(fs)) for (chip, size), fs in groups.items())


def verdict(fragment: Fragment, among: tuple[Fragment, ...]) -> Run:
    """What the model says of `fragment`, which is compiled together with the others."""
    program = next(p for p in programs(among) if fragment in p.fragments)
    return program.verdict(fragment)
