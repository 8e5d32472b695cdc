"""Specs that between them reach every branch of the Ascend C templates."""

from __future__ import annotations

from gen.plan import Plan, Tree, plan
from gen.render import Rendering, render
from gen.sim import Profile
from gen.spec import DType, ElementwiseSpec, GemmSpec, NormSpec, Spec


def planned(spec: Spec) -> tuple[Plan, Rendering]:
    """The plan of `spec` and its Ascend C rendering."""
    made = plan(spec)
    return made, render(made, ["ascendc"])


def output_of(spec: Spec) -> tuple[str, DType, tuple[int, ...]]:
    """Name, number format and shape of the output."""
    if isinstance(spec, ElementwiseSpec):
        return spec.output.name, spec.output.dtype, spec.shape
    if isinstance(spec, GemmSpec):
        return "C", spec.c, (spec.m, spec.n)
    return "y", spec.dtype, (spec.rows, spec.cols)


def profile(plan: Plan, auto_sync: bool = True) -> Profile:
    """The chip that the Ascend C source is written for."""
    arch = plan.trees[Tree.ASCENDC].chip.arch
    return Profile(chip="2201" if arch == "dav-2201" else "3510", auto_sync=auto_sync)


def elementwise(
    shape: tuple[int, ...],
    body: str,
    dtype: str = "float32",
    *,
    out: str | None = None,
    compute: str = "float32",
    chip: str = "ascend910b",
) -> ElementwiseSpec:
    names = [name for name in ("x", "gate") if name in body]
    return ElementwiseSpec(
        name="elementwise",
        shape=shape,
        inputs=dict.fromkeys(names, dtype),
        output={"y": out or dtype},
        compute=compute,
        body=body,
        chip={"ascendc": chip},
    )


def gemm(
    m: int, n: int, k: int, dtype: str = "float16", c: str | None = None, **more: object
) -> GemmSpec:
    return GemmSpec(name="gemm", m=m, n=n, k=k, a=dtype, b=dtype, c=c or dtype, **more)


def norm(
    rows: int,
    cols: int,
    dtype: str = "float32",
    *,
    weight: bool = True,
    chip: str = "ascend910b",
    **more: object,
) -> NormSpec:
    return NormSpec(
        name="norm",
        norm="rms",
        rows=rows,
        cols=cols,
        dtype=dtype,
        weight=weight,
        chip={"ascendc": chip},
        **more,
    )


SPECS: dict[str, Spec] = {
    "add": elementwise((4096, 1024), "x + gate"),
    "one element": elementwise((1,), "x + gate"),
    "seven elements": elementwise((7,), "x * 0.5 - gate", "float16"),
    "silu": elementwise((13243,), "x * sigmoid(x) * gate", "bfloat16"),
    "many operations": elementwise(
        (3, 1001), "max(abs(x) - 0.5, exp(-gate) / 3) + relu(min(x, gate))", "float16"
    ),
    "log and sqrt": elementwise((8,), "log(x) + sqrt(gate)"),
    "identity": elementwise((1000,), "x"),
    "conversion": elementwise((4097,), "x", "float32", out="bfloat16"),
    "half": elementwise((13243,), "x / gate - 0.1", "float16", compute="float16"),
    "sigmoid on 950": elementwise((13243,), "x * sigmoid(gate)", "bfloat16", chip="ascend950"),
    "gemm": gemm(256, 512, 1024),
    "gemm 1x1x1": gemm(1, 1, 1),
    "gemm vector times matrix": gemm(1, 130, 33, "bfloat16", "float32"),
    "gemm tails": gemm(130, 259, 133, "float16", "float32"),
    "gemm NT": gemm(130, 33, 133, "bfloat16", transpose_b=True),
    "gemm float32": gemm(33, 130, 71, "float32"),
    "gemm float32 NT": gemm(33, 130, 71, "float32", transpose_b=True),
    "gemm one stage": gemm(130, 259, 300, tile={"m": 64, "n": 64, "k": 64}, stages=1),
    "gemm long rows": gemm(3, 70001, 17),
    "gemm long rows NT": gemm(18, 35, 66001, "bfloat16", transpose_b=True),
    "gemm long rows float32": gemm(3, 70001, 19, "float32"),
    "gemm small tiles": gemm(40, 40, 200, tile={"m": 32, "n": 32, "k": 64}),
    "norm": norm(512, 1024, "bfloat16"),
    "norm one column": norm(5, 1),
    "norm without tail": norm(64, 1024, weight=False, tile={"rows": 2}),
    "norm padded rows": norm(200, 1000),
    "norm three columns more than a block": norm(37, 1003, weight=False),
    "norm half": norm(1000, 37, "float16"),
    "norm half without weight": norm(64, 4097, "float16", weight=False),
    "norm on 950": norm(130, 1000, "float16", chip="ascend950"),
}
