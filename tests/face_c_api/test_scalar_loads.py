"""The kernel's own code reads global memory through a plain pointer: that is a read of pipe S, like asc_load_dev."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gen.sim import Profile, Run, build_program, run_program

SOURCE = """#include "c_api/asc_simd.h"
#include "aicore/host.h"
#include <cstdlib>

// Copies row 0 of `rows` over row 1, reads a number of row 1, and copies the row of that number to `out`.
extern "C" __global__ __vector__ void follow(__gm__ int32_t* rows, __gm__ int32_t* out, bool wait, int32_t at) {{
    constexpr auto kLoad = asc_load_l2_cache_mode::NORMAL_FIRST_VICTIM;
    constexpr auto kStore = asc_store_l2_cache_mode::NORMAL_FIRST_VICTIM;
    asc_init();
    asc_copy_gm2ub_align((__ubuf__ uint8_t*)0, (__gm__ uint8_t*)rows, 1, 32, 0, 0, 0, kLoad, 32, 32);
    asc_sync_notify(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    asc_sync_wait(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    asc_copy_ub2gm_align((__gm__ uint8_t*)(rows + 8), (__ubuf__ uint8_t*)0, 1, 32, kStore, 32, 32);
    if (wait) {{
        asc_sync_notify(PIPE_MTE3, PIPE_S, EVENT_ID0);
        asc_sync_wait(PIPE_MTE3, PIPE_S, EVENT_ID0);
    }}
    const int32_t row = rows[8 + at];
    asc_copy_gm2ub_align((__ubuf__ uint8_t*)64, (__gm__ uint8_t*)(rows + 8 * row), 1, 32, 0, 0, 0, kLoad, 32, 32);
    asc_sync_notify(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    asc_sync_wait(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    asc_copy_ub2gm_align((__gm__ uint8_t*)out, (__ubuf__ uint8_t*)64, 1, 32, kStore, 32, 32);
}}

int main(int argc, char** argv) {{
    aicore::host::Tensors tensors(argc, argv);
    auto* rows = static_cast<int32_t*>(tensors["rows"]);
    AICORE_LAUNCH(follow, vector, 1)(rows, static_cast<int32_t*>(tensors["out"]), {wait}, {at});
}}
"""


def follow(folder: Path, *, wait: bool, at: int) -> tuple[np.ndarray, Run]:
    rows = np.arange(32, dtype=np.int32).reshape(4, 8)
    rows[0] = [3, 2, 1, 0, 3, 2, 1, 0]
    source = folder / "follow.cpp"
    source.write_text(SOURCE.format(wait=str(wait).lower(), at=at), encoding="utf-8")
    rows.tofile(folder / "rows")
    argv = [f"rows:inout:{rows.nbytes}:{folder / 'rows'}", f"out:out:32:{folder / 'out'}"]
    program = build_program([source], face="c_api", chip="ascend950")
    profile = Profile(chip="3510", auto_sync=False)
    run = run_program(program, argv=argv, profile=profile, timeout=60)
    return np.fromfile(folder / "out", np.int32), run


def test_it_sees_what_was_stored_before(tmp_path: Path) -> None:
    out, run = follow(tmp_path, wait=True, at=1)
    assert run.clean, run.errors
    np.testing.assert_array_equal(out, np.arange(16, 24))
    assert run.counts["S"] == {"scalar load": 1}


def test_it_has_to_wait_for_the_store(tmp_path: Path) -> None:
    _, run = follow(tmp_path, wait=False, at=1)
    assert [(f.code, f.edge) for f in run.errors] == [("race-raw", "MTE3→S")]


@pytest.mark.parametrize("at", [24, -9])
def test_it_stays_inside_of_the_tensor(tmp_path: Path, at: int) -> None:
    _, run = follow(tmp_path, wait=True, at=at)
    assert run.crashed is None
    assert {f.code for f in run.errors} == {"out-of-bounds"}
