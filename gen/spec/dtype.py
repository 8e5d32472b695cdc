"""The number formats that a spec may name."""

from __future__ import annotations

from enum import StrEnum


class DType(StrEnum):
    """A number format of tensors in GM."""

    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"

    @property
    def bytes(self) -> int:
        """Bytes of one element."""
        return 4 if self is DType.FLOAT32 else 2

    @property
    def numpy(self) -> str:
        """Name of the NumPy dtype (``bfloat16`` is the one of ``ml_dtypes``)."""
        return self.value
