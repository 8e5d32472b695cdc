"""Values of a tensor from a file: `.npy` as NumPy writes it, or the bytes of any other."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from gen.check.foreign.tensors import DTYPES, TensorSpec
from gen.check.formats import Array
from gen.errors import Diagnostic, GenError, hints

_MAGIC, _ZIP = b"\x93NUMPY", b"PK"
_SAVE = "write it with numpy.save(file, array), the array of a type such as numpy.float32"


def read(spec: TensorSpec, file: Path) -> Array:
    """The tensor's values. Raises GenError (E142)."""
    if file.suffix != ".npy":
        found = _bytes(spec.name, file)
        if found.nbytes != spec.bytes:
            message = f"the file has {found.nbytes} bytes, {spec.name} needs {spec.bytes}"
            raise _unfit(file, message, _as_text(spec))
        return found.view(spec.dtype).reshape(spec.shape)
    found = _load(spec.name, file)
    if found.dtype != spec.dtype and not _is_raw(found.dtype, spec.dtype):
        message = f"the file holds {found.dtype}, {spec.name} is {spec.dtype}"
        raise _unfit(file, message, _as_text(spec))
    if found.size != prod(spec.shape):
        message = f"the file has the shape {list(found.shape)}, {spec.name} is {list(spec.shape)}"
        raise _unfit(file, message, _as_text(spec))
    return np.ascontiguousarray(found).view(spec.dtype).reshape(spec.shape)


def file_tensor(name: str, file: Path) -> TensorSpec | None:
    """What a `.npy` file says that the tensor is; None for other files. Raises GenError (E142)."""
    if file.suffix != ".npy":
        return None
    found = _load(name, file, mapped=True)
    return TensorSpec(name, found.dtype, tuple(found.shape), "in")


def _bytes(name: str, file: Path) -> Array:
    try:
        return np.fromfile(file, np.uint8)
    except OSError as error:
        raise _unreadable(name, file, error.strerror or str(error)) from None


def _load(name: str, file: Path, *, mapped: bool = False) -> Array:
    """The array of a `.npy` file, of a number format that tensors can have."""
    try:
        with file.open("rb") as stream:
            begin = stream.read(len(_MAGIC))
    except OSError as error:
        raise _unreadable(name, file, error.strerror or str(error)) from None
    if begin != _MAGIC:
        what = "an archive of arrays (.npz)" if begin.startswith(_ZIP) else "no .npy file"
        raise _unreadable(name, file, f"it is {what}")
    try:
        found: Array = np.load(file, allow_pickle=False, mmap_mode="r" if mapped else None)
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        if "bject" in str(error):
            raise _unreadable(name, file, "it holds Python objects, not numbers") from None
        raise _unreadable(name, file, "it is damaged or cut off") from None
    if found.dtype not in DTYPES.values() and (found.dtype.kind, found.dtype.names) != ("V", None):
        raise _unreadable(name, file, f"no tensor is of its type {found.dtype}")
    return found


def _unreadable(name: str, file: Path, reason: str) -> GenError:
    help = _SAVE if file.suffix == ".npy" else ""
    return _unfit(file, f"cannot read the input {name}: {reason}", help)


def _is_raw(found: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Whether NumPy stored a format that it does not know, such as bfloat16, as bytes of its size."""
    return found.kind == "V" and wanted.isbuiltin != 1 and found.itemsize == wanted.itemsize


def _as_text(spec: TensorSpec) -> str:
    shape = ",".join(map(str, spec.shape))
    return f"{spec.name} is {spec.dtype}[{shape}]"


def _unfit(file: Path, message: str, help: str = "") -> GenError:
    return GenError([Diagnostic("E142", message, str(file), help=hints(help))])
