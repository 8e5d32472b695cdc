"""Expressions: what they mean, what they read like, and where their mistakes are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gen.spec.expr import (
    BINARY_OPS,
    UNARY_OPS,
    Binary,
    Const,
    Expr,
    Input,
    Unary,
    fold,
    inputs,
    text,
    walk,
)
from gen.spec.parse import FUNCTIONS, INSTEAD, ExpressionError, parse, read

X, Y, Z = Input("x"), Input("y"), Input("z")
NAMES = ("x", "y", "z")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("x", X),
        ("x + y", Binary("add", X, Y)),
        ("x - y - z", Binary("sub", Binary("sub", X, Y), Z)),
        ("x - (y - z)", Binary("sub", X, Binary("sub", Y, Z))),
        ("x + y * z", Binary("add", X, Binary("mul", Y, Z))),
        ("(x + y) * z", Binary("mul", Binary("add", X, Y), Z)),
        ("x / y / z", Binary("div", Binary("div", X, Y), Z)),
        ("-x * y", Binary("mul", Unary("neg", X), Y)),
        ("x - -y", Binary("sub", X, Unary("neg", Y))),
        ("+x", X),
        ("--x", Unary("neg", Unary("neg", X))),
        ("max(x, min(y, z))", Binary("max", X, Binary("min", Y, Z))),
        ("sigmoid(x)*y", Binary("mul", Unary("sigmoid", X), Y)),
        ("x*1.5e-3", Binary("mul", X, Const(1.5e-3))),
        ("x * .5", Binary("mul", X, Const(0.5))),
        ("x * 2.", Binary("mul", X, Const(2.0))),
        ("\n x\n+\ty ", Binary("add", X, Y)),
        ("x * (2 + 3)", Binary("mul", X, Const(5.0))),
        ("x * -2", Binary("mul", X, Const(-2.0))),
        ("x + exp(0) / 4", Binary("add", X, Const(0.25))),
        ("1 - sigmoid(x)", Binary("sub", Const(1.0), Unary("sigmoid", X))),
    ],
)
def test_what_an_expression_means(written, meant):
    assert parse(written, NAMES) == meant


def test_operands_come_before_operations():
    tree = parse("x * sigmoid(y) + z", NAMES)
    order = [getattr(node, "name", getattr(node, "op", None)) for node in walk(tree)]
    assert order == ["x", "y", "sigmoid", "mul", "z", "add"]
    assert inputs(tree) == ("x", "y", "z")


def test_every_operation_can_be_written():
    written = {"neg", *FUNCTIONS} | {"add", "sub", "mul", "div"}
    assert written == {*UNARY_OPS, *BINARY_OPS}


@pytest.mark.parametrize("function", sorted(INSTEAD))
def test_what_is_proposed_instead_of_a_missing_function_can_be_written(function):
    for proposal in INSTEAD[function].split(", or "):
        written = proposal.replace("low", "0").replace("high", "1")
        assert read(written, ("x", "y"))[1] == []


def test_the_proposals_for_missing_functions_are_right():
    for function, exact in (
        ("tanh", math.tanh),
        ("silu", lambda v: v / (1 + math.exp(-v))),
        ("rsqrt", lambda v: 1 / math.sqrt(v)),
        ("softplus", lambda v: math.log1p(math.exp(v))),
        ("log2", math.log2),
        ("exp2", math.exp2),
        ("gelu", lambda v: v * 0.5 * (1 + math.tanh(0.7978845608 * (v + 0.044715 * v**3)))),
    ):
        for value in (0.25, 1.0, 3.0):
            written = INSTEAD[function].replace("x", f"({value})").replace(f"e({value})p", "exp")
            result = parse(written, ())
            assert isinstance(result, Const)
            assert result.value == pytest.approx(exact(value), rel=1e-9)


@pytest.mark.parametrize(
    ("written", "code", "start", "end"),
    [
        ("x + foo", "E121", 4, 7),
        ("x + foo(y)", "E122", 4, 7),
        ("exp(x, y)", "E123", 0, 3),
        ("x + exp", "E123", 4, 7),
        ("x + ", "E120", 3, 4),
        ("", "E120", 0, 1),
        ("x ** y", "E120", 2, 4),
        ("x // y", "E120", 2, 4),
        ("x if y else z", "E120", 2, 4),
        ("x[0]", "E120", 1, 2),
        ("x, y", "E120", 1, 2),
        ("()", "E120", 1, 2),
        ("x + 1 / 0", "E125", 4, 9),
        ("x + log(-1)", "E125", 4, 11),
        ("x * 1e400", "E125", 4, 9),
        ("x + exp(1000)", "E125", 4, 13),
        ("1_000 * x", "E120", 1, 5),
        ("x + \u00e9", "E121", 4, 5),
        ("x + \u20ac", "E120", 4, 5),
    ],
)
def test_where_a_mistake_is(written, code, start, end):
    flaw = read(written, NAMES)[1][0]
    assert (flaw.code, flaw.start, flaw.end) == (code, start, end)


def test_all_mistakes_are_told_at_once():
    with pytest.raises(ExpressionError) as caught:
        parse("foo(a) + bar + exp(1, 2) + max(x)", NAMES)
    assert [f.code for f in caught.value.flaws] == ["E122", "E121", "E121", "E123", "E123"]


def test_folding_leaves_no_operation_on_constants():
    tree = Binary("mul", Binary("add", Const(1), Const(2)), Unary("neg", Unary("exp", Const(0))))
    assert fold(tree) == Const(-3.0)
    with pytest.raises(ArithmeticError):
        fold(Binary("div", Const(1), Const(0)))


numbers = st.floats(min_value=0, max_value=1e30, allow_subnormal=False).map(Const)
leaves = st.sampled_from([X, Y, Z]) | numbers


def operations(operands: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.builds(Unary, st.sampled_from(UNARY_OPS), operands) | st.builds(
        Binary, st.sampled_from(BINARY_OPS), operands, operands
    )


@given(st.recursive(leaves, operations, max_leaves=12))
def test_an_expression_reads_back_as_itself(tree):
    try:
        folded = fold(tree)
    except (ArithmeticError, ValueError):
        return
    assert parse(text(folded), NAMES) == folded


@given(st.text(alphabet="xyz01.e+-*/(), maxbsigod$\n", max_size=40))
def test_any_text_is_read_or_refused_with_places_inside_it(written):
    tree, flaws = read(written, NAMES)
    assert flaws or tree is not None
    for flaw in flaws:
        assert 0 <= flaw.start < flaw.end <= len(written) + 1
