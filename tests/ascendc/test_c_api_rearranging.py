"""Sources against the C API: sorting, compaction, gathering and transposition on memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gen.chips import ASCEND910B, ASCEND950, Chip
from gen.compile.ascendc import compile
from gen.sim import Profile, Run, run_program
from gen.sim.profile import Arch

SOURCE = """\
#include <fstream>
#include <vector>
#include "acl/acl.h"
#include "c_api/asc_simd.h"

constexpr uint32_t N = 256;

__vector__ __global__ void moved(__gm__ float* x, __gm__ uint32_t* y, __gm__ float* z)
{
    asc_init();
    __ubuf__ float a[N];
    __ubuf__ uint32_t b[N];
    __ubuf__ float c[4 * N];
    __ubuf__ float d[4 * N];
    __ubuf__ float* lists[4] = {d, d + 64, d + 128, d + 192};
    __ubuf__ uint16_t* h = (__ubuf__ uint16_t*)a;
    __ubuf__ uint16_t* to[16];
    __ubuf__ uint16_t* from[16];
    for (int i = 0; i < 16; ++i) {
        to[i] = (__ubuf__ uint16_t*)c + 16 * i;
        from[i] = h + 16 * i;
    }
    uint16_t taken[4] = {};
    int64_t kept = 0;
    asc_copy_gm2ub(c, z, 16 * N);
    asc_copy_gm2ub(d, z, 16 * N);
    asc_copy_gm2ub(a, x, 4 * N);
    asc_copy_gm2ub(b, y, 4 * N);
    SYNC
    BODY
    asc_sync();
    asc_copy_ub2gm_sync(z, c, 16 * N);
    for (int i = 0; i < 4; ++i) asc_store_dev((__gm__ uint32_t*)z + 1024 + i, uint32_t(taken[i]));
    asc_store_dev((__gm__ uint32_t*)z + 1028, uint32_t(kept));
}

