"""The emitted source becomes a program: every line stays where it was, vector functions run on the vector pipe."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.compile.m_tree import Request, Session, TensorType, lower
from gen.compile.m_tree.device_source import UnknownFormError, kernels, program
from gen.compile.m_tree.lowering import Launch, Lowered

KERNELS = Path(__file__).with_name("kernels")


def lowered(source: str, *tensors: str, kernel: str = "k") -> Lowered:
    types = tuple(TensorType(name, (8,), "float16") for name in tensors)
    return Lowered("f", source, types, tensors[-1:], (Launch(kernel, 4, 0, ()),), "")


DECLARATION = 'extern "C" __global__ {} void k(__gm__ half* A, __gm__ float* c) {{\n  f(1);\n}}\n'


@pytest.mark.parametrize(
    ("written", "kind"),
    [("__vector__", "vector"), ("__cube__", "cube"), ("__mix__(1, 2)", "mix_1_2")],
)
def test_the_kind_of_a_kernel_stands_in_its_declaration(written: str, kind: str) -> None:
    (kernel,) = kernels(DECLARATION.format(written)).values()
    assert (kernel.name, kernel.kind) == ("k", kind)
    assert kernel.parameters == (("half", "A"), ("float", "c"))


def test_the_program_launches_the_kernel_on_the_tensors_of_its_command_line() -> None:
    text = program(lowered(DECLARATION.format("__cube__"), "A", "c"))
    assert (
        "    AICORE_LAUNCH(k, cube, 4)"
        '(static_cast<half*>(tensors["A"]), static_cast<float*>(tensors["c"]));\n'
    ) in text


def test_lines_stay_where_they_were() -> None:
    source = DECLARATION.format("__vector__")
    assert program(lowered(source, "A", "c")).splitlines()[:3] == source.splitlines()


def test_simd_functions_are_called_through_the_vector_pipe(
    session: Session, tmp_path: Path
) -> None:
    text = (KERNELS / "double_simd.py").read_text(encoding="utf-8")
    request = Request("double_simd.py", text, (TensorType("x", (1000,), "float16"),))
    emitted = lower(request, session=session, folder=tmp_path)
    assert "\n    double_simd_kernel_simd_vf_0(" in emitted.source
    text = program(emitted)
    assert "\n    asc_vf_call<double_simd_kernel_simd_vf_0>(" in text
    assert "inline void double_simd_kernel_simd_vf_0(" in text
    assert len(text.splitlines()) > len(emitted.source.splitlines())


def test_the_scatter_of_the_wheel_is_a_simd_function_too() -> None:
    source = DECLARATION.format("__vector__").replace(
        "f(1)", "ascend_nd2nz_scatter<16, float>(a, b)"
    )
    called = "\n  asc_vf_call<ascend_nd2nz_scatter<16, float>>(a, b);"
    assert called in program(lowered(source, "A", "c"))


@pytest.mark.parametrize(
    ("source", "tensors", "said"),
    [
        (DECLARATION.format("__mix__(2, 1)"), "Ac", "kernel k runs on 2 AICs and 1 AIVs"),
        (
            DECLARATION.format("__cube__").replace("__gm__ float*", "float"),
            "Ac",
            "parameter `float c`",
        ),
        (DECLARATION.format("__cube__"), "A", "no tensors of the function: ['c']"),
        ("", "Ac", "kernel k is launched but not declared"),
    ],
)
def test_a_form_that_is_not_known_is_refused(source: str, tensors: str, said: str) -> None:
    with pytest.raises(UnknownFormError) as caught:
        program(lowered(source, *tensors))
    assert said in str(caught.value)
