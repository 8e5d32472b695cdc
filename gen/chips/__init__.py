"""The two chips that the trees are written for, and what fits into each of their memories."""

from gen.chips.table import ASCEND910B, ASCEND950, CHIPS, Chip, UbUse, get

__all__ = ["ASCEND910B", "ASCEND950", "CHIPS", "Chip", "UbUse", "get"]
