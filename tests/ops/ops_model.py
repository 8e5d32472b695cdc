"""The instruction bodies of the model as a shared library, and their arguments as ctypes.

The structures mirror `aicore/ops.h` and `aicore/core.h`; a test compares their sizes.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import shlex
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

NATIVE = Path(__file__).parents[2] / "gen" / "sim" / "native"
HERE = Path(__file__).parent
FLAGS = ["-std=c++20", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno"]
FLAGS += ["-fno-trapping-math", "-fPIC", "-Wall", "-Wextra", "-Werror", "-Wno-maybe-uninitialized"]
FLAGS += ["-Wno-unknown-warning-option"]  # of clang, for the flag before

INCLUDES = ["-I", str(NATIVE / "include"), "-I", str(NATIVE / "src")]

BF16 = np.dtype(ml_dtypes.bfloat16)


class Chip(IntEnum):
    A2 = 0
    A5 = 1


class Space(IntEnum):
    GM, L1, L0A, L0B, L0C, UB, BT, FB, L0A_MX, L0B_MX = range(10)


class Pipe(IntEnum):
    S, V, M, MTE1, MTE2, MTE3, FIX = range(7)


class Unit(IntEnum):
    AIC, AIV0, AIV1 = range(3)
    SELF = 255


class DType(IntEnum):
    F32, F16, BF16, I64, U64, I32, U32, I16, U16, I8, U8 = range(11)
    E4M3, E5M2, HIF8, I4, E2M1, E1M2 = range(11, 17)


NUMPY = [np.dtype(np.float32), np.dtype(np.float16), BF16]
NUMPY += [np.dtype(t) for t in ("i8", "u8", "i4", "u4", "i2", "u2", "i1", "u1")]


class Round(IntEnum):
    NONE, RINT, FLOOR, CEIL, ROUND, TRUNC, ODD = range(7)


OPS = (
    "add sub mul div max min and_ or_ mul_add_dst fused_mul_add adds muls maxs mins leaky_relu axpy"
)
OPS += " shift_left shift_right exp ln abs reciprocal sqrt rsqrt relu not_ copy duplicate sigmoid"
OPS += " silu tanh sin cos erf gelu power round xor_"
VecOp = IntEnum("VecOp", OPS, start=0)  # type: ignore[misc]


class Struct(ctypes.Structure):
    """Keyword arguments with the defaults of `defaults`."""

    defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, **fields: Any) -> None:
        super().__init__(**{**self.defaults, **fields})


u8, u16, u32, u64 = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
i32, i64, flag = ctypes.c_int32, ctypes.c_int64, ctypes.c_bool


class Mem(Struct):
    _fields_ = [("space", u8), ("addr", u64), ("lo", u64), ("hi", u64), ("unit", u8)]
    defaults = {"unit": Unit.SELF}


class Burst(Struct):
    _fields_ = [
        ("rows", u32),
        ("row_bytes", u64),
        ("src_pitch", i64),
        ("dst_pitch", i64),
        ("left_pad", u32),
        ("right_pad", u32),
        ("pad_to_block", flag),
        ("fill", u8),
        ("pad_value", u64),
        ("elem", u8),
        ("atomic", u8),
        ("atomic_type", u8),
    ]
    defaults = {"rows": 1, "elem": 1}


class Nd2Nz(Struct):
    _fields_ = [
        ("matrices", u32),
        ("n", u32),
        ("d", u32),
        ("src_row_pitch", u64),
        ("src_matrix_pitch", u64),
        ("c0_stride", u32),
        ("n_stride", u32),
        ("dst_matrix_stride", u32),
        ("elem", u8),
        ("transposed", flag),
    ]
    defaults = {"matrices": 1, "n_stride": 1, "elem": 2}


class Fractals(Struct):
    _fields_ = [
        ("outer", u32),
        ("inner", u32),
        ("src_outer", i32),
        ("src_inner", i32),
        ("dst_outer", i32),
        ("dst_inner", i32),
        ("transpose", flag),
        ("src_pair", i32),
        ("dst_pair", i32),
        ("elem", u8),
    ]
    defaults = {"outer": 1, "inner": 1, "src_pair": 1, "dst_pair": 1, "elem": 2}


class NdDma(Struct):
    _fields_ = [
        ("loops", ctypes.c_int),
        ("src_stride", u64 * 5),
        ("dst_stride", u32 * 5),
        ("size", u32 * 5),
        ("left", u8 * 5),
        ("right", u8 * 5),
        ("nearest", flag),
        ("elem", u8),
        ("value", u64),
    ]
    defaults = {"loops": 1, "elem": 2}


class Im2col(Struct):
    _fields_ = [
        ("h", u32),
        ("w", u32),
        ("pad_left", u32),
        ("pad_right", u32),
        ("pad_top", u32),
        ("pad_bottom", u32),
        ("stride_h", u32),
        ("stride_w", u32),
        ("filter_h", u32),
        ("filter_w", u32),
        ("dilation_h", u32),
        ("dilation_w", u32),
        ("m_start", u32),
        ("m", u32),
        ("k_start", u32),
        ("k", u32),
        ("dst_stride", u32),
        ("transpose", flag),
        ("elem", u8),
        ("pad", u64),
    ]
    defaults = dict.fromkeys(
        ("stride_h", "stride_w", "filter_h", "filter_w", "dilation_h", "dilation_w"), 1
    ) | {"elem": 2}


class Mmad(Struct):
    _fields_ = [
        ("m", u32),
        ("k", u32),
        ("n", u32),
        ("a", u8),
        ("b", u8),
        ("c", u8),
        ("hf32", u8),
        ("init", flag),
        ("bias", flag),
        ("unit_flag", u8),
        ("align_k", flag),
        ("gemv", flag),
        ("scaled", flag),
        ("sparse", flag),
        ("bias_table", Mem),
    ]
    defaults = {"a": DType.F16, "b": DType.F16, "c": DType.F32, "init": True}


class Fixpipe(Struct):
    _fields_ = [
        ("n", u32),
        ("m", u32),
        ("src_stride", u32),
        ("dst_stride", u64),
        ("src", u8),
        ("dst", u8),
        ("quant", u8),
        ("format", u8),
        ("relu", flag),
        ("unit_flag", u8),
        ("dual", u8),
        ("sub_block", u8),
        ("atomic", u8),
        ("saturate", flag),
        ("channel_split", flag),
        ("factor", u64),
        ("factors", Mem),
        ("matrices", u32),
        ("src_matrix", u32),
        ("dst_matrix", u64),
    ]
    defaults = {"matrices": 1}


class VecShape(Struct):
    _fields_ = [
        ("count", u64),
        ("repeats", u32),
        ("mask", u64 * 2),
        ("dst_blk", u32),
        ("src0_blk", u32),
        ("src1_blk", u32),
        ("dst_rep", u32),
        ("src0_rep", u32),
        ("src1_rep", u32),
    ]
    defaults = {f"{x}_blk": 1 for x in ("dst", "src0", "src1")}
    defaults |= {f"{x}_rep": 8 for x in ("dst", "src0", "src1")}
    defaults |= {"mask": (u64 * 2)(2**64 - 1, 2**64 - 1)}


class Region(ctypes.Structure):
    _fields_ = [
        ("space", u8),
        ("unit", u8),
        ("write", flag),
        ("align", u16),
        ("rows", u32),
        ("base", u64),
        ("row_bytes", u64),
        ("pitch", i64),
        ("lo", u64),
        ("hi", u64),
        ("atomic", flag),
    ]

    def box(self) -> tuple[int, int, int]:
        """Rows, bytes per row, pitch."""
        return self.rows, self.row_bytes, self.pitch


class Instr(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("pipe", u8),
        ("region_count", u8),
        ("order_class", u8),
        ("unit_flag", u8),
        ("continues", flag),
        ("body", ctypes.c_void_p),
        ("find", ctypes.c_void_p),
        ("cycles", u32),
        ("regions", Region * 6),
    ]

    def of(self, write: bool) -> list[Region]:
        return [r for r in self.regions[: self.region_count] if r.write == write]


def build(folder: Path) -> Path:
    """Compiles the bodies and the harness; objects are kept by the content of what they are made of."""
    headers = sorted(NATIVE.glob("include/aicore/*.h")) + sorted(NATIVE.glob("src/ops/*.h"))
    common = b"".join(h.read_bytes() for h in headers) + " ".join(FLAGS).encode()
    compiler = shlex.split(os.environ.get("CXX", "g++"))

    def compiled(source: Path) -> Path:
        key = hashlib.sha256(common + source.read_bytes()).hexdigest()[:20]
        target = folder / f"{source.stem}-{key}.o"
        if not target.exists():
            command = [*compiler, *FLAGS, *INCLUDES, "-c", str(source)]
            subprocess.run([*command, "-o", f"{target}.part"], check=True)
            Path(f"{target}.part").rename(target)
        return target

    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        sources = [*sorted(NATIVE.glob("src/ops/*.cpp")), HERE / "harness.cpp"]
        objects = list(pool.map(compiled, sources))
    name = hashlib.sha256("".join(o.name for o in objects).encode()).hexdigest()[:20]
    library = folder / f"libops-{name}.so"
    if not library.exists():
        command = [*compiler, "-shared", *map(str, objects), "-o", f"{library}.part"]
        subprocess.run(command, check=True)
        Path(f"{library}.part").rename(library)
    return library


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One builder at a time, also among the workers of pytest-xdist."""
    with (folder / "lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


ABSENT = Mem(space=Space.GM)


def passed(arg: Any) -> Any:
    """An argument as C takes it. Integers are widened to 8 bytes, which suits every integer parameter."""
    if isinstance(arg, ctypes.Structure):
        return ctypes.byref(arg)
    if isinstance(arg, np.ndarray):
        return ctypes.c_void_p(arg.ctypes.data)
    if isinstance(arg, float):
        return ctypes.c_double(arg)
    return u64(int(arg)) if isinstance(arg, int | np.integer) else arg


def call(library: ctypes.CDLL, function: str, *args: Any) -> None:
    getattr(library, f"h_{function}")(*map(passed, args))


class Model:
    """The memories of one core, and the instructions that ran on them."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.lib = library
        self.lib.h_memory.restype = ctypes.c_void_p
        self.lib.h_memory_size.restype = ctypes.c_size_t
        self.lib.h_errors.restype = ctypes.c_char_p
        self.lib.h_findings.restype = ctypes.c_char_p
        self.lib.h_instruction.restype = ctypes.POINTER(Instr)
        self.reset()

    def reset(self, chip: Chip = Chip.A2, check: bool = True) -> None:
        """Forgets all instructions; memories become poison."""
        self.lib.h_reset(int(chip), int(check))
        for space in Space:
            for unit in range(2):
                self.memory(space, unit)[:] = 0xFF

    def memory(self, space: Space, unit: int = 0) -> Array:
        pointer = self.lib.h_memory(int(space), unit)
        size = self.lib.h_memory_size(int(space))
        return np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(u8)), (size,))

    def at(self, space: Space, offset: int = 0, **fields: Any) -> Mem:
        base = self.lib.h_memory(int(space), 0) if space == Space.GM else 0
        return Mem(space=space, addr=base + offset, **fields)

    def put(self, space: Space, offset: int, data: Array, unit: int = 0) -> Mem:
        """Writes an array and returns where it lies."""
        raw = np.ascontiguousarray(data).view(np.uint8).reshape(-1)
        self.memory(space, unit)[offset : offset + raw.size] = raw
        return self.at(space, offset)

    def get(
        self, space: Space, offset: int, shape: int | tuple[int, ...], dtype: Any, unit: int = 0
    ) -> Array:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        raw = self.memory(space, unit)[offset : offset + size].copy()
        return raw.view(dtype).reshape(shape)

    def run(self, function: str, *args: Any) -> list[Instr]:
        """Calls a builder; its instructions have run and been judged when this returns."""
        before = self.lib.h_count()
        call(self.lib, function, function.encode(), *args)
        errors = self.lib.h_errors().decode()
        assert not errors, errors
        return [self.lib.h_instruction(i).contents for i in range(before, self.lib.h_count())]

    def findings(self) -> str:
        return str(self.lib.h_findings().decode())


def bits(x: Array) -> Array:
    """Elements as integers, for comparisons that see the sign of zero and every NaN."""
    return np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}")


def assert_same(actual: Array, expected: Array) -> None:
    """Equal bit for bit; any NaN equals any NaN."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    different = bits(actual) != bits(expected)
    if actual.dtype.kind in "fV":
        different &= ~(np.isnan(actual.astype(np.float64)) & np.isnan(expected.astype(np.float64)))
    where = np.argwhere(different)
    assert where.size == 0, (
        f"{len(where)} of {actual.size} differ, first at {tuple(where[0])}: "
        f"{actual[tuple(where[0])]!r} instead of {expected[tuple(where[0])]!r}"
    )


def numbers(dtype: np.dtype[Any], n: int, seed: int = 0) -> Array:
    """Random elements of every magnitude, with subnormals, zeros, infinities and NaN among floats."""
    rng = np.random.default_rng(seed)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
    if dtype.itemsize == 2:
        return rng.integers(0, 1 << 16, n, dtype=np.uint16).view(dtype)
    patterns = rng.integers(0, 1 << 32, n, dtype=np.uint32).view(np.float32)
    plain = (rng.standard_normal(n) * 10.0 ** rng.integers(-6, 6, n)).astype(np.float32)
    return np.where(rng.random(n) < 0.5, patterns, plain)


def ordinary(dtype: np.dtype[Any], n: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Random finite elements of moderate size."""
    rng = np.random.default_rng(seed)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(max(-100, info.min), 100, n).astype(dtype)
    return (rng.standard_normal(n) * scale).astype(np.float32).astype(dtype)
