"""What `--input` takes, and one clear sentence for everything else."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gen.check.foreign import RunOptions
from gen.check.foreign.inputs import described
from gen.check.foreign.tensor_files import read
from gen.check.foreign.tensors import SpecError, TensorSpec, make, parse_tensor
from gen.errors import Diagnostic, GenError

X = TensorSpec("x", np.dtype(np.float32), (4,))


def mistake(file: Path) -> Diagnostic:
    """The same one sentence, whether the kernel says what the tensor is or not."""
    with pytest.raises(GenError) as caught:
        read(X, file)
    with pytest.raises(GenError) as again:
        described(file, RunOptions(inputs={"x": str(file)}))
    (one,), (other,) = caught.value.diagnostics, again.value.diagnostics
    assert one == other
    return one


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is no .npy file"),
        (b"hello, world", "it is no .npy file"),
        (b"\x93NUMPY", "it is damaged or cut off"),
        (b"\x93NUMPY\x01\x00garbage", "it is damaged or cut off"),
        (b"\x93NUMPY\x01\x00\x06\x00{'x'}\n", "it is damaged or cut off"),
    ],
)
def test_junk(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "x.npy"
    file.write_bytes(content)
    found = mistake(file)
    assert (found.code, found.message) == ("E142", f"cannot read the input x: {reason}")
    assert "numpy.save" in found.help


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.array([{}, 1], dtype=object), "it holds Python objects, not numbers"),
        (np.array(["a", "b"]), "no tensor is of its type <U1"),
        (np.zeros(4, np.complex64), "no tensor is of its type complex64"),
        (np.zeros(4, ">f4"), "no tensor is of its type >f4"),
        (np.zeros(4, [("a", "i4")]), "no tensor is of its type [('a', '<i4')]"),
    ],
)
def test_arrays_that_are_no_tensors(tmp_path: Path, array: Any, reason: str) -> None:
    file = tmp_path / "x.npy"
    np.save(file, array, allow_pickle=True)
    assert mistake(file).message == f"cannot read the input x: {reason}"


def test_an_archive(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", a=np.zeros(4))
    shutil.move(tmp_path / "x.npz", tmp_path / "x.npy")
    assert "an archive of arrays (.npz)" in mistake(tmp_path / "x.npy").message


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("int8[8]{0..300}", "int8 does not hold {0..300}", "its numbers are {-128..127}"),
        ("uint8[8]{-1..3}", "uint8 does not hold {-1..3}", "its numbers are {0..255}"),
        ("int32[8]{0.5..2}", "int32 holds whole numbers only", ""),
        ("float32[8]{3..1}", "{3..1} is empty", "write {1..3}"),
    ],
)
def test_ranges_that_a_format_does_not_hold(text: str, message: str, help: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_tensor("x", text)
    assert (str(caught.value), caught.value.help) == (message, help)


@pytest.mark.parametrize("text", ["int8[4096]{-128..127}", "uint8[4096]{0..255}"])
def test_a_range_has_both_its_ends(text: str) -> None:
    spec = parse_tensor("x", text)
    limits = np.iinfo(spec.dtype)
    values = make(spec, 0)
    assert (values.min(), values.max()) == (limits.min, limits.max)
