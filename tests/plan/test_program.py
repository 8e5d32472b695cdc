"""Elementwise bodies become vector instructions on few buffers, with the same meaning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gen.errors import GenError
from gen.plan import ElementwisePlan, VecInstr, plan
from gen.plan.program import NOT_IN_PLACE
from gen.spec import ElementwiseSpec


def elementwise(body: str, dtype: str = "float32", **more: object) -> ElementwiseSpec:
    names = sorted({c for c in body if c in "xyz"})
    return ElementwiseSpec.model_validate(
        {
            "kind": "elementwise",
            "name": "k",
            "shape": [1000],
            "inputs": dict.fromkeys(names, dtype),
            "output": {"out": dtype},
            "body": body,
            **more,
        }
    )


def planned(body: str, dtype: str = "float32", **more: object) -> ElementwisePlan:
    made = plan(elementwise(body, dtype, **more))
    assert isinstance(made, ElementwisePlan)
    return made


_OPS = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "adds": np.add,
    "muls": np.multiply,
    "maxs": np.maximum,
    "mins": np.minimum,
    "abs": np.abs,
    "exp": np.exp,
    "ln": np.log,
    "sqrt": np.sqrt,
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "copy": lambda x: x,
    "cast": lambda x: x,
}


def execute(made: ElementwisePlan, inputs: dict[str, float]) -> float:
    """Interprets the program on scalars; reading a buffer that holds nothing is an error."""
    held: dict[str, float] = dict(inputs)
    for v in made.program:
        if v.tmp is not None:
            assert v.tmp not in (v.dst, *v.srcs)
            held.pop(v.tmp, None)
        if v.op in NOT_IN_PLACE:
            assert v.dst not in v.srcs
        args = [held[s] for s in v.srcs] + ([v.scalar] if v.scalar is not None else [])
        held[v.dst] = args[0] if v.op == "fill" else float(_OPS[v.op](*args))
    return held[made.spec.output.name]


@st.composite
def bodies(draw: st.DrawFn) -> str:
    leaf = st.sampled_from(["x", "y", "z", "2", "0.5", "3"])
    grow = st.recursive(
        leaf,
        lambda e: st.one_of(
            st.tuples(e, st.sampled_from("+-*/"), e).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
            st.tuples(st.sampled_from(["max", "min"]), e, e).map(
                lambda t: f"{t[0]}({t[1]}, {t[2]})"
            ),
            st.tuples(st.sampled_from(["abs", "relu", "sigmoid", "-"]), e).map(
                lambda t: f"{t[0]}({t[1]})"
            ),
        ),
        max_leaves=12,
    )
    return "x + " + draw(grow)


def meaning(body: str, inputs: dict[str, float]) -> float:
    names = {
        "max": max,
        "min": min,
        "abs": abs,
        "relu": lambda v: max(v, 0.0),
        "sigmoid": lambda v: 1 / (1 + np.exp(-v)),
        **inputs,
    }
    return float(eval(body, {"__builtins__": {}}, names))


@given(bodies())
def test_the_program_means_what_the_body_says(body: str) -> None:
    inputs = {"x": 1.25, "y": -2.5, "z": 0.75}
    try:
        with np.errstate(all="ignore"):
            want = meaning(body, inputs)
        made = planned(body)
    except (ZeroDivisionError, ValueError):
        return
    with np.errstate(all="ignore"):
        got = execute(made, {k: v for k, v in inputs.items() if k in made.spec.inputs.names})
    assert got == pytest.approx(want, rel=1e-9, nan_ok=True)


def test_equal_subexpressions_are_computed_once() -> None:
    ops = [v.op for v in planned("exp(x) * exp(x) + exp(x)").program]
    assert ops.count("exp") == 1


def test_a_constant_goes_into_the_scalar_form() -> None:
    assert [(v.op, v.scalar) for v in planned("2 * x - 1").program] == [
        ("muls", 2.0),
        ("adds", -1.0),
    ]


def test_division_by_a_constant_stays_a_division() -> None:
    assert [v.op for v in planned("x / 3").program] == ["fill", "div"]


def test_sixteen_bit_inputs_are_computed_in_float32() -> None:
    assert [v.op for v in planned("x + y", "bfloat16").program] == ["cast", "cast", "add", "cast"]


def test_release_and_store_are_where_the_slots_are_last_read_and_first_written() -> None:
    made = planned("sigmoid(x) * y", "float16")
    assert made.program[made.release_after].srcs == ("y",)
    assert made.program[made.store_from].dst == "out"


def test_a_constant_that_the_a_tree_would_print_wrongly_is_refused_there() -> None:
    made = planned("x * 3.14159265")
    assert "3.14159265" in made.refused["a_tree"]
    assert set(made.trees) == {"m_tree", "ascendc"}


def written(v: VecInstr, work: set[str]) -> set[str]:
    """What an instruction writes; the A tree's compiler gives all scratch one buffer."""
    return ({v.dst, v.tmp} & work) | ({"scratch"} if v.tmp else set())


def unordered_pairs(made: ElementwisePlan, fences: frozenset[int]) -> int:
    """Conflicting accesses to work buffers with no fence between them, over three rounds of the loop."""
    trace = [(i, v) for _ in range(3) for i, v in enumerate(made.program)]
    work = set(made.work)
    pairs = 0
    for later, (_, b) in enumerate(trace):
        for earlier in range(later):
            a = trace[earlier][1]
            writes_a, writes_b = written(a, work), written(b, work)
            touches_a, touches_b = writes_a | set(a.srcs) & work, writes_b | set(b.srcs) & work
            fenced = any(i in fences for i, _ in trace[earlier + 1 : later + 1])
            pairs += bool(writes_a & touches_b or writes_b & touches_a) and not fenced
    return pairs


@given(bodies())
def test_every_fence_is_needed_and_none_is_missing(body: str) -> None:
    try:
        made = planned(body, "float16")
    except ValueError:  # a constant subexpression without a value
        return
    assert unordered_pairs(made, made.fences) == 0
    for fence in made.fences:
        assert unordered_pairs(made, made.fences - {fence}) > 0


@pytest.mark.parametrize(("inputs", "stages"), [(3, 2), (4, 2), (5, 1), (8, 1)])
def test_many_inputs_get_as_many_buffers_as_the_chip_has_event_ids(
    inputs: int, stages: int
) -> None:
    names = [f"in{i}" for i in range(inputs)]
    made = planned(" + ".join(names), inputs=dict.fromkeys(names, "float32"), shape=[10**6])
    assert made.stages == stages
    assert made.refused == {}


def test_more_queues_than_event_ids_are_refused_for_ascend_c_only() -> None:
    names = [f"in{i}" for i in range(3)]
    more = {"inputs": dict.fromkeys(names, "float32"), "shape": [10**6], "stages": 3}
    assert set(planned(" + ".join(names), **more).refused) == {"ascendc"}
    assert planned(" + ".join(names), **more, chip={"ascendc": "ascend950"}).refused == {}


def test_a_misaligned_tile_is_told_one_that_fits() -> None:
    with pytest.raises(GenError) as caught:
        planned("x + y", shape=[10**7], tile=100_000)
    codes = [d.code for d in caught.value.diagnostics]
    assert codes[0] == "E202"
    assert "E201" in codes
    use = int(caught.value.diagnostics[0].help.removeprefix("use "))
    assert planned("x + y", shape=[10**7], tile=use).tile == use
