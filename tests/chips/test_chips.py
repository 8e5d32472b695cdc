"""The chips: figures that must fit each other."""

from __future__ import annotations

import pickle

import pytest

from gen.chips import ASCEND910B, ASCEND950, CHIPS, UbUse, get


@pytest.mark.parametrize("chip", CHIPS.values(), ids=lambda c: c.name)
def test_what_is_usable_is_there_and_aligned(chip):
    for _, size in chip.ub_usable:
        assert 0 < size <= chip.ub
        assert size % chip.ub_align == 0
    assert chip.l1_usable <= chip.l1
    assert chip.aiv == 2 * chip.aic


def test_a_cube_tile_of_fractals_fills_the_l0_memories():
    for chip in CHIPS.values():
        assert chip.l0a % chip.fractal_bytes == 0
        assert chip.l0c % chip.mmad_dst_align == 0


def test_usable_ub_of_the_trees():
    assert ASCEND910B.usable_ub(UbUse.A_TREE) == 196352
    assert ASCEND910B.usable_ub(UbUse.A_TREE_SELECT) == 188416
    assert ASCEND950.usable_ub(UbUse.M_TREE) == 253952
    assert ASCEND950.usable_ub(UbUse.M_TREE_SIMT) == 221184
    with pytest.raises(KeyError):
        ASCEND950.usable_ub(UbUse.A_TREE)


def test_an_unknown_chip_is_told_the_known_ones():
    with pytest.raises(KeyError, match="ascend910b, ascend950"):
        get("ascend910c")


@pytest.mark.parametrize("chip", CHIPS.values(), ids=lambda c: c.name)
def test_a_chip_travels_between_processes(chip):
    assert pickle.loads(pickle.dumps(chip)) == chip
    assert hash(chip) == hash(pickle.loads(pickle.dumps(chip)))
