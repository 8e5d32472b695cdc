"""Text -> Spec: what the user wants, with every mistake reported at its line."""

from gen.spec.dtype import DType
from gen.spec.load import load, load_all, loads
from gen.spec.models import (
    ATreeOptions,
    ElementwiseSpec,
    GemmSpec,
    GemmTile,
    NormSpec,
    NormTile,
    Spec,
)
from gen.spec.tensors import Tensor, Tensors

__all__ = [
    "ATreeOptions",
    "DType",
    "ElementwiseSpec",
    "GemmSpec",
    "GemmTile",
    "NormSpec",
    "NormTile",
    "Spec",
    "Tensor",
    "Tensors",
    "load",
    "load_all",
    "loads",
]
