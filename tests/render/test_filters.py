"""Names and numbers of a spec arrive in C++ as what they are."""

from __future__ import annotations

import re
import struct

from hypothesis import given
from hypothesis import strategies as st

from gen.render.filters import camel, cpp_float, pascal

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)


@given(NAMES, NAMES)
def test_different_names_stay_different(a: str, b: str):
    if a != b:
        assert camel(a) != camel(b)
        assert pascal(a) != pascal(b)


def test_names_read_as_in_the_samples():
    assert camel("my_input") == "myInput"
    assert pascal("silu_mul") == "SiluMul"


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float32_survives_its_literal(value: float):
    text = cpp_float(value)
    assert re.fullmatch(r"-?\d+(\.\d+)?(e[+-]\d+)?f", text)
    assert struct.pack("f", float(text[:-1])) == struct.pack("f", value)


@given(st.floats(min_value=-3e38, max_value=3e38))
def test_a_double_is_rounded_to_float32_once(value: float):
    rounded = struct.pack("f", value)
    assert struct.pack("f", float(cpp_float(value)[:-1])) == rounded


def test_literals_are_short():
    assert cpp_float(0.1) == "0.1f"
    assert cpp_float(1e-6) == "1e-06f"
