"""Copies over several dimensions: strides on both sides, paddings of two kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ops.ops_model import Array, Chip, Model, NdDma, Pipe, Space, assert_same


@pytest.fixture
def a5(model: Model) -> Model:
    model.reset(Chip.A5)
    return model


def request(elem: int, loops: list[tuple[int, int, int, int, int]], **fields: Any) -> NdDma:
    """`loops`: (source stride, destination stride, size, left, right), the innermost first."""
    columns = list(zip(*loops, strict=True))
    p = NdDma(loops=len(loops), elem=elem, **fields)
    for name, values in zip(
        ("src_stride", "dst_stride", "size", "left", "right"), columns, strict=True
    ):
        for i, value in enumerate(values):
            getattr(p, name)[i] = value
    return p


def expected(source: Array, p: NdDma, before: Array) -> Array:
    """What lies in the destination afterwards: every position by the loops, one by one."""
    out = before.copy()
    extents = [p.left[d] + p.size[d] + p.right[d] for d in range(p.loops)]
    for place in np.ndindex(*extents):
        inner = [i - p.left[d] for d, i in enumerate(place)]
        inside = all(0 <= i < p.size[d] for d, i in enumerate(inner))
        clamped = [min(max(i, 0), p.size[d] - 1) for d, i in enumerate(inner)]
        at = sum(i * p.dst_stride[d] for d, i in enumerate(place))
        of = sum(i * p.src_stride[d] for d, i in enumerate(clamped))
        value = source[of] if inside or p.nearest else np.array(p.value).astype(source.dtype)
        out[at] = value
    return out


CASES: dict[str, list[tuple[int, int, int, int, int]]] = {
    "one": [(1, 1, 40, 0, 0)],
    "padded": [(1, 1, 8, 15, 17), (8, 64, 6, 2, 3)],
    "transposed": [(1, 16, 32, 0, 0), (32, 1, 16, 0, 0)],
    "broadcast": [(1, 1, 16, 0, 0), (0, 16, 3, 0, 0)],
    "slice": [(1, 1, 16, 0, 0), (64, 16, 16, 0, 0)],
    "three": [(1, 1, 5, 1, 2), (5, 16, 3, 1, 0), (15, 96, 4, 0, 1)],
    "five": [
        (1, 1, 3, 0, 1),
        (3, 8, 2, 1, 0),
        (6, 32, 2, 0, 0),
        (12, 80, 2, 1, 1),
        (24, 400, 2, 0, 1),
    ],
    "holes": [(2, 3, 4, 1, 0), (16, 32, 3, 0, 2), (64, 160, 2, 0, 0)],
}


@pytest.mark.parametrize("nearest", [False, True])
@pytest.mark.parametrize("elem", [1, 2, 4])
@pytest.mark.parametrize("case", CASES)
def test_every_element_is_where_the_loops_put_it(
    a5: Model, case: str, elem: int, nearest: bool
) -> None:
    dtype = {1: np.uint8, 2: np.uint16, 4: np.uint32}[elem]
    source = np.arange(1, 1201).astype(dtype)
    a5.put(Space.GM, 0, source)
    p = request(elem, CASES[case], nearest=nearest, value=201)
    before = a5.get(Space.UB, 0, 1400, dtype)
    parts = a5.run("nd_dma", a5.at(Space.UB), a5.at(Space.GM), p)
    assert_same(a5.get(Space.UB, 0, 1400, dtype), expected(source, p, before))
    assert {i.pipe for i in parts} == {Pipe.MTE2}
    assert [i.continues for i in parts] == [False] + [True] * (len(parts) - 1)
    written = sum(r.rows * r.row_bytes for i in parts for r in i.of(write=True))
    assert written == elem * np.prod([p.left[d] + p.size[d] + p.right[d] for d in range(p.loops)])


def test_what_is_simple_is_one_instruction(a5: Model) -> None:
    for case in ("padded", "transposed", "broadcast", "slice"):
        assert len(a5.run("nd_dma", a5.at(Space.UB), a5.at(Space.GM), request(2, CASES[case]))) == 1


def test_padding_is_not_read(a5: Model) -> None:
    (i,) = a5.run("nd_dma", a5.at(Space.UB), a5.at(Space.GM), request(2, CASES["padded"]))
    (read,) = i.of(write=False)
    assert (read.base - a5.at(Space.GM).addr, read.rows * read.row_bytes) == (0, 8 * 6 * 2)


def test_an_empty_loop_is_no_instruction(a5: Model) -> None:
    p = request(2, [(1, 1, 0, 4, 4)])
    assert a5.run("nd_dma", a5.at(Space.UB), a5.at(Space.GM), p) == []


def test_it_is_of_the_later_chip(a2: Model) -> None:
    p = request(2, CASES["one"])
    assert a2.run("nd_dma", a2.at(Space.UB), a2.at(Space.GM), p) == []
    assert "NDDMA" in a2.findings()
