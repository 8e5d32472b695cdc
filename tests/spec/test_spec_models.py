"""Specs: what a file says, and what it may leave out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

import gen
from gen.chips import CHIPS
from gen.spec import DType, ElementwiseSpec, GemmSpec, NormSpec, Tensor, load, load_all, loads
from gen.spec.models import KEYS, KINDS
from gen.spec.names import RESERVED, closest_name, is_name

SPECS = sorted(Path("specs").glob("*.yaml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_shipped_specs_are_right(path):
    spec = load(path)
    assert spec.name == path.stem
    assert gen.load(path) == spec


def test_shipped_specs_cover_every_kind():
    assert {spec.kind for spec in load_all(SPECS)} == set(KINDS)


def test_a_whole_elementwise_spec():
    spec = loads("""
        kind: elementwise
        name: silu_mul
        shape: [3, 5, 7]
        inputs: {x: float16, gate: bfloat16}
        output: {y: float32}
        compute: float32
        body: x * sigmoid(x) * gate
        tile: 4096
        stages: 1
        chip: {ascendc: ascend950}
        seed: 7
        """)
    assert isinstance(spec, ElementwiseSpec)
    assert spec.shape == (3, 5, 7)
    assert spec.elements == 105
    assert spec.inputs == (Tensor("x", DType.FLOAT16), Tensor("gate", DType.BFLOAT16))
    assert spec.inputs.dtype("gate") is DType.BFLOAT16
    assert spec.output == Tensor("y", DType.FLOAT32)
    assert (spec.tile, spec.stages, spec.seed) == (4096, 1, 7)
    assert spec.chip.ascendc in CHIPS


def test_what_an_elementwise_spec_may_leave_out():
    spec = load("specs/add.yaml")
    assert isinstance(spec, ElementwiseSpec)
    assert spec.compute is DType.FLOAT32
    assert (spec.tile, spec.stages, spec.seed) == (None, None, 0)
    assert spec.chip.ascendc == "ascend910b"


def test_a_gemm_spec():
    spec = loads(Path("specs/gemm.yaml").read_text() + "tile: {m: 128, n: 256, k: 64}\n")
    assert isinstance(spec, GemmSpec)
    assert (spec.m, spec.n, spec.k) == (1024, 1024, 1024)
    assert (spec.a, spec.b, spec.c, spec.accumulate) == (
        DType.FLOAT16,
        DType.FLOAT16,
        DType.FLOAT16,
        DType.FLOAT32,
    )
    assert spec.transpose_b is False
    assert spec.tile is not None
    assert (spec.tile.m, spec.tile.n, spec.tile.k) == (128, 256, 64)


def test_a_norm_spec():
    spec = load("specs/rmsnorm.yaml")
    assert isinstance(spec, NormSpec)
    assert (spec.norm, spec.rows, spec.cols, spec.weight) == ("rms", 4096, 1024, True)
    assert spec.eps == 1e-6


@pytest.mark.parametrize("ab", list(DType))
@pytest.mark.parametrize("c", list(DType))
def test_which_formats_a_product_is_written_in(ab, c):
    fields = {"name": "g", "m": 1, "n": 1, "k": 1, "a": ab, "b": ab, "c": c}
    if ab is DType.FLOAT32 and c is not DType.FLOAT32:
        with pytest.raises(ValidationError, match="E130"):
            GemmSpec(**fields)
    else:
        GemmSpec(**fields)


def test_rules_hold_for_specs_made_in_python():
    with pytest.raises(ValidationError, match=r"E124.*`b` is not used"):
        ElementwiseSpec(
            name="it", shape=[4], inputs={"a": "float16", "b": "float16"}, output={"y": "float16"},
            body="a + a",
        )  # fmt: skip


def test_specs_do_not_change():
    spec = load("specs/gemm.yaml")
    with pytest.raises(ValidationError):
        spec.m = 2  # type: ignore[misc]


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_a_spec_survives_json(path):
    spec = load(path)
    assert type(spec).model_validate_json(spec.model_dump_json()) == spec


def test_formats_know_their_size():
    assert {d: d.bytes for d in DType} == {"float16": 2, "bfloat16": 2, "float32": 4}


def test_keys_begin_with_the_kind():
    assert all(keys[:2] == ("kind", "name") for keys in KEYS.values())


@pytest.mark.parametrize("word", ["class", "lambda", "half", "int", "match", "template"])
def test_words_of_python_and_of_cpp_are_no_names(word):
    assert word in RESERVED


@pytest.mark.parametrize(
    ("text", "name"), [("Silu-Mul", "silu_mul"), ("3D conv", "n3d_conv"), ("_", ""), ("for", "")]
)
def test_a_name_close_to_a_text(text, name):
    assert closest_name(text) == name
    assert not name or is_name(name)
