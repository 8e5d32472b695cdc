"""What a vector function reads of what it wrote itself comes from nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.sim import Profile, Run, build_program, run_program

KERNEL = """#include "c_api/asc_simd.h"
#include "simt_api/asc_simt.h"
#include "aicore/host.h"

__simt_vf__ inline void twice(__ubuf__ float* scratch, __ubuf__ float* out) {{
    const uint32_t t = threadIdx.x;
    {body}
    out[t] = scratch[t] * 2;
}}

extern "C" __global__ __vector__ void run(__gm__ float* out) {{
    asc_init();
    asc_vf_call<twice>(cce::dim3(256), (__ubuf__ float*)0, (__ubuf__ float*)1024);
    asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
    asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
    asc_copy_ub2gm_align((__gm__ uint8_t*)out, (__ubuf__ uint8_t*)1024, 1, 1024,
                         asc_store_l2_cache_mode::NORMAL_FIRST_VICTIM, 1024, 1024);
}}

int main(int argc, char** argv) {{
    aicore::host::Tensors tensors(argc, argv);
    AICORE_LAUNCH(run, vector, 1)(static_cast<float*>(tensors["out"]));
}}
"""


def run(folder: Path, body: str) -> Run:
    source = folder / "kernel.cpp"
    source.write_text(KERNEL.format(body=body))
    program = build_program([source], face="c_api", chip="3510")
    argv = [f"out:out:1024:{folder / 'out'}"]
    return run_program(program, argv=argv, cwd=folder, profile=Profile(chip="3510"), timeout=60)


@pytest.mark.parametrize(
    "body",
    [
        "scratch[t] = t;",
        "scratch[t] = 1; scratch[t] = scratch[t] + t;",
        "((__ubuf__ uint8_t*)scratch)[4 * t + 1] = 1; scratch[t] = t;",
    ],
)
def test_a_scratch_that_is_filled_first_depends_on_nothing(tmp_path: Path, body: str) -> None:
    done = run(tmp_path, body)
    assert done.clean
    assert done.reads_unwritten == ()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "if (t < 255) scratch[t] = t;",
        "scratch[t] = scratch[t] + 1;",
        "((__ubuf__ uint16_t*)scratch)[2 * t] = t;",
    ],
)
def test_a_scratch_that_is_not_wholly_filled_depends_on_what_was_there(
    tmp_path: Path, body: str
) -> None:
    (read,) = run(tmp_path, body).reads_unwritten
    assert read.stores
