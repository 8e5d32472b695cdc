"""What the face does not model ends as unsupported, with its name; what the chip cannot do is a finding. Nothing passes.

Each case is the body of a kernel that gets one tensor, `gm`. All are compiled into one program, which runs the case that
the environment names.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gen.sim import Profile, Program, Run, build_program, run_program

HEAD = """#include "c_api/asc_simd.h"
#include "simt_api/asc_simt.h"
#include "aicore/host.h"

#define UB(type, offset) ((__ubuf__ type*)(offset))
#define L1(type, offset) ((__cbuf__ type*)(offset))
#define FIX(quant, relu, split, nd, dn, clip) \\
    static_cast<asc_unit_flag_mode>(0), static_cast<asc_quant_mode>(quant), static_cast<asc_relu_pre_mode>(relu), \\
        split, nd, dn, clip
constexpr auto kLoad = asc_load_l2_cache_mode::NORMAL_FIRST_VICTIM;
constexpr auto kStore = asc_store_l2_cache_mode::NORMAL_FIRST_VICTIM;

__simd_vf__ inline void negate(__ubuf__ float* x) {
    vector_f32 v;
    asc_loadalign(v, x);
    asc_neg(v, v, asc_create_mask_b32(PAT_ALL));
    asc_storealign(x, v, asc_create_mask_b32(PAT_ALL));
}
__simd_vf__ inline void address_register(__ubuf__ float* x) {
    vector_f32 v;
    asc_loadalign(v, x, asc_update_addr_reg_b32(64));
}
__simd_vf__ inline void interleave_one(__ubuf__ float* x) {
    vector_f32 v{};
    asc_storealign_intlv(x, v, 0, asc_create_mask_b32(PAT_ALL));
}
__simd_vf__ inline void mask_of_64_bits(__ubuf__ float*) { asc_create_mask_b64(PAT_ALL); }
__simd_vf__ inline void hybrid_rounding(__ubuf__ float*) {
    vector_f32 v{};
    vector_f8e4m3 narrow;
    vcvt(narrow, v, asc_create_mask_b32(PAT_ALL), ROUND_H, RS_ENABLE, PART_P0, MODE_ZEROING);
}
__simd_vf__ inline void four_bits(__ubuf__ float*) {
    vector_bf16 v{};
    vector_f4e2m1x2 narrow;
    vcvt(narrow, v, asc_create_mask_b16(PAT_ALL), ROUND_R, PART_P0, MODE_ZEROING);
}
__simt_vf__ inline void odd_lanes_only(__ubuf__ float* x) {
    if (threadIdx.x % 2 == 1) x[threadIdx.x] = asc_shfl(x[threadIdx.x], 0);
}
__simt_vf__ inline void check_threads(__ubuf__ float*) { assert(threadIdx.x < 40); }
__simt_vf__ inline void increment(__ubuf__ float* x) { x[threadIdx.x] = 1; }
"""

UNSUPPORTED = {
    "asc_copy_gm2l1_nd2nz before asc_set_gm2l1_nz_para": (
        "cube",
        "asc_copy_gm2l1_nd2nz(L1(float, 0), gm, 64, kLoad, 16, 16, 0, 0);",
    ),
    "asc_copy_gm2l1_nd2nz with smallc0": (
        "cube",
        "asc_set_gm2l1_nz_para(1, 1, 16, 0); asc_copy_gm2l1_nd2nz(L1(float, 0), gm, 64, kLoad, 16, 16, 0, 1);",
    ),
    "asc_copy_gm2ub_align before asc_set_copy_pad_val": (
        "vector",
        "asc_copy_gm2ub_align(UB(float, 0), gm, 1, 4, 0, 0, true, kLoad, 0, 0);",
    ),
    "asc_mmad from the bias table": (
        "cube",
        "asc_mmad((float*)0, (half*)0, (half*)0, 16, 16, 16, 0, true, true, false);",
    ),
    "asc_copy_l0c2* before asc_set_l0c_copy_nz_para": (
        "cube",
        "asc_copy_l0c2gm(gm, (float*)0, 16, 16, 16, 16, kStore, FIX(0, 0, 0, 1, 0, 0));",
    ),
    "asc_copy_l0c2* of several matrices": (
        "cube",
        "asc_set_l0c_copy_nz_para(2, 1, 1); asc_copy_l0c2gm(gm, (float*)0, 16, 16, 16, 16, kStore, FIX(0, 0, 0, 1, 0, 0));",
    ),
    "asc_copy_l0c2*: this quantization between these types": (
        "cube",
        "asc_set_l0c_copy_nz_para(1, 0, 0); asc_copy_l0c2gm(gm, (float*)0, 16, 16, 16, 16, kStore, FIX(1, 0, 0, 1, 0, 0));",
    ),
    "asc_copy_l0c2*: this relu mode": (
        "cube",
        "asc_set_l0c_copy_nz_para(1, 0, 0); asc_copy_l0c2gm(gm, (float*)0, 16, 16, 16, 16, kStore, FIX(0, 2, 0, 1, 0, 0));",
    ),
    "asc_copy_l0c2*: channel_split": (
        "cube",
        "asc_copy_l0c2gm(gm, (float*)0, 16, 16, 16, 16, kStore, FIX(0, 0, 1, 0, 0, 0));",
    ),
    "asc_copy_l0c2*: nz2dn": (
        "cube",
        "asc_copy_l0c2gm(gm, (float*)0, 16, 16, 16, 16, kStore, FIX(0, 0, 0, 0, 1, 0));",
    ),
    "asc_copy_l0c2*: clip_relu": (
        "cube",
        "asc_copy_l0c2gm(gm, (float*)0, 16, 16, 16, 16, kStore, FIX(0, 0, 0, 0, 0, 1));",
    ),
    "SIMD vector function called outside asc_vf_call": ("vector", "negate(UB(float, 0));"),
    "scalar access to on-chip memory by pointer": ("vector", "UB(float, 64)[block_idx] = 1;"),
    "asc_update_addr_reg_b32": ("vector", "asc_vf_call<address_register>(UB(float, 0));"),
    "asc_storealign_intlv of one register": (
        "vector",
        "asc_vf_call<interleave_one>(UB(float, 0));",
    ),
    "asc_create_mask_b64": ("vector", "asc_vf_call<mask_of_64_bits>(UB(float, 0));"),
    "vcvt of these types or in this mode": (
        "vector",
        "asc_vf_call<hybrid_rounding>(UB(float, 0));",
    ),
    "vcvt of these types or in this mode (4 bits)": (
        "vector",
        "asc_vf_call<four_bits>(UB(float, 0));",
    ),
    "asc_shfl*: reads a lane that does not take part": (
        "vector",
        "asc_vf_call<odd_lanes_only>(cce::dim3(32), UB(float, 0));",
    ),
}

FINDINGS = {
    "asc_copy_gm2ub_align pads with a value that nothing has set": (
        "argument-range",
        "vector",
        "asc_copy_gm2ub_align(UB(float, 0), gm, 1, 4, 0, 7, true, kLoad, 0, 0);",
    ),
    "n_burst is not in 1..4095": (
        "argument-range",
        "vector",
        "asc_copy_gm2ub_align(UB(float, 0), gm, 4096, 4, 0, 0, false, kLoad, 4, 32);",
    ),
    "len_burst is not in 1..2097151": (
        "argument-range",
        "vector",
        "asc_copy_ub2gm_align(gm, UB(float, 0), 1, 2097152, kStore, 0, 0);",
    ),
    "n_burst is not in 1..4095 (negative)": (
        "argument-range",
        "vector",
        "asc_copy_gm2ub_align(UB(float, 0), gm, -1, 4, 0, 0, false, kLoad, 4, 32);",
    ),
    "dst_stride is no multiple of 32": (
        "misaligned",
        "vector",
        "asc_copy_gm2ub_align(UB(float, 0), gm, 2, 64, 0, 0, false, kLoad, 64, 100);",
    ),
    "src_stride is no multiple of 32": (
        "misaligned",
        "vector",
        "asc_copy_gm2ub_align(UB(float, 0), gm, 1, 256, 0, 0, false, kLoad, 0, 0); asc_sync();"
        "asc_copy_ub2gm_align(gm, UB(float, 0), 2, 64, kStore, 64, 100);",
    ),
    "m_step is not in 0..255": (
        "argument-range",
        "cube",
        "asc_copy_l12l0a((half*)0, L1(half, 0), 0, 0, 256, 1, 1, 1);",
    ),
    "k_step is odd": (
        "argument-range",
        "cube",
        "asc_copy_l12l0b_transpose((float*)0, L1(float, 0), 0, 0, 1, 3, 1, 1);",
    ),
    "m is not in 0..4095": (
        "argument-range",
        "cube",
        "asc_mmad((float*)0, (half*)0, (half*)0, 4096, 16, 16, 0, true, false, true);",
    ),
    "n_size is not in 0..4095": (
        "argument-range",
        "cube",
        "asc_set_l0c_copy_nz_para(1, 0, 0); asc_copy_l0c2gm(gm, (float*)0, 4096, 16, 4096, 16, kStore, FIX(0, 0, 0, 1, 0, 0));",
    ),
    "the number of threads is not in 1..2048": (
        "argument-range",
        "vector",
        "asc_vf_call<increment>(cce::dim3(4096), UB(float, 0));",
    ),
    "the UB address is no multiple of 32 bytes": (
        "misaligned",
        "vector",
        "asc_vf_call<negate>(UB(float, 4));",
    ),
    "assert(threadIdx.x < 40) failed": (
        "device-assert",
        "vector",
        "asc_vf_call<check_threads>(cce::dim3(64), UB(float, 0));",
    ),
    "with SIMT functions may use bytes 0..221183": (
        "overflow",
        "vector",
        "asc_copy_gm2ub_align(UB(float, 221184), gm, 1, 64, 0, 0, false, kLoad, 0, 0);"
        "asc_vf_call<increment>(cce::dim3(64), UB(float, 0));",
    ),
    "holds bytes 0..": (
        "out-of-bounds",
        "vector",
        "asc_vf_call<increment>(cce::dim3(64), UB(float, 262080));",
    ),
}

# Zero rows, zero columns, zero blocks: the copies that tilelang emits for tails that are not there.
QUIET = {
    "all of UB without threads": (
        "vector",
        "asc_copy_gm2ub_align(UB(float, 253888), gm, 1, 64, 0, 0, false, kLoad, 0, 0);"
        "asc_vf_call<negate>(UB(float, 0));",
    ),
}

NOTHING = {
    "copies of nothing": (
        "vector",
        "asc_copy_gm2ub_align(UB(float, 0), gm, 0, 64, 0, 0, false, kLoad, 64, 100);"
        "asc_copy_ub2gm_align(gm, UB(float, 0), 1, 0, kStore, 0, 0);",
    ),
    "tiles of nothing": (
        "cube",
        "asc_set_gm2l1_nz_para(1, 1, 16, 0); asc_copy_gm2l1_nd2nz(L1(float, 0), gm, 64, kLoad, 0, 16, 0, 0);"
        "asc_fill_l1(L1(uint32_t, 0), 0u, {.repeat = 0, .blk_num = 5, .dst_gap = 0});"
        "asc_mmad((float*)0, (half*)0, (half*)0, 0, 16, 16, 0, true, false, true);"
        "asc_set_l0c_copy_nz_para(1, 0, 0); asc_copy_l0c2gm(gm, (float*)0, 0, 16, 4, 16, kStore, FIX(0, 0, 0, 1, 0, 0));",
    ),
}


def bodies() -> dict[str, tuple[str, str]]:
    return {
        **UNSUPPORTED,
        **{name: (kind, body) for name, (_, kind, body) in FINDINGS.items()},
        **QUIET,
        **NOTHING,
    }


def source() -> str:
    kernels, calls = [], []
    for number, (kind, body) in enumerate(bodies().values()):
        kernels.append(
            f'extern "C" __global__ void case_{number}(__gm__ float* gm) {{ asc_init(); {body} }}'
        )
        calls.append(
            f"    if (number == {number}) AICORE_LAUNCH(case_{number}, {kind}, 1)"
            '(static_cast<float*>(tensors["gm"]));'
        )
    main = [
        "int main(int argc, char** argv) {",
        "    aicore::host::Tensors tensors(argc, argv);",
        '    const int number = std::atoi(std::getenv("CASE"));',
        *calls,
        "}",
    ]
    return "\n".join([HEAD, *kernels, *main]) + "\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    file = tmp_path_factory.mktemp("limits") / "cases.cpp"
    file.write_text(source(), encoding="utf-8")
    return build_program([file], face="c_api", chip="ascend950")


def run(name: str, program: Program, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    file = folder / "gm.bin"
    np.zeros(1 << 16, np.float32).tofile(file)
    monkeypatch.setenv("CASE", str(list(bodies()).index(name)))
    return run_program(
        program,
        argv=[f"gm:inout:{1 << 18}:{file}"],
        profile=Profile(chip="3510"),
        timeout=60.0,
    )


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_what_is_not_modelled_is_named(
    name: str, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(name, program, tmp_path, monkeypatch)
    assert done.crashed is None, done.stderr
    assert done.unsupported == name.split(" (", maxsplit=1)[0]
    assert not done.clean


@pytest.mark.parametrize("name", FINDINGS)
def test_what_the_chip_cannot_do_is_a_finding(
    name: str, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(name, program, tmp_path, monkeypatch)
    assert done.crashed is None, done.stderr
    said = [(f.code, f.message) for f in done.errors]
    assert any(
        FINDINGS[name][0] == code and name.split(" (n", maxsplit=1)[0] in text
        for code, text in said
    ), said


@pytest.mark.parametrize("name", QUIET)
def test_what_the_chip_can_do_is_not_flagged(
    name: str, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(name, program, tmp_path, monkeypatch)
    assert done.clean, [f.message for f in done.findings]


@pytest.mark.parametrize("name", NOTHING)
def test_copies_of_nothing_do_nothing(
    name: str, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(name, program, tmp_path, monkeypatch)
    assert done.clean, [f.message for f in done.findings]
    assert done.counts == {}
