"""Spellings that templates need: names and numbers of the spec as C++ writes them."""

from __future__ import annotations

import re
import struct

from jinja2 import Environment


def camel(name: str) -> str:
    """`my_input` → `myInput`. Different names stay different: only `_` before a letter is dropped."""
    return re.sub(r"_([a-z])", lambda match: match.group(1).upper(), name)


def pascal(name: str) -> str:
    """`my_input` → `MyInput`."""
    return camel("_" + name)


def cpp_float(value: float) -> str:
    """The shortest literal of type float that reads back as `value` rounded to float32.

    Raises OverflowError where float32 cannot hold the value.
    """
    rounded = _single(value)
    digits = next(d for d in range(1, 18) if _single(float(f"{rounded:.{d}g}")) == rounded)
    return f"{float(f'{rounded:.{digits}g}')!r}f"


def python_float(value: float) -> str:
    """The literal of `value` as black leaves it: no plus sign in the exponent."""
    return repr(value).replace("e+", "e")


def spell(value: object) -> object:
    """What an expression of a template becomes in the text."""
    return python_float(value) if isinstance(value, float) else value


def install(environment: Environment) -> None:
    """Makes the functions above filters of `environment`."""
    environment.filters.update(
        camel=camel, pascal=pascal, cpp_float=cpp_float, python_float=python_float
    )


def _single(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])
