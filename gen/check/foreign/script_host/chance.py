"""Random numbers of a script, the same each time: unless it seeds its generators itself, they begin with `--seed`."""

from __future__ import annotations

import importlib
import random
from typing import Any

import numpy as np


def seed(number: int, *, with_torch: bool = True) -> None:
    """Sets the generators of NumPy, Python and torch; one of NumPy that is made without a seed later gets this one."""
    random.seed(number)
    np.random.seed(number % 2**32)
    if with_torch:
        importlib.import_module("torch").manual_seed(number)
    made = np.random.default_rng

    def default_rng(seed: Any = None) -> Any:
        return made(number if seed is None else seed)

    np.random.default_rng = default_rng
