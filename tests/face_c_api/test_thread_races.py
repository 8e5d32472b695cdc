"""Threads of one SIMT function that meet in UB without a barrier of all threads between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.sim import Profile, Program, build_program, run_program

HEAD = """#include "c_api/asc_simd.h"
#include "simt_api/asc_simt.h"
#include "aicore/host.h"
#include <cstdlib>

__simt_vf__ inline void case_{number}(__ubuf__ float* a, __ubuf__ float* b) {{
    const uint32_t t = threadIdx.x;
{body}
}}
"""
MAIN = """
extern "C" __global__ __vector__ void run(__gm__ float* out, int number) {{
    asc_init();
    for (int i = 0; i < 4; ++i) {{
        switch (number) {{
{calls}
        }}
    }}
    asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
    asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
    asc_copy_ub2gm_align((__gm__ uint8_t*)out, (__ubuf__ uint8_t*)0, 1, 1024,
                         asc_store_l2_cache_mode::NORMAL_FIRST_VICTIM, 1024, 1024);
}}

int main(int argc, char** argv) {{
    aicore::host::Tensors tensors(argc, argv);
    AICORE_LAUNCH(run, vector, 1)(static_cast<float*>(tensors["out"]), std::atoi(std::getenv("CASE")));
}}
"""

# Name: body, and what is found: code, line of the first access in the body, line of the second.
CASES: dict[str, tuple[str, tuple[str, int, int] | None]] = {
    "an element of its own": ("a[t] = 1;\na[t] = a[t] + 1;", None),
    "exchange with a barrier": ("a[t] = t;\nasc_syncthreads();\nb[t] = a[255 - t];", None),
    "exchange": ("a[t] = t;\nb[t] = a[255 - t];", ("race-raw", 1, 2)),
    "overwritten before it is read": (
        "a[t] = t;\nasc_syncthreads();\nfloat x = a[255 - t];\na[t] = x;",
        ("race-war", 3, 4),
    ),
    "one element for all": ("a[t / 2] = t;", ("race-waw", 1, 1)),
    "the same value": ("a[t / 2] = 7;", None),
    "sum in one element": (
        "if (t == 0) a[0] = 0;\nasc_syncthreads();\na[0] = a[0] + t;",
        ("race-raw", 3, 3),
    ),
    "shifted in place": ("a[t] = t;\nasc_syncthreads();\na[t] = a[t + 1];", ("race-war", 3, 3)),
    "neighbours in 16 bits": ("((__ubuf__ uint16_t*)a)[t] = (uint16_t)t;", None),
    "neighbours in 8 bits": ("((__ubuf__ uint8_t*)a)[t] = (uint8_t)t;", None),
    "atomics": ("asc_atomic_add(a, 1.0f);", None),
    "in the second half of a stretch": (
        "a[t] = 1;\nasc_syncthreads();\na[t] = 2;\nasc_syncthreads();\nb[t] = a[t];\na[t] = b[t ^ 64];",
        ("race-raw", 5, 6),
    ),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    functions = [HEAD.format(number=n, body=b) for n, (b, _) in enumerate(CASES.values())]
    call = "        case {0}: asc_vf_call<case_{0}>(cce::dim3(256), (__ubuf__ float*)0, (__ubuf__ float*)4096); break;"
    calls = "\n".join(call.format(n) for n in range(len(CASES)))
    source = tmp_path_factory.mktemp("threads") / "threads.cpp"
    source.write_text("".join(functions) + MAIN.format(calls=calls), encoding="utf-8")
    return build_program([source], face="c_api", chip="ascend950")


@pytest.mark.parametrize("name", CASES)
def test_threads_that_meet(
    name: str, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = list(CASES).index(name)
    body, expected = CASES[name]
    monkeypatch.setenv("CASE", str(number))
    profile = Profile(chip="3510")
    argv = [f"out:out:1024:{tmp_path / 'out'}"]
    run = run_program(program, argv=argv, profile=profile, timeout=60)
    assert run.crashed is None
    assert run.unsupported is None
    found = [f for f in run.errors if f.code.startswith("race-")]
    if expected is None:
        assert found == []
        return
    code, first, second = expected
    (race,) = found
    assert (race.code, race.edge) == (code, "V threads")
    text = program.sources[0].read_text(encoding="utf-8").splitlines()
    lines = body.splitlines()
    for place, line in ((race.first, first), (race.second, second)):
        assert place is not None
        assert place.line is not None
        assert text[place.line.line - 1].strip() == lines[line - 1]


@pytest.mark.parametrize("name", CASES)
def test_the_order_of_the_threads_shows_in_the_values(
    name: str, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second observation: where nothing races, threads in reverse order store the same."""
    monkeypatch.setenv("CASE", str(list(CASES).index(name)))
    stored = []
    for schedule in ("program", "threads-reversed"):
        file = tmp_path / schedule
        profile = Profile(chip="3510", hazards=False, schedule=schedule)
        run = run_program(program, argv=[f"out:out:1024:{file}"], profile=profile, timeout=60)
        assert run.crashed is None
        stored.append(file.read_bytes())
    if CASES[name][1] is None:
        assert stored[0] == stored[1]
    elif name in SHOWN:
        assert stored[0] != stored[1]


SHOWN = {"overwritten before it is read", "one element for all", "shifted in place"}
"""Races whose values differ in UB bytes 0..1023, which `out` gets, and not by the order of additions only."""
