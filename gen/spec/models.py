"""What a user can ask for: the three kinds of spec.

The classes are frozen and hashable. A spec that came out of a file remembers where each of its
fields was written (:meth:`SpecBase.locate`), so that whoever finds a mistake later on, for instance
a tile that does not fit the chip, can point at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import prod
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    StrictBool,
    ValidationInfo,
    field_validator,
    model_validator,
)

from gen.errors import Diagnostic
from gen.spec import rules
from gen.spec.dtype import DType
from gen.spec.expr import Expr
from gen.spec.parse import parse
from gen.spec.sourcemap import Path, Place, SourceMap
from gen.spec.tensors import Name, Tensor, Tensors

Extent = Annotated[int, Field(strict=True, ge=1, le=2**31 - 1)]
Stages = Annotated[int, Field(strict=True, ge=1, le=4)]
Seed = Annotated[int, Field(strict=True, ge=0, le=2**32 - 1)]

#: The only accumulator of the Cube for floating point, and the only compute type of the norms.
Float32 = Literal[DType.FLOAT32]


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class ChipChoice(_Frozen):
    """Which chip a source is written for, where there is a choice.

    The A tree always targets ascend910b and the M tree always ascend950.
    """

    ascendc: Literal["ascend910b", "ascend950"] = "ascend910b"
    """Chip of the Ascend C source."""


class ATreeOptions(_Frozen):
    """What the A tree's compiler does, in a form of its own (`a_tree_auto`) beside the one with explicit flags."""

    auto_sync: StrictBool = False
    """Whether to render that form: no flag is written, the compiler inserts them (`tl.ascend_auto_sync`)."""
    memory_planning: StrictBool = False
    """Whether its compiler also lays out the buffers by their lifetimes (`tl.ascend_memory_planning`)."""


class SpecBase(_Frozen):
    """What all kinds have in common."""

    name: Name
    """Name of the operator: kernel function, folder under out/."""
    stages: Stages | None = None
    """Tiles in flight: 1 (load, compute and store in turn) to 4. Default: chosen by the plan."""
    chip: ChipChoice = Field(default_factory=ChipChoice)
    """Target chip per tree, where a tree has a choice."""
    sync: Literal["auto", "manual"] = "auto"
    """Who synchronises the M tree: its compiler, or, in a second form (`m_tree_manual`) beside that, flags by hand."""
    a_tree: ATreeOptions = Field(default_factory=ATreeOptions)
    """What the A tree's compiler does in a second form of that tree."""
    seed: Seed = 0
    """Seed of the random inputs that checks use."""

    _source: SourceMap = PrivateAttr(default_factory=SourceMap)

    @field_validator("*", mode="after")
    @classmethod
    def _note_valid(cls, value: Any, info: ValidationInfo) -> Any:
        # mode="after" validators of a model do not run while one of its fields fails. The loader
        # passes a context in which the valid fields collect, so that the rules between fields can
        # be judged all the same.
        if isinstance(info.context, dict) and info.field_name:
            info.context[info.field_name] = value
        return value

    @model_validator(mode="after")
    def _obey_rules(self, info: ValidationInfo) -> Self:
        if not isinstance(info.context, dict):
            problems = rules.check(
                {name: getattr(self, name) for name in type(self).model_fields},
                self._tensor_names(),
            )
            if problems:
                raise ValueError("; ".join(f"{p.code}: {p.message}" for p in problems))
        return self

    def _tensor_names(self) -> rules.TensorNames:
        return rules.TensorNames()

    @property
    def source_path(self) -> str:
        """The file that the spec was loaded from, as it was named; empty without a file."""
        return self._source.path

    def locate(self, path: Path) -> Place | None:
        """Where the value at the path, or the nearest enclosing one, was written; None without a file."""
        return self._source.value(path)

    def diagnostic(self, code: str, message: str, path: Path = (), help: str = "") -> Diagnostic:
        """A mistake in this spec, placed at the value of ``path``."""
        place = self._source.value(path) if path else None
        if place is None:
            return Diagnostic(code, message, self._source.path, help=help)
        line = self._source.text(place.line)
        return Diagnostic(
            code,
            message,
            self._source.path,
            place.line,
            place.column,
            place.length,
            line,
            help,
        )


