"""Small specs that reach every branch of every template; each is also run in all three trees."""

from __future__ import annotations

from gen.spec import ElementwiseSpec, GemmSpec, NormSpec, Spec


def elementwise(n: int, body: str, dtype: str = "float32", **more: object) -> ElementwiseSpec:
    names = [name for name in ("x", "gate", "bias") if name in body]
    fields = {
        "name": "ew",
        "shape": [n],
        "inputs": dict.fromkeys(names, dtype),
        "output": {"y": dtype},
        "body": body,
    }
    return ElementwiseSpec.model_validate(fields | more)


def gemm(m: int, n: int, k: int, dtype: str = "float16", **more: object) -> GemmSpec:
    fields = {"name": "gemm", "m": m, "n": n, "k": k, "a": dtype, "b": dtype, "c": dtype}
    return GemmSpec.model_validate(fields | more)


def norm(rows: int, cols: int, dtype: str = "bfloat16", **more: object) -> NormSpec:
    fields = {"name": "norm", "norm": "rms", "rows": rows, "cols": cols, "dtype": dtype}
    return NormSpec.model_validate(fields | {"weight": True} | more)


ON_950 = {"ascendc": "ascend950"}
SMALL_TILE = {"m": 16, "n": 32, "k": 32}
AUTO = {"a_tree": {"auto_sync": True}}
PLANNED = {"a_tree": {"auto_sync": True, "memory_planning": True}}
MANUAL = {"sync": "manual"}
FORMS = {**MANUAL, **PLANNED}

SPECS: dict[str, Spec] = {
    "every operation": elementwise(
        2500,
        "max(min(x / gate, 3 / bias), sqrt(abs(x)) - log(abs(bias) + 1)) + max(relu(x), 0.25)"
        " * exp(-abs(gate)) + sigmoid(x) * min(gate, 0.5) - (1 - x)",
        **AUTO,
    ),
    "copy": elementwise(1024, "x"),
    "one short tile": elementwise(7, "x + gate", **FORMS),
    "whole tiles of halves": elementwise(8192, "x * sigmoid(gate)", "float16", tile=1024),
    "several rounds": elementwise(20_000, "x * gate", "bfloat16", tile=128, **FORMS),
    "several rounds, one stage": elementwise(20_000, "x * gate", tile=128, stages=1, **FORMS),
    "computed in half": elementwise(3000, "x + gate * 2", "float16", compute="float16"),
    "mixed formats": elementwise(
        3000,
        "x + gate",
        inputs={"x": "float16", "gate": "float32"},
        output={"y": "bfloat16"},
        **FORMS,
    ),
    "matrix": elementwise(1, "x + 1", shape=[33, 65]),
    "elementwise on the 950": elementwise(20_000, "x * sigmoid(x)", chip=ON_950, tile=128),
    "gemm, whole tiles": gemm(128, 256, 256, **FORMS),
    "gemm, one step": gemm(16, 16, 16),
    "gemm, one short step": gemm(7, 7, 7, **FORMS),
    "gemm, tails": gemm(100, 90, 300, tile=SMALL_TILE, **FORMS),
    "gemm, tails, one stage": gemm(100, 90, 300, tile=SMALL_TILE, stages=1, **FORMS),
    "gemm, several rounds": gemm(300, 300, 65, "bfloat16", tile=SMALL_TILE, c="float32", **FORMS),
    "gemm, whole K, several rounds": gemm(300, 300, 64, tile=SMALL_TILE, **FORMS),
    "gemm, B stored [N, K]": gemm(100, 90, 300, tile=SMALL_TILE, transpose_b=True, **FORMS),
    "gemm, B stored [N, K], short": gemm(33, 18, 24, "bfloat16", transpose_b=True, **FORMS),
    "gemm in float32": gemm(50, 60, 70, "float32", tile=SMALL_TILE),
    "gemm in float32, B stored [N, K]": gemm(50, 60, 70, "float32", transpose_b=True, **FORMS),
    "gemm, long rows": gemm(3, 4, 66_000, tile={"m": 16, "n": 16, "k": 256}),
    "gemm, wide B": gemm(3, 66_000, 5, "bfloat16"),
    "norm, whole rows": norm(16, 1024, **FORMS),
    "norm, several rounds and tails": norm(700, 130, "float16", tile={"rows": 3}, **FORMS),
    "norm, one stage": norm(700, 128, tile={"rows": 4}, stages=1, **FORMS),
    "norm in float32": norm(64, 100, "float32", **FORMS),
    "norm of single elements": norm(65, 1, "float32"),
    "norm without weight": norm(130, 33, weight=False, **FORMS),
    "norm without weight in float32": norm(130, 40, "float32", weight=False),
    "norm on the 950": norm(130, 1000, chip=ON_950),
}
