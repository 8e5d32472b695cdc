"""Named tensors: how ``inputs: {x: float16}`` and ``output: {y: float16}`` are held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, cast

from pydantic import GetCoreSchemaHandler, StringConstraints
from pydantic_core import CoreSchema, core_schema

from gen.spec.dtype import DType
from gen.spec.names import MAX_NAME, NAME_PATTERN

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=MAX_NAME, strict=True)]


def _mapping(value: object) -> object:
    """What pydantic is to check as a mapping name -> dtype, whichever way a caller wrote it."""
    if isinstance(value, Tensor):
        return {value.name: value.dtype}
    if isinstance(value, Tensors):
        return {t.name: t.dtype for t in value}
    return value


def _schema(handler: GetCoreSchemaHandler, build: Any, most: int | None) -> CoreSchema:
    mapping = handler.generate_schema(dict[Name, DType])
    limits = cast(dict[str, Any], mapping)
    limits["min_length"] = 1
    if most is not None:
        limits["max_length"] = most
    return core_schema.no_info_before_validator_function(
        _mapping,
        core_schema.no_info_after_validator_function(build, mapping),
        serialization=core_schema.plain_serializer_function_ser_schema(_mapping),
    )


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor in GM: its name in the sources and its number format."""

    name: str
    dtype: DType

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        def build(mapping: Mapping[str, DType]) -> Tensor:
            ((name, dtype),) = mapping.items()
            return cls(name, dtype)

        return _schema(handler, build, most=1)


class Tensors(tuple[Tensor, ...]):
    """Tensors in the order of the spec."""

    __slots__ = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(t.name for t in self)

    def dtype(self, name: str) -> DType:
        """The number format of the tensor of that name; KeyError when there is none."""
        for tensor in self:
            if tensor.name == name:
                return tensor.dtype
        raise KeyError(name)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        def build(mapping: Mapping[str, DType]) -> Tensors:
            return cls(Tensor(name, dtype) for name, dtype in mapping.items())

        return _schema(handler, build, most=None)
