"""Calls of every kind that the player knows, as :mod:`tests.tape.language` says them.

A vector case stands on AIV0 between a prologue that loads the tiles ``x`` and ``y`` and an epilogue
that stores ``z``; other cases stand alone on their cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gen.sim.tape import DTYPES, Register
from tests.tape.language import (
    CPP,
    FORMS,
    Bits,
    Call,
    Compute,
    Name,
    NoMask,
    Part,
    Raw,
    Read,
    Shape,
    Step,
    Struct,
    Tile,
    Variable,
    Whole,
    Write,
    call,
)

COUNT = 2048
"""Elements of X, Y and of a tile, and of the part of Z that belongs to a case."""
X, Y, Z = (Whole(name, index) for index, name in enumerate("XYZ"))
x, y, z = (Tile(name, "VECCALC", COUNT, 16384 * i) for i, name in enumerate("xyz"))
bits = Tile("bits", "VECCALC", COUNT // 8, 49152, "uint8")
index = Tile("index", "VECCALC", 128, 50176, "uint32")
wide = Tile("wide", "VECCALC", COUNT, 51200, "float32")
tmp = Tile("tmp", "VECCALC", 65536, 65536, "uint8")
a1 = Tile("a1", "A1", COUNT, 0)
b1 = Tile("b1", "A1", COUNT, 32768)
a0 = Tile("a0", "A2", COUNT, 0)
b0 = Tile("b0", "B2", COUNT, 0)
c0 = Tile("c0", "CO1", 1024, 0, "float32")
i0 = Tile("i0", "CO1", 1024, 0, "int32")
TILES = (x, y, z, bits, index, wide, tmp, a1, b1, a0, b0, c0, i0)


@dataclass(frozen=True)
class Case:
    """What stands on ``cores``; ``framed``: between the prologue and the epilogue."""

    name: str
    dtype: str
    steps: tuple[Step, ...]
    cores: tuple[str, ...] = ("aiv0",)
    framed: bool = True
    stored_as: str = ""
    """Element type of Z, where it is not that of the case."""


ARITHMETIC = ("float16", "float32", "int16", "int32")
FLOATS = ("float16", "float32")
BITS = ("int16", "uint16")
INTEGERS = ("int16", "uint16", "int32", "uint32")
MOVED = ("float16", "bfloat16", "float32", "int16", "uint16", "int32", "uint32")

Table = dict[str, tuple[str, ...]]


def _all(names: str, dtypes: tuple[str, ...]) -> Table:
    return dict.fromkeys(names.split(), dtypes)


BINARY = _all("Add Sub Mul Max Min", ARITHMETIC) | _all("Div MulAddDst FusedMulAdd", FLOATS)
BINARY |= _all("And Or", BITS) | _all("MulAddRelu", FLOATS)
BINARY |= _all("AddRelu SubRelu", (*FLOATS, "int16"))
UNARY = _all("Exp Ln Abs Reciprocal Sqrt Rsqrt", FLOATS) | _all("Not", BITS)
UNARY |= _all("Relu", (*FLOATS, "int32"))
SCALAR = _all("Adds Muls Maxs Mins", ARITHMETIC) | _all("LeakyRelu Axpy", FLOATS)
SCALAR |= _all("ShiftLeft ShiftRight", INTEGERS)
CASTS = {
    "CAST_NONE": [("float32", "float16"), ("float32", "bfloat16"), ("float16", "int8")],
    "CAST_RINT": [("float16", "float32"), ("bfloat16", "float32"), ("int32", "float32")],
    "CAST_TRUNC": [("int16", "float16"), ("uint8", "float16"), ("int64", "float32")],
}


BARRIER = call("PipeBarrier", template="<PIPE_V>", first=("PIPE_V",))


def _each(name: str, dtypes: tuple[str, ...], *parts: Part, template: str = "") -> Iterator[Case]:
    form = f"{name}-{len(parts)}{'-unmasked' if template else ''}"
    for dtype in dtypes:
        yield Case(form, dtype, (call(name, *parts, template=template),))


def elementwise() -> Iterator[Case]:
    """With a count, with a mask as lanes and as bits, and with the mask as it is."""
    two = Struct("BinaryRepeatParams", (1, 1, 1, 8, 8, 8))
    one = Struct("UnaryRepeatParams", (1, 2, 8, 8))
    table: list[tuple[Table, tuple[Part, ...], Struct]] = [
        (BINARY, (z, x, y), two),
        (UNARY, (z, x), one),
        (SCALAR, (z, x, 3.0), one),
    ]
    for names, operands, strides in table:
        for name, dtypes in names.items():
            yield from _each(name, dtypes, *operands, 500)
            first = dtypes[:1]
            yield from _each(name, first, *operands, 33, 3, strides)
        name = next(iter(names))
        yield from _each(name, FLOATS, *operands, Bits(0xF0F0, 0x3), 2, strides)
        yield from _each(name, FLOATS, *operands, NoMask(), 2, strides, template="<T, false>")


def moves() -> Iterator[Case]:
    yield from _each("Duplicate", MOVED, z, 2.5, 300)
    yield from _each("Duplicate", FLOATS, z, -1.5, 20, 2, 1, 8)
    yield from _each("Duplicate", FLOATS, z, -1.5, Bits(5, 0), 2, 1, 8)
    yield from _each("Brcb", MOVED, z, x, 4, Struct("BrcbRepeatParams", (1, 8)))
    yield from _each("Copy", FLOATS, z, x, 64, 3, Struct("CopyRepeatParams", (1, 1, 8, 8)))
    yield from _each("CreateVecIndex", ("int32", "float32"), z, 3.0, 200)
    yield from _each("ArithProgression", ("int32", "float16"), z, 3.0, 2.0, 200)
    yield from _each("Transpose", ("float16", "int16"), z, x)
    for kind in ("TRANSPOSE_NCHW2NHWC", "TRANSPOSE_NHWC2NCHW"):
        shape = f"AscendC::TransposeParamsExt(2, 3, 4, 16, AscendC::TransposeType::{kind})"
        parts = (z, x, tmp, Raw(shape, (2, 3, 4, 16, kind)))
        yield from _each("Transpose", ("float16", "int32"), *parts)
    yield from _each("DataCopy", MOVED, z[64], x[32], 512)
    blocks = Struct("DataCopyParams", (3, 2, 1, 4))
    yield from _each("DataCopy", FLOATS, z, x, blocks)
    for dtype in FLOATS:
        signed = index.cast("int32")
        offsets = call("CreateVecIndex", signed, 0, 64)
        scale = call("Muls", signed, signed, 4, 64)
        forms: dict[str, tuple[Part, ...]] = {
            "count": (8, 64),
            "masked": (8, 30, 2, 9),
            "bits": (8, Bits(0xF0F, 0), 2, 9),
        }
        for form, how in forms.items():
            got = call("Gather", z, x, index, *how)
            yield Case(f"Gather-{form}", dtype, (offsets, BARRIER, scale, BARRIER, got))


KEPT = Raw("kept", (Register(0, "uint64"),))
"""What a call counts, for `Write`."""


def rearrangements() -> Iterator[Case]:
    by_pattern = Struct("GatherMaskParams", (1, 3, 8, 0))
    for dtype in MOVED:
        kept = Raw("kept", ())
        yield Case("GatherMask", dtype, (call("GatherMask", z, x, 3, False, 0, by_pattern, kept),))
        pattern = y.cast("uint16" if DTYPES[dtype] == 2 else "uint32")
        counted = call("GatherMask", z, x, pattern, True, 50, by_pattern, KEPT)
        stored = Write(z, 2000, KEPT)
        yield Case("GatherMask-bits", dtype, (counted, BARRIER, stored))
    for dtype in ("uint16", "uint32"):
        signed = index.cast("int32")
        offsets = (
            call("CreateVecIndex", signed, 0, 16),
            BARRIER,
            call("Muls", signed, signed, 32, 16),
        )
        blocks = call("Gatherb", z, x, index, 2, Struct("GatherRepeatParams", (1, 9)))
        yield Case("Gatherb", dtype, (*offsets, BARRIER, blocks))
    yield from sorts()
    for dtype in ("float16", "float32", "uint8"):
        yield from _rows(dtype)


def sorts() -> Iterator[Case]:
    for dtype in FLOATS:
        half = 8 // DTYPES[dtype]  # elements of a pair
        lists = [z[32 * i * half] for i in range(4)]
        first = (call("CreateVecIndex", index.cast("int32"), 0, 128), BARRIER)
        sort = call("Sort32", z, x, index, 4)
        yield Case("Sort32", dtype, (*first, sort))
        for suspend, valid, lengths in ((False, 15, (32,) * 4), (True, 7, (32, 20, 9, 0))):
            info = (
                "AscendC::MrgSort4Info(std::array<uint16_t, 4>{%d, %d, %d, %d}.data(), %s, %d, 1)"
            )
            text = info % (*lengths, str(suspend).lower(), valid)
            named = ", ".join(tile.cpp(dtype) for tile in lists)
            flat = tuple(a for tile in lists for a in tile.on_tape(dtype))
            merged = call(
                "MrgSort",
                wide.cast(dtype),
                Raw(f"AscendC::MrgSortSrcList<{CPP[dtype]}>({named})", flat),
                Raw(text, (*lengths, suspend, valid, 1)),
            )
            registers = tuple(Register(i, "uint16") for i in range(4))
            words = ", ".join(f"taken[{i}]" for i in range(4))
            result = call("GetMrgSortResult", Raw(words, registers))
            stored = Write(z, 1500, Raw("taken[1]", (registers[1],)))
            steps = (*first, sort, BARRIER, merged, result, BARRIER, stored)
            yield Case(f"MrgSort-{valid}", dtype, steps)


def _rows(dtype: str) -> Iterator[Case]:
    block = 32 // DTYPES[dtype]
    rows = [[tile[block * i] for i in range(16)] for tile in (z, x)]
    flat = [tuple(a for tile in side for a in tile.on_tape(dtype)) for side in rows]
    kind = CPP[dtype]
    lists = [
        f"Rows<{kind}>{{{{{', '.join(tile.cpp(dtype) for tile in side)}}}}}.tensors"
        for side in rows
    ]
    params = Struct("TransDataTo5HDParams", (False, True, 1, 0, 0))
    parts = (Raw(lists[0], flat[0]), Raw(lists[1], flat[1]), params)
    yield Case("TransDataTo5HD", dtype, (call("TransDataTo5HD", *parts),))
    addresses = [
        f"Pointers<{kind}>({', '.join(tile.cpp(dtype) for tile in side)}).at" for side in rows
    ]
    parts = (Raw(addresses[0], flat[0]), Raw(addresses[1], flat[1]), params)
    yield Case("TransDataTo5HDImpl", dtype, (call("TransDataTo5HDImpl", *parts),))


def global_memory() -> Iterator[Case]:
    """Beside the copies of the prologue and the epilogue."""
    load = Struct("DataCopyExtParams", (3, 40, 24, 1, 0))
    store = Struct("DataCopyExtParams", (3, 40, 1, 24, 0))
    for dtype in (*MOVED, "int8", "uint8", "int64"):
        pad = Struct("DataCopyPadExtParams<T>", (True, 0, 1, 2.0))
        parts = (call("DataCopyPad", z, X[8], load, pad), call("DataCopyPad", Z[16], x, store))
        yield Case("DataCopyPad", dtype, parts)
    whole = Struct("DataCopyParams", (2, 4, 1, 2))
    for dtype in FLOATS:
        yield Case("DataCopy-load", dtype, (call("DataCopy", z, X[64], 128),))
        yield Case("DataCopy-blocks", dtype, (call("DataCopy", z, X[64], whole),))
        yield Case("DataCopy-store", dtype, (call("DataCopy", Z[64], x, 128),))
        yield Case("DataCopy-store-blocks", dtype, (call("DataCopy", Z, x, whole),))


def casts() -> Iterator[Case]:
    for mode, pairs in CASTS.items():
        for to, of in pairs:
            name = Name("RoundMode", mode)
            yield Case(f"Cast-{mode}-to-{to}", of, (call("Cast", z.cast(to), x, name, 250),))
    none = Name("RoundMode", "CAST_NONE")
    strides = Struct("UnaryRepeatParams", (1, 1, 8, 4))
    yield Case("Cast-masked", "float16", (call("Cast", wide, x, none, 30, 2, strides),))
    yield Case("Axpy-wide", "float16", (FILL_WIDE, BARRIER, call("Axpy", wide, x, 1.5, 99)))


def fused() -> Iterator[Case]:
    """What computes and converts."""
    strides = Struct("BinaryRepeatParams", (1, 1, 1, 4, 8, 8))
    for name, of, to in (
        ("AddReluCast", "float32", "float16"),
        ("AddReluCast", "int16", "int8"),
        ("SubReluCast", "float16", "int8"),
        ("MulCast", "float16", "uint8"),
    ):
        out = z.cast(to)
        yield Case(f"{name}-{to}", of, (call(name, out, x, y, 500),))
        yield Case(f"{name}-{to}-masked", of, (call(name, out, x, y, 33, 3, strides),))
    scale = call("SetDeqScale", Raw("half(0.3f)", (0.3,)))
    half = z.cast("float16")
    yield Case("AddDeqRelu", "int32", (scale, call("AddDeqRelu", half, x, y, 500)))
    cast = call("Cast", half, x, Name("RoundMode", "CAST_NONE"), 500)
    yield Case("Cast-scaled", "int32", (scale, cast))


FILL_WIDE = Call("Duplicate", (wide, 1, COUNT), "<float>")


def selections() -> Iterator[Case]:
    for mode in ("LT", "GT", "EQ", "LE", "GE", "NE"):
        compared = call("Compare", bits, x, y, Name("CMPMODE", mode), 256)
        with_scalar = call("CompareScalar", bits, x, 0.5, Name("CMPMODE", mode), 256)
        for dtype in FLOATS:
            select = Name("SELMODE", "VSEL_TENSOR_TENSOR_MODE")
            got = call("Select", z, bits, x, y, select, 200)
            yield Case(f"Compare-{mode}", dtype, (compared, BARRIER, got))
            select = Name("SELMODE", "VSEL_TENSOR_SCALAR_MODE")
            got = call("Select", z, bits, x, 2.5, select, 200)
            yield Case(f"CompareScalar-{mode}", dtype, (with_scalar, BARRIER, got))


def reductions() -> Iterator[Case]:
    for suffix in ("Sum", "Max", "Min"):
        name = f"WholeReduce{suffix}"
        yield from _each(name, FLOATS, z, x, 50, 6, 1, 1, 8)
        yield from _each(name, FLOATS, z, x, Bits(0xFF, 0), 6, 1, 1, 8)
        order = Name("ReduceOrder", "ORDER_ONLY_VALUE")
        yield from _each(name, FLOATS, z, x, 50, 6, 1, 1, 8, order)
        yield from _each(f"BlockReduce{suffix}", FLOATS, z, x, 6, 50, 1, 1, 8)
        yield from _each(f"Reduce{suffix}", FLOATS, z, x, y, 300)
        dtypes = FLOATS if suffix != "Sum" else ("float32",)
        for pattern in ("AR", "RA"):
            for dtype in dtypes:
                template = f"<T, AscendC::Pattern::Reduce::{pattern}>"
                parts = (z, x, tmp, Shape((16, 100)), True)
                reduced = call(f"Reduce{suffix}", *parts, template=template, first=(pattern,))
                yield Case(f"Reduce{suffix}-{pattern}", dtype, (reduced,))
    for dtype in ("float16", "float32"):
        rows = Raw("AscendC::SumParams{4, 64, 50}", (4, 64, 50))
        yield Case("Sum", dtype, (call("Sum", z, x, rows),))
    for dtype in ("float16", "float32", "int8", "uint8"):
        for axis, source in ((0, (1, 64)), (1, (16, 1))):
            shapes = Shape((16, 64)), Shape(source)
            template, first = f"<T, 2, {axis}>", (2, axis)
            broadcast = Call("Broadcast", (z, x, *shapes, tmp), template, first, (0, 1, 4, 2, 3))
            yield Case(f"Broadcast-{axis}", dtype, (broadcast,))


def functions() -> Iterator[Case]:
    for name in ("Sigmoid", "Silu", "Tanh", "Sin", "Cos", "Erf", "Gelu", "Round"):
        yield from _each(name, FLOATS, z, x, tmp, 500)
        yield from _each(name, ("float32",), z, x, 500)
    for name in ("ClampMax", "ClampMin"):
        yield from _each(name, FLOATS, z, x, tmp, 0.5, 500)
        yield from _each(name, ("float32",), z, x, 0.5, 500)
    yield from _each("Power", ("float32", "int32"), z, x, y, tmp)
    yield from _each("Power", ("float16",), z, x, y, tmp, 100)
    yield from _each("Xor", BITS, z, x, y)
    yield from _each("Xor", BITS, z, x, y, tmp, 100)


def scalars() -> Iterator[Case]:
    for dtype in (*MOVED, "int8", "uint8", "int64"):
        yield Case("SetValue", dtype, (Write(z, 5, 3.0), Write(Z, 2000, 1.0)))
    v0, v1, v2 = (Variable(i) for i in range(3))
    for dtype in ("float32", "float16", "bfloat16", "int32", "int64", "uint8"):
        for operation in FORMS:
            steps = (
                Read(v0, x, 7),
                Read(v1, Y, 9),
                Compute(v2, operation, v0, v1),
                Write(z, 3, v2),
            )
            yield Case(f"Scalar-{operation}", dtype, steps)
    for dtype in FLOATS:
        yield Case("Scalar-of-vector", dtype, (Read(v0, x, 7), call("Muls", z, x, v0, 400)))
    yield Case("DumpTensor", "float32", (call("DumpTensor", x[8], 7, 4),))
    printed = call("PRINTF", "%d of %5.2f %% %s %x %u\n", 7, 2.5, "words", 255, 3)
    yield Case("PRINTF", "float32", (printed,))


def pair(event: str) -> tuple[Call, Call]:
    """A set and its wait."""
    template = f"<AscendC::HardEvent::{event}>"
    set_flag = call("SetFlag", 3, template=template, first=(event,))
    return set_flag, call("WaitFlag", 3, template=template, first=(event,))


def control() -> Iterator[Case]:
    """Synchronisation of every kind."""
    for event in ("MTE2_V", "V_MTE2", "V_MTE3", "MTE3_V", "MTE2_MTE3", "MTE3_MTE2", "S_V", "V_S"):
        yield Case(f"Flags-{event}", "float32", pair(event))
    for event in ("MTE2_MTE1", "MTE1_M", "M_MTE1", "M_FIX", "FIX_M", "MTE1_MTE2", "FIX_MTE2"):
        yield Case(f"Flags-{event}", "float32", pair(event), ("aic",), framed=False)
    for pipe in ("PIPE_V", "PIPE_MTE2", "PIPE_MTE3", "PIPE_ALL"):
        barrier = call("PipeBarrier", template=f"<{pipe}>", first=(pipe,))
        yield Case(f"Barrier-{pipe}", "float32", (barrier,))
    for pipe in ("PIPE_M", "PIPE_MTE1", "PIPE_FIX"):
        barrier = call("PipeBarrier", template=f"<{pipe}>", first=(pipe,))
        yield Case(f"Barrier-{pipe}", "float32", (barrier,), ("aic",), framed=False)
    everywhere = ("aic", "aiv0", "aiv1")
    for only, cores in ((False, everywhere), (True, ("aiv0", "aiv1"))):
        sync = call("SyncAll", template=f"<{str(only).lower()}>", first=(only,))
        yield Case(f"SyncAll-{only}", "float32", (sync,), cores, framed=False)
    for mode in (0, 1):
        told = call(
            "CrossCoreSetFlag", 3, template=f"<{mode}, PIPE_MTE3>", first=(mode, "PIPE_MTE3")
        )
        heard = Call("CrossCoreWaitFlag", (3,), f"<{mode}, PIPE_S>", (3, mode, "PIPE_S"), ())
        yield Case(f"Cross-{mode}", "float32", (told, heard), ("aiv0", "aiv1"), framed=False)
    waits = (call("CrossCoreSetFlag", 5, template="<2, PIPE_MTE3>", first=(2, "PIPE_MTE3")),)
    yield Case("Cross-2", "float32", waits, ("aiv0", "aiv1"), framed=False)
    yield Case("Cross-2-wait", "float32", (call("CrossCoreWaitFlag", 5),), ("aic",), framed=False)
    for name, dtype in (
        ("SetAtomicAdd", "float32"),
        ("SetAtomicMax", "int32"),
        ("SetAtomicMin", "float16"),
    ):
        atomic = call(name, template="<T>", first=(dtype,))
        yield Case(name, dtype, (atomic, call("DataCopy", Z, x, 256), call("SetAtomicNone")))


def matrices() -> Iterator[Case]:
    """A product of 32 x 32 x 32, loaded as the cube wants it and as it does not."""
    for dtype, to, quant in (
        ("float16", "float32", "NoQuant"),
        ("float16", "float16", "F322F16"),
        ("bfloat16", "bfloat16", "F322BF16"),
        ("float32", "float32", "NoQuant"),
        ("int8", "int32", "NoQuant"),
        ("int8", "float16", "DEQF16"),
        ("int8", "int8", "REQ8"),
        ("float16", "uint8", "QF322B8_PRE"),
    ):
        for turned in (False, True) if dtype in ("float16", "bfloat16") else (False,):
            yield _product(dtype, to, quant, turned)
    yield _layouts()


def _product(dtype: str, to: str, quant: str, turned: bool) -> Case:
    size = DTYPES[dtype]
    nd2nz = Struct("Nd2NzParams", (1, 32, 32, 0, 32, 32, 1, 0))
    sums = i0 if dtype == "int8" else c0
    load = Struct("LoadData2DParams", (0, 1024 * size // 512, 1, 0, 0, turned, 0))
    cleared = Struct("InitConstValueParams<T>", (1, 1024 * size // 32, 0, 0.0))
    product = Struct("MmadParams", (32, 32, 32, 0, False, True))
    steps: list[Step] = [
        call("InitConstValue", a1, cleared),
        call("PipeBarrier", template="<PIPE_MTE2>", first=("PIPE_MTE2",)),
        call("DataCopy", a1, X, nd2nz),
        call("DataCopy", b1, Y[16], nd2nz),
        *pair("MTE2_MTE1"),
        call("LoadData", a0, a1, load),
        call("LoadData", b0, b1, load),
    ]
    if dtype == "int8":
        square = Struct("LoadData2dTransposeParams", (0, 1, 1, 0, 0))
        steps.append(call("LoadDataWithTranspose", b0, b1, square))
    steps += [*pair("MTE1_M"), call("Mmad", sums, a0, b0, product), *pair("M_FIX")]
    for layout in ("ROW_MAJOR", "NZ"):
        steps.append(_fixpipe(Whole("Z", 2, dtype=to), sums, layout, quant))
    name = f"Product-{to}-{'turned' if turned else 'plain'}"
    return Case(name, dtype, tuple(steps), ("aic",), framed=False, stored_as=to)


def _fixpipe(out: Whole, sums: Tile, layout: str, quant: str) -> Call:
    sizes = (32, 32, 32, 64 if layout == "NZ" else 32, True)
    # A factor of 0.5, as the field has it.
    factor = 0x3F000000 if quant in ("DEQF16", "REQ8", "QF322B8_PRE") else 0
    extra = f"QuantMode_t::{quant}, {factor}, 1, 0, 0, 0"
    more = (0, factor, 1, 0, 0, False) if factor else ()
    text = f"AscendC::FixpipeParamsV220(32, 32, 32, {sizes[3]}, true, {extra})"
    template = f"<{CPP[out.dtype]}, {CPP[sums.dtype]}, AscendC::CFG_{layout}>"
    return Call("Fixpipe", (out, sums, Raw(text, (layout, *sizes, quant, *more))), template)


def _layouts() -> Case:
    """Blocks into L1, and fractals with gaps."""
    blocks = Struct("DataCopyParams", (4, 8, 2, 0))
    load = Struct("LoadData2DParams", (1, 2, 1, 0, 1, False, 0))
    steps = (call("DataCopy", a1, X, blocks), *pair("MTE2_MTE1"), call("LoadData", a0, a1, load))
    return Case("Layouts", "float16", steps, ("aic",), framed=False)


def all_cases() -> list[Case]:
    groups = (elementwise, moves, rearrangements, global_memory, casts, selections, reductions)
    return [case for g in (*groups, fused, functions, scalars, control, matrices) for case in g()]