int main()
{
    std::vector<float> x(256), z(1032);
    std::vector<uint32_t> y(256);
    std::ifstream("x.bin", std::ios::binary).read((char*)x.data(), 1024);
    std::ifstream("y.bin", std::ios::binary).read((char*)y.data(), 1024);
    float *on_x, *on_z;
    uint32_t* on_y;
    aclrtMalloc((void**)&on_x, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void**)&on_y, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void**)&on_z, 4128, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(on_x, 1024, x.data(), 1024, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(on_y, 1024, y.data(), 1024, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(on_z, 4128, z.data(), 4128, ACL_MEMCPY_HOST_TO_DEVICE);
    moved<<<1, nullptr, nullptr>>>(on_x, on_y, on_z);
    aclrtMemcpy(z.data(), 4128, on_z, 4128, ACL_MEMCPY_DEVICE_TO_HOST);
    std::ofstream("z.bin", std::ios::binary).write((char*)z.data(), 4128);
    return 0;
}
"""
X: NDArray[Any] = np.random.default_rng(3).permutation(256).astype(np.float32)
HALVES = X.view(np.uint16)
CHIPS: dict[str, tuple[Chip, Arch]] = {"910b": (ASCEND910B, "2201"), "950": (ASCEND950, "3510")}
both = pytest.mark.parametrize("chip", CHIPS)


def outcome(folder: Path, chip: str, body: str, y: NDArray[Any], sync: str = "asc_sync();") -> Run:
    path = folder / "moved.asc"
    path.write_text(SOURCE.replace("SYNC", sync).replace("BODY", body))
    X.tofile(folder / "x.bin")
    y.astype(np.uint32).tofile(folder / "y.bin")
    target, profile = CHIPS[chip]
    program = compile(path, target).program
    return run_program(program, cwd=folder, profile=Profile(chip=profile), timeout=60)


def moved(folder: Path, chip: str, body: str, y: NDArray[Any]) -> NDArray[Any]:
    done = outcome(folder, chip, body, y)
    assert done.clean, done
    z: NDArray[Any] = np.fromfile(folder / "z.bin", np.uint32)
    return z


INDICES = np.arange(256) * 7
SORT = "asc_bitsort(c, a, b, 8);"
MERGE = "asc_bitsort(d, a, b, 8); asc_sync(); asc_mrgsort4(c, lists, {}, 32, 32, 32, 32, {}, 15);"


def sorted_lists(length: int) -> NDArray[Any]:
    order = np.concatenate([i + np.argsort(-X[i : i + length]) for i in range(0, 256, length)])
    return np.stack([X[order].view(np.uint32), INDICES[order].astype(np.uint32)], axis=1).ravel()


@both
def test_bitsort_sorts_32_pairs_at_a_time(tmp_path: Path, chip: str) -> None:
    assert np.array_equal(moved(tmp_path, chip, SORT, INDICES)[:512], sorted_lists(32))


@both
def test_mrgsort4_merges_four_lists(tmp_path: Path, chip: str) -> None:
    z = moved(tmp_path, chip, MERGE.format(2, "false"), INDICES)
    assert np.array_equal(z[:512], sorted_lists(128))


def test_mrgsort4_stops_when_a_list_is_used_up(tmp_path: Path) -> None:
    body = MERGE.format(1, "true") + "asc_sync(); asc_get_vms4_sr(taken);"
    z = moved(tmp_path, "910b", body, INDICES)
    merged = sorted_lists(128)
    taken = z[1024:1028]
    assert (taken == 32).sum() == 1
    assert np.array_equal(z[: 2 * taken.sum()], merged[: 2 * taken.sum()])


@both
def test_transpositions(tmp_path: Path, chip: str) -> None:
    turned = HALVES[:256].reshape(16, 16).T.ravel()
    z = moved(tmp_path, chip, "asc_transpose((__ubuf__ uint16_t*)c, h);", INDICES)
    assert np.array_equal(z.view(np.uint16)[:256], turned)
    body = (
        "asc_set_va_reg(VA0, to); asc_set_va_reg(VA1, to + 8); asc_set_va_reg(VA2, from);"
        "asc_set_va_reg(VA3, from + 8); asc_transto5hd_b16(VA0, VA2, 1, 0, 0);"
    )
    assert np.array_equal(moved(tmp_path, chip, body, INDICES).view(np.uint16)[:256], turned)


def test_gathers(tmp_path: Path) -> None:
    offsets = np.random.default_rng(4).integers(0, 256, 256) * 4
    z = moved(tmp_path, "910b", "asc_gather(c, a, b, 100);", offsets)
    assert np.array_equal(z[:100].view(np.float32), X[offsets[:100] // 4])
    z = moved(tmp_path, "910b", "asc_gather(c, a, b, 9, 2);", offsets)
    assert np.array_equal(z[72:136].view(np.float32), X[offsets[64:128] // 4])
    blocks = np.random.default_rng(5).integers(0, 32, 256) * 32
    body = "asc_gather_datablock((__ubuf__ uint32_t*)c, (__ubuf__ uint32_t*)a, b, 8, 1, 2);"
    z = moved(tmp_path, "910b", body, blocks)
    assert np.array_equal(z[:128].view(np.float32), X.reshape(32, 8)[blocks[:16] // 32].ravel())


def test_reduce_keeps_what_its_bits_name(tmp_path: Path) -> None:
    words = np.random.default_rng(6).integers(0, 2**32, 256, dtype=np.uint32)
    bits = np.unpackbits(words.view(np.uint8), bitorder="little").astype(bool)
    call = "asc_reduce((__ubuf__ uint32_t*)c, (__ubuf__ uint32_t*)a, b, {}); kept = asc_get_rsvd_count();"
    z = moved(tmp_path, "910b", call.format(200), words)
    kept = X[:200][bits[:200]]
    assert z[1028] == len(kept)
    assert np.array_equal(z[: len(kept)].view(np.float32), kept)
    z = moved(tmp_path, "910b", call.format("2, 1, 4, 16, 0"), words)
    kept = np.concatenate([X[:64][1::4], X[128:192][1::4]])
    assert z[1028] == len(kept)
    assert np.array_equal(z[: len(kept)].view(np.float32), kept)


GATHER = "asc_gather(c, a, b, 1);"
WRONG = {
    "behind its memory": ("910b", 1 << 20, GATHER, "out-of-bounds"),
    "not at an element": ("910b", 2, GATHER, "misaligned"),
    "one list": (
        "950",
        0,
        SORT + "asc_mrgsort4(d, lists, 1, 1, 1, 1, 1, false, 1);",
        "argument-range",
    ),
    "no repeats": ("950", 0, MERGE.format(2, "true"), "argument-range"),
    "into its own list": (
        "950",
        0,
        "asc_mrgsort4(d, lists, 1, 32, 32, 32, 32, false, 15);",
        "operand-overlap",
    ),
    "crooked blocks": ("950", 0, "from[3] += 1; asc_set_va_reg(VA0, from);", "misaligned"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found(tmp_path: Path, name: str) -> None:
    chip, first, body, code = WRONG[name]
    done = outcome(tmp_path, chip, body, INDICES + first)
    assert code in {f.code for f in done.errors}, done


@both
@pytest.mark.parametrize("body", [SORT, "asc_transpose((__ubuf__ uint16_t*)c, h);"])
def test_a_missing_wait_is_found(tmp_path: Path, chip: str, body: str) -> None:
    done = outcome(tmp_path, chip, body, INDICES, sync="")
    assert "race-raw" in {f.code for f in done.errors}
