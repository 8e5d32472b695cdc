"""The tensors that a script gives a kernel, held against those that the kernel is declared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

import numpy as np

from gen.check.foreign.tensors import DTYPES
from gen.check.formats import Array
from gen.compile.a_tree import Tensor
from gen.compile.a_tree.extents import extent_of


def misfit(declared: Iterable[Tensor], values: Mapping[str, Array]) -> str:
    """What is wrong with the tensors `values`, by name, as what follows the kernel's name; empty where they fit.

    As in the compilers' own launchers a tensor may come flattened, or in another shape of as many elements, and
    integers of one size stand for each other. Launchers hold no tensor against an extent that is computed (`N // 2`):
    it may be larger.
    """
    given = [(t, values[t.name]) for t in declared if t.name in values]
    extents: dict[str, int] = {}
    for tensor, array in given:
        if not _same_type(tensor.dtype, array.dtype):
            return _words(tensor, array)
        if len(tensor.shape) == array.ndim and _in_a_byte(tensor) == 1:
            for extent, size in zip(tensor.shape, array.shape, strict=True):
                if isinstance(extent, str) and extent.isidentifier():
                    extents.setdefault(extent, size)
    for tensor, array in given:
        shape = tuple(extent_of(n, extents) for n in tensor.shape)
        if None in shape:
            if len(shape) != array.ndim:
                return _words(tensor, array)
            continue
        size = prod(n for n in shape if n is not None) // _in_a_byte(tensor)
        if size != array.size and not (size < array.size and _computed(tensor)):
            found = [f"{n} is {extents[n]}" for n in tensor.shape if n in extents]
            return _words(tensor, array) + (f", and {', '.join(map(str, found))}" if found else "")
    return ""


def _in_a_byte(tensor: Tensor) -> int:
    """Elements that share one: those of 4 bits come in bytes of two."""
    return 2 if tensor.dtype.startswith("float4") else 1


def _computed(tensor: Tensor) -> bool:
    return any(isinstance(n, str) and not n.isidentifier() for n in tensor.shape)


def _same_type(name: str, given: np.dtype[Any]) -> bool:
    wanted = DTYPES.get(name)
    if wanted is None or wanted == given:
        return True  # what has no values here is told of by whoever makes the tensors
    whole = all(dtype.kind in "iub" for dtype in (wanted, given))
    return whole and wanted.itemsize == given.itemsize


def _words(tensor: Tensor, array: Array) -> str:
    declared = f"{DTYPES.get(tensor.dtype, tensor.dtype)}[{', '.join(map(str, tensor.shape))}]"
    given = f"{array.dtype}[{', '.join(map(str, array.shape))}]"
    return f"takes {tensor.name} as {declared}, and is given {given}"