class ElementwiseSpec(SpecBase):
    """One output element from the input elements at the same place."""

    kind: Literal["elementwise"] = "elementwise"
    """One of elementwise, gemm, norm."""
    shape: Annotated[tuple[Extent, ...], Field(min_length=1)]
    """Extents, outermost first; any rank. The plan works on the flattened tensor."""
    inputs: Tensors
    """Name and number format of each input."""
    output: Tensor
    """Name and number format of the output."""
    compute: Literal[DType.FLOAT16, DType.FLOAT32] = DType.FLOAT32
    """Number format of the computation: inputs are converted to it, the result is rounded once."""
    body: Annotated[str, Field(strict=True, min_length=1)]
    """The expression, e.g. `x * sigmoid(x) * gate`."""
    tile: Extent | None = None
    """Elements that a core handles at a time. Default: chosen by the plan."""

    @cached_property
    def expr(self) -> Expr:
        """The body as a tree, with the operations on constants alone carried out."""
        return parse(self.body, self.inputs.names)

    def _tensor_names(self) -> rules.TensorNames:
        return rules.TensorNames(self.inputs.names, (self.output.name,))

    @property
    def elements(self) -> int:
        """Number of elements of every tensor."""
        return prod(self.shape)


class GemmTile(_Frozen):
    """Extents of one tile of C and of one step along K, in elements."""

    m: Extent
    """Rows of C."""
    n: Extent
    """Columns of C."""
    k: Extent
    """Step along K."""


class GemmSpec(SpecBase):
    """C[m, n] = A[m, k] · B[k, n], or · B[n, k]ᵀ with `transpose_b`."""

    kind: Literal["gemm"] = "gemm"
    """One of elementwise, gemm, norm."""
    m: Extent
    """Rows of A and C."""
    n: Extent
    """Columns of C."""
    k: Extent
    """Columns of A."""
    a: DType
    """Number format of A."""
    b: DType
    """Number format of B; the one of A."""
    c: DType
    """Number format of C; the float32 sum is rounded to it once."""
    transpose_b: StrictBool = False
    """Whether B is stored [n, k] instead of [k, n]."""
    accumulate: Float32 = DType.FLOAT32
    """Number format of the sum over K."""
    tile: GemmTile | None = None
    """Tile extents. Default: chosen by the plan."""


class NormTile(_Frozen):
    """What a core handles at a time."""

    rows: Extent
    """Whole rows."""


class NormSpec(SpecBase):
    """y = x / sqrt(mean(x²) + eps) · weight, row by row."""

    kind: Literal["norm"] = "norm"
    """One of elementwise, gemm, norm."""
    norm: Literal["rms"]
    """Which norm."""
    rows: Extent
    """Number of rows."""
    cols: Extent
    """Elements of a row, over which the mean is taken."""
    dtype: DType
    """Number format of x, y and weight; the computation is in float32."""
    weight: StrictBool = False
    """Whether there is a weight [cols]."""
    eps: Annotated[float, Field(strict=True, gt=0, le=1, allow_inf_nan=False)] = 1e-6
    """Added to the mean of squares."""
    tile: NormTile | None = None
    """Tile extents. Default: chosen by the plan."""


Spec: TypeAlias = ElementwiseSpec | GemmSpec | NormSpec

KINDS: Mapping[str, type[SpecBase]] = {
    "elementwise": ElementwiseSpec,
    "gemm": GemmSpec,
    "norm": NormSpec,
}

#: The keys of a file of each kind.
KEYS: Mapping[str, tuple[str, ...]] = {
    kind: ("kind", *(name for name in model.model_fields if name != "kind"))
    for kind, model in KINDS.items()
}
