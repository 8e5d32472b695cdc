"""Valid specs, drawn at random: shapes with tails, number formats, expressions, tiles, stages, chips."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from gen.errors import GenError
from gen.plan import plan
from gen.spec import ElementwiseSpec, GemmSpec, NormSpec, Spec

DTYPES = ("float16", "bfloat16", "float32")
STAGES = st.sampled_from([None, 1, 2, 3])
CHIP = st.sampled_from(["ascend910b", "ascend950"])


def extents(most: int) -> st.SearchStrategy[int]:
    """Small numbers, numbers around multiples of the block sizes, and anything up to `most`."""
    near = st.builds(
        lambda base, k, off: max(1, min(most, base * k + off)),
        st.sampled_from([8, 16, 32, 128]),
        st.integers(1, 12),
        st.integers(-1, 1),
    )
    return st.one_of(st.integers(1, 40), near, st.integers(1, most))


def _plannable(fields: dict[str, Any], model: type[Any]) -> Spec | None:
    fields = {k: v for k, v in fields.items() if v is not None}
    try:
        spec: Spec = model.model_validate(fields)
        plan(spec)
    except GenError:  # a drawn tile that does not fit
        return None
    return spec


@st.composite
def _body(draw: st.DrawFn, names: list[str]) -> str:
    leaf = st.sampled_from([*names, *names, "0.5", "2", "1.25"])
    expression = st.recursive(
        leaf,
        lambda e: st.one_of(
            st.tuples(e, st.sampled_from("+-*/"), e).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
            st.tuples(st.sampled_from(["max", "min"]), e, e).map(
                lambda t: f"{t[0]}({t[1]}, {t[2]})"
            ),
            st.tuples(st.sampled_from(["abs", "relu", "sigmoid", "exp", "-"]), e).map(
                lambda t: f"{t[0]}({t[1]})"
            ),
            e.map(lambda t: f"sqrt(abs({t}))"),
            e.map(lambda t: f"log(abs({t}) + 1)"),
        ),
        max_leaves=6,
    )
    return " + ".join([*names, draw(expression)])


@st.composite
def elementwise(draw: st.DrawFn) -> Spec | None:
    names = ["x", "gate", "bias"][: draw(st.integers(1, 3))]
    return _plannable(
        {
            "name": "drawn",
            "shape": draw(st.lists(extents(60), min_size=1, max_size=3)),
            "inputs": {n: draw(st.sampled_from(DTYPES)) for n in names},
            "output": {"y": draw(st.sampled_from(DTYPES))},
            "body": draw(_body(names)),
            "tile": draw(st.sampled_from([None, None, 128, 1024, 2176])),
            "stages": draw(STAGES),
            "chip": {"ascendc": draw(CHIP)},
        },
        ElementwiseSpec,
    )


@st.composite
def gemm(draw: st.DrawFn) -> Spec | None:
    dtype = draw(st.sampled_from(DTYPES))
    tile = {
        "m": draw(st.sampled_from([16, 32, 64])),
        "n": draw(st.sampled_from([16, 48, 128])),
        "k": draw(st.sampled_from([16, 32, 64])),
    }
    return _plannable(
        {
            "name": "drawn",
            "m": draw(extents(200)),
            "n": draw(extents(200)),
            "k": draw(extents(300)),
            "a": dtype,
            "b": dtype,
            "c": "float32" if dtype == "float32" else draw(st.sampled_from(DTYPES)),
            "transpose_b": draw(st.booleans()),
            "tile": draw(st.sampled_from([None, tile])),
            "stages": draw(STAGES),
        },
        GemmSpec,
    )


@st.composite
def norm(draw: st.DrawFn) -> Spec | None:
    return _plannable(
        {
            "name": "drawn",
            "norm": "rms",
            "rows": draw(extents(150)),
            "cols": draw(extents(1500)),
            "dtype": draw(st.sampled_from(DTYPES)),
            "weight": draw(st.booleans()),
            "eps": draw(st.sampled_from([None, 1e-5, 1e-12])),
            "tile": draw(st.sampled_from([None, {"rows": 3}])),
            "stages": draw(STAGES),
            "chip": {"ascendc": draw(CHIP)},
        },
        NormSpec,
    )
