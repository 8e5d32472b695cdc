"""Accesses by UB pointers become calls in kernels, and nowhere else; no line moves."""

from __future__ import annotations

import pytest

from gen.compile.m_tree.scalar_access import as_calls

HEAD = 'extern "C" __global__ __vector__ void k(__gm__ float* A) {\n'
POINTERS = (
    "  __ubuf__ float* s = (__ubuf__ float*)(0);\n  __ubuf__ int* ids = (__ubuf__ int*)(512);\n"
)
LOAD, STORE = "aicore::c_api::load_ub", "aicore::c_api::store_ub"


def changed(line: str) -> str:
    text = as_calls(f"{HEAD}{POINTERS}{line}\n}}\n")
    head, _, rest = text.partition(POINTERS)
    assert head == HEAD
    return rest.removesuffix("\n}\n")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("  float x = s[3];", f"  float x = {LOAD}(s, 3);"),
        ("  s[i + 1] = 2.0f;", f"  {STORE}(s, i + 1, 2.0f);"),
        ("  s[0] = s[1];", f"  {STORE}(s, 0, {LOAD}(s, 1));"),
        ("  s[ids[4]] = 0;", f"  {STORE}(s, {LOAD}(ids, 4), 0);"),
        ("  if (best < s[e]) {", f"  if (best < {LOAD}(s, e)) {{"),
        ("  if (s[e] == 1) {", f"  if ({LOAD}(s, e) == 1) {{"),
        ("  int x = ((__ubuf__ int*)s)[2];", f"  int x = {LOAD}(((__ubuf__ int*)s), 2);"),
        ("  load(&(s[64]));", "  load(&(s[64]));"),
        ("  load(&(s[ids[1]]));", f"  load(&(s[{LOAD}(ids, 1)]));"),
        ("  int x = *(__ubuf__ int2*)(s + i);", f"  int x = {LOAD}((__ubuf__ int2*)(s + i), 0);"),
        ("  *(__ubuf__ float2*)(s + 2) = x;", f"  {STORE}((__ubuf__ float2*)(s + 2), 0, x);"),
        (
            "  ((__ubuf__ uint8_t*)s)[1] = f8::from_bits(*(__ubuf__ uint8_t*)(s + ids[2])).data;",
            f"  {STORE}(((__ubuf__ uint8_t*)s), 1, "
            f"f8::from_bits({LOAD}((__ubuf__ uint8_t*)(s + {LOAD}(ids, 2)), 0)).data);",
        ),
        ("  load((__ubuf__ uint8_t*)(&(s[64])));", "  load((__ubuf__ uint8_t*)(&(s[64])));"),
        ("  float x = A[3] + bias[0];", "  float x = A[3] + bias[0];"),
    ],
)
def test_a_subscript(written: str, expected: str) -> None:
    assert changed(written) == expected


def test_vector_functions_keep_theirs() -> None:
    function = "__simt_vf__ inline void f(__ubuf__ float* s) {\n  s[0] = s[1];\n}\n"
    assert as_calls(function) == function


def test_kernels_without_pointers_stay() -> None:
    kernel = f"{HEAD}  float x[4];\n  x[0] = 1;\n}}\n"
    assert as_calls(kernel) == kernel
