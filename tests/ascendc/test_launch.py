"""Launches in triple angle brackets become calls, on the same lines, whatever stands around them."""

from __future__ import annotations

import pytest

from gen.compile.base import CompileError
from gen.compile.launch import kernel_kinds, rewrite_launches

KERNELS = """\
__global__ __vector__ void add_custom(GM_ADDR x, uint32_t n);
template <uint32_t M, uint32_t K>
__global__ __cube__ void mmad_custom(__gm__ uint8_t* a) {}
extern "C" __global__ __aicore__ void old_style(GM_ADDR x) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
}
__global__ __mix__(1, 1) void mixed(GM_ADDR x) {}
__global__ __aicore__ void untold(GM_ADDR x) {}
"""


def rewritten(launch: str) -> str:
    out = rewrite_launches(KERNELS + launch, "kernel.asc")
    assert out.startswith(KERNELS)
    assert out.count("\n") == (KERNELS + launch).count("\n")
    return out[len(KERNELS) :]


def fault(launch: str) -> str:
    with pytest.raises(CompileError) as caught:
        rewrite_launches(KERNELS + launch, "kernel.asc")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.line == KERNELS.count("\n") + 1
    assert diagnostic.source_line == launch
    return diagnostic.message


@pytest.mark.parametrize(
    ("launch", "expected"),
    [
        (
            "add_custom<<<numBlocks, nullptr, stream>>>(x, 1 << 3);",
            "AICORE_LAUNCH(add_custom, vector, numBlocks)(x, 1 << 3);",
        ),
        ("mixed<<<8, 0, s>>>(x);", "AICORE_LAUNCH(mixed, mix_1_1, 8)(x);"),
        ("old_style<<<1, 0, s>>>(x);", "AICORE_LAUNCH(old_style, mix_1_2, 1)(x);"),
        ("ns::add_custom<<<1, 0, s>>>(x);", "AICORE_LAUNCH(ns::add_custom, vector, 1)(x);"),
        (
            "mmad_custom<M, (K > 2)><<<1, 0, s>>>(a);",
            "AICORE_LAUNCH((mmad_custom<M, (K > 2)>), cube, 1)(a);",
        ),
        (
            "add_custom<<<f<2, 3>(a, b) / 2, 0, s>>>(x);",
            "AICORE_LAUNCH(add_custom, vector, (f<2, 3>(a, b) / 2))(x);",
        ),
        (
            "add_custom<<<(a > b) ? 1 : 2, 0, s>>>(x);",
            "AICORE_LAUNCH(add_custom, vector, (a > b) ? 1 : 2)(x);",
        ),
        (
            "add_custom<<<1 /* >>> */, 0, s>>>(x); mixed<<<2, 0, s>>>(x);",
            "AICORE_LAUNCH(add_custom, vector, 1 /* >>> */)(x); AICORE_LAUNCH(mixed, mix_1_1, 2)(x);",
        ),
    ],
)
def test_a_launch_becomes_a_call(launch: str, expected: str):
    assert rewritten(launch) == expected


def test_a_launch_over_several_lines_keeps_what_follows_on_its_line():
    out = rewritten("add_custom<<<8,\n    nullptr,\n    stream>>>(x,\n    y);")
    assert out == "AICORE_LAUNCH(add_custom, vector, 8)\n\n(x,\n    y);"


@pytest.mark.parametrize(
    "text",
    [
        "// add_custom<<<1, 0, s>>>(x);",
        "/* add_custom<<<1,\n 0, s>>>(x); */",
        'printf("add_custom<<<%d>>>", 1);',
        'auto s = R"(add_custom<<<1>>>())";',
    ],
)
def test_comments_and_strings_are_left_alone(text: str):
    assert rewritten(text) == text


def test_a_kernel_may_be_declared_in_an_included_file():
    out = rewrite_launches("add_custom<<<1, 0, s>>>(x);", "k.asc", declared_in=[KERNELS])
    assert out == "AICORE_LAUNCH(add_custom, vector, 1)(x);"


def test_kinds_come_from_the_declarations():
    assert kernel_kinds([KERNELS]) == {
        "add_custom": "vector",
        "mmad_custom": "cube",
        "old_style": "mix_1_2",
        "mixed": "mix_1_1",
        "untold": None,
    }


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        ("untold<<<1, 0, s>>>(x);", "`untold` does not say which cores"),
        ("missing<<<1, 0, s>>>(x);", "`missing` is not declared"),
        ("add_custom<<<1, 0, s>(x);", "not closed"),
        ("add_custom<<<(1, 0, s>>>(x);", "do not match"),
        ("<<<1, 0, s>>>(x);", "no kernel"),
        ("add_custom<<<>>>(x);", "number of blocks"),
    ],
)
def test_a_launch_that_cannot_be_understood_is_reported_at_its_line(launch: str, message: str):
    assert message in fault(launch)


def test_every_fault_of_a_file_is_reported():
    with pytest.raises(CompileError) as caught:
        rewrite_launches(KERNELS + "a<<<1, 0, s>>>();\nb<<<1, 0, s>>>();", "kernel.asc")
    assert len(caught.value.diagnostics) == 2
