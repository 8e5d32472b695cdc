"""Modelled durations against published measurements."""

from __future__ import annotations

import pytest

from tests.ops.ops_model import ABSENT, DType, Model, Space, VecOp, VecShape

# asc-devkit, bank_conflict_ub/README.md: 1000 Adds of 4096 floats, in ticks of 50 MHz at 1.85 GHz.
# src0, src1 and dst; block and repeat stride of src0; ticks.
SCENARIOS = [
    (0, 0x10100, 0x20000, 1, 8, 2390),
    (0, 0x4000, 0x10000, 1, 8, 4167),
    (0, 0x10000, 0x14100, 1, 8, 4167),
    (0, 0x10100, 0x4000, 1, 8, 2389),
    (0, 0x10100, 0x4020, 1, 8, 3751),
    (0, 0x10100, 0x10100, 1, 8, 2390),
    (0, 0x10100, 0x10100, 0, 1, 3584),
    (0, 0x10100, 0x10100, 0, 8, 2389),
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_bank_conflicts_cost_what_was_measured(a2: Model, scenario: tuple[int, ...]) -> None:
    src0, src1, dst, blk, rep, ticks = scenario
    where = (a2.at(Space.UB, dst), a2.at(Space.UB, src0), a2.at(Space.UB, src1))
    shape = VecShape(repeats=64, src0_blk=blk, src0_rep=rep)
    first, *_ = a2.run("vec", VecOp.add, DType.F32, *where, 0.0, shape)
    measured = ticks / 1000 * 1.85e9 / 50e6
    assert first.cycles == pytest.approx(measured, rel=0.1)


def test_a_count_has_the_conflicts_of_its_repeats(a2: Model) -> None:
    where = (a2.at(Space.UB, 0x10000), a2.at(Space.UB, 0), a2.at(Space.UB, 0x4000))
    (i,) = a2.run("vec", VecOp.add, DType.F32, *where, 0.0, VecShape(count=4096))
    assert i.cycles == 10 + 64 + 14 + 64


def test_dav_3510_follows_its_own_table(a5: Model) -> None:
    where = (a5.at(Space.UB, 0x10000), a5.at(Space.UB, 0), a5.at(Space.UB, 0x4000))
    (add,) = a5.run("vec", VecOp.add, DType.F32, *where, 0.0, VecShape(count=4096))
    (exp,) = a5.run("vec", VecOp.exp, DType.F32, *where[:2], ABSENT, 0.0, VecShape(count=4096))
    assert (add.cycles, exp.cycles) == (int(55.1 + 1.247 * 64), int(62.7 + 1.967 * 64))


def test_a_composite_costs_its_parts(a2: Model) -> None:
    """Sigmoid is a product, an exponential, a sum and a division."""
    where = (a2.at(Space.UB, 0x10000), a2.at(Space.UB, 0), ABSENT)
    (i,) = a2.run("vec", VecOp.sigmoid, DType.F32, *where, 0.0, VecShape(count=640))
    assert i.cycles == 13 + 18 + 10 * (1 + 2 + 1 + 4)
