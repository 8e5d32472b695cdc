"""Specs that between them use every line of the A tree's templates, and kernels to look into."""

from __future__ import annotations

from typing import Any

from gen.plan import plan
from gen.render import RenderedFile, render
from gen.spec import Spec
from gen.spec.models import ElementwiseSpec, GemmSpec, NormSpec


def elementwise(body: str, dtype: str, *shape: int, **more: Any) -> ElementwiseSpec:
    names = sorted({c for c in body if c in "xyz"})
    fields = {"name": "op", "shape": shape, "inputs": dict.fromkeys(names, dtype), "body": body}
    return ElementwiseSpec.model_validate({**fields, "output": {"out": dtype}, **more})


def gemm(m: int, n: int, k: int, dtype: str = "float16", **more: Any) -> GemmSpec:
    fields = {"name": "product", "m": m, "n": n, "k": k, "a": dtype, "b": dtype, "c": dtype}
    return GemmSpec.model_validate({**fields, **more})


def norm(rows: int, cols: int, dtype: str = "float16", **more: Any) -> NormSpec:
    fields = {"name": "rms", "norm": "rms", "rows": rows, "cols": cols, "dtype": dtype}
    return NormSpec.model_validate({**fields, **more})


def rendered(spec: Spec) -> RenderedFile:
    """The A-tree kernel of `spec`."""
    file = render(plan(spec)).kernel("a_tree")
    assert file is not None
    return file


ALL_OPS = (
    "relu(x) + abs(y) * exp(x) - log(y) / sqrt(y) + sigmoid(x) * sigmoid(y) - min(x, 0.5)"
    " + max(x, -y) * (1 - x) - min(x, y) / (1 / y)"
)

SPECS: dict[str, Spec] = {
    "one element": elementwise("x + x", "float16", 1),
    "seven elements": elementwise("x * y + x", "float16", 7),
    "eight elements": elementwise("x * y + x", "float32", 8),
    "tail": elementwise("x * y", "bfloat16", 13243),
    "several rounds": elementwise("x / y", "float32", 700_001),
    "gate": elementwise("x * sigmoid(x) * y", "float16", 700_001),
    "every tile full": elementwise("x + y", "float16", 48 * 256, tile=256),
    "all operations": elementwise(ALL_OPS, "float16", 100, 77),
    "all operations, several rounds": elementwise(ALL_OPS, "bfloat16", 99_991, tile=512),
    "all operations in float16": elementwise(ALL_OPS, "float16", 100, 77, compute="float16"),
    "copy": elementwise("x", "float32", 13243),
    "mixed types": elementwise("x + y", "float32", 5, 5, output={"out": "bfloat16"}),
    "one stage": elementwise("x - y", "float16", 500_000, tile=1024, stages=1),
    "four stages": elementwise("x - y", "float16", 500_000, tile=1024, stages=4),
    "gemm": gemm(512, 512, 256),
    "gemm, B stored [N, K]": gemm(512, 512, 256, transpose_b=True),
    "gemm 1000x1001x1003": gemm(1000, 1001, 1003),
    "gemm 1000x1001x1003 in bfloat16, float32 out": gemm(1000, 1001, 1003, "bfloat16", c="float32"),
    "gemm in float32": gemm(130, 257, 200, "float32", transpose_b=True),
    "gemm 1x1x1": gemm(1, 1, 1),
    "gemm 7x33x130": gemm(7, 33, 130),
    "gemm 33x130x7": gemm(33, 130, 7, "bfloat16", transpose_b=True),
    "gemm 130x7x33": gemm(130, 7, 33, "float32", transpose_b=True),
    "gemm one K step, many tiles a core": gemm(300, 250, 30, tile={"m": 32, "n": 32, "k": 32}),
    "gemm one K step and a tail": gemm(300, 250, 40, tile={"m": 32, "n": 32, "k": 32}),
    "gemm one stage": gemm(300, 250, 100, stages=1, tile={"m": 32, "n": 32, "k": 32}),
    "gemm three stages": gemm(300, 250, 200, stages=3, tile={"m": 32, "n": 32, "k": 32}),
    "gemm with more than one L0 step": gemm(256, 128, 1000, tile={"m": 128, "n": 64, "k": 256}),
    "norm": norm(4096, 1024),
    "norm weighted, odd row": norm(4099, 1000, "bfloat16", weight=True),
    "norm in float32": norm(1000, 64, "float32"),
    "norm in float32, weighted": norm(1000, 7, "float32", weight=True),
    "norm in float32, weighted, one round": norm(3, 37, "float32", weight=True),
    "norm one column": norm(100, 1, weight=True),
    "norm long rows": norm(100, 4097, weight=True),
    "norm one row a tile": norm(100, 513, weight=True, tile={"rows": 1}),
    "norm one element": norm(1, 1),
    "norm one stage": norm(1000, 100, weight=True, stages=1),
}
