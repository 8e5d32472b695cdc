"""Specs that between them use every line of the M tree's templates."""

from __future__ import annotations

from typing import Any

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


ALL_OPS = (
    "relu(x) + abs(y) * exp(x) - log(y) / sqrt(y) + sigmoid(x) - min(x, 0.3) + max(x, -y) * (1 - x)"
)

SPECS = {
    "one element": elementwise("x + x", "float16", 1),
    "tail": elementwise("x * y", "bfloat16", 13243),
    "several rounds": elementwise("x / y", "float32", 700_001),
    "all operations": elementwise(ALL_OPS, "float16", 100, 77),
    "all operations in float16": elementwise(ALL_OPS, "float16", 100, 77, compute="float16"),
    "mixed types": elementwise("x + y", "float32", 5, 5, output={"out": "bfloat16"}),
    "given tile, three stages": elementwise("x - y", "float32", 500_000, tile=1024, stages=3),
    "gemm": gemm(512, 512, 256),
    "gemm transposed": gemm(512, 512, 256, transpose_b=True),
    "gemm tails": gemm(130, 333, 210, c="float32"),
    "gemm one K step": gemm(1000, 1000, 64, "bfloat16"),
    "gemm smaller than a fractal": gemm(1, 7, 33, "float32", transpose_b=True),
    "gemm single stage": gemm(512, 512, 256, stages=1),
    "norm": norm(4096, 1024),
    "norm weighted, odd row": norm(4099, 1000, "bfloat16", weight=True),
    "norm short rows": norm(1000, 7, "float32", weight=True),
    "norm long rows": norm(100, 4097),
    "norm one row": norm(1, 1),
}
