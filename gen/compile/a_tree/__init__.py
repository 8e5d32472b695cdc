"""The A tree: Python kernels of tilelang-ascend, lowered by its own compiler."""
