"""Every operation of T.simd on vector registers, as tilelang emits it, against NumPy.

A table holds one operation a row: the kernel's text and what it must give. All operations of a table are compiled into
one SIMD vector function, which stores each result in a row of C. `a` and `b` are whole registers, `m` is a mask of the
first lanes, `full` of all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from .bench import DTYPES, Array, Bench, report

KERNEL = """
import tilelang
import tilelang.ascend.language as T

S = T.simd


@tilelang.jit(target="ascend")
def registers(A, B):
    A: T.Tensor((2, {lanes}), "{dtype}")
    B: T.Tensor((2, {lanes}), "{dtype}")
    C = T.empty(({rows}, {lanes}), dtype="{dtype}")
    with T.Kernel(1) as bx:
        x = T.alloc_shared((2, {lanes}), "{dtype}")
        y = T.alloc_shared((2, {lanes}), "{dtype}")
        c = T.alloc_shared(({rows}, {lanes}), "{dtype}")
        T.copy(A, x)
        T.copy(B, y)
        with T.SimdVF():
            a = S.vld(x[0, 0])
            b = S.vld(y[0, 0])
            m = S.update_mask({active}, {bits})
            full = S.pset({bits})
{body}
        T.copy(c, C)
    return C
"""

Row = tuple[str, Callable[..., Any]]


def text(dtype: str, table: list[Row], active: int) -> str:
    bits = np.dtype(dtype).itemsize * 8
    body = []
    for number, (code, _) in enumerate(table):
        target = f"c[{number}, 0]"
        body += [line.replace("OUT", target) for line in code.strip().splitlines()]
    return KERNEL.format(
        dtype=dtype,
        lanes=2048 // bits,
        rows=len(table),
        bits=bits,
        active=active,
        body="\n".join(f"            {line}" for line in body),
    )


def store(dtype: str, value: str) -> str:
    return f'S.vsts(OUT, {value}, dist="NORM_B{np.dtype(dtype).itemsize * 8}")'


def check(bench: Bench, dtype: str, table: list[Row], active: int, a: Array, b: Array) -> None:
    """Row by row, down to the last bit: the sign of zero counts."""
    lanes = 256 // np.dtype(dtype).itemsize
    found, run = bench.run_text(
        text(dtype, table, active),
        {"A": a, "B": b},
        {"C": (np.dtype(dtype), (len(table), lanes))},
    )
    assert run.clean, report(run)
    on = np.arange(lanes) < active
    for number, (code, expected) in enumerate(table):
        with np.errstate(all="ignore"):
            want = expected(a[0], b[0], on).astype(dtype)
        as_bits = f"u{want.itemsize}"
        np.testing.assert_array_equal(
            found["C"][number].view(as_bits), want.view(as_bits), err_msg=code
        )


def masked(value: Any, on: Array) -> Array:
    return np.where(on, value, 0)


def first(values: Any, lanes: int, dtype: Any) -> Array:
    out = np.zeros(lanes, dtype)
    values = np.atleast_1d(values)
    out[: len(values)] = values
    return out


def tree_sum(v: Array) -> Any:
    """Neighbours, then neighbours of those, each sum rounded."""
    while len(v) > 1:
        v = v[0::2] + v[1::2]
    return v[0]


def bits_of(number: int, dtype: Any) -> Any:
    return np.array(number, f"u{np.dtype(dtype).itemsize}").view(dtype)


def one(dtype: str, value: str, f: Callable[..., Any]) -> Row:
    """`value` under the mask `m`: lanes outside become 0."""
    return store(dtype, value), lambda a, b, on: masked(f(a, b), on)


def row(code: str, expected: Callable[..., Any]) -> Row:
    """`code` stores its result itself; `expected` gets the registers and the lanes of `m`."""
    return code, expected


def interleaved(a: Array, b: Array) -> Array:
    return np.stack([a, b], axis=1).ravel()


def arithmetic(dtype: str) -> list[Row]:
    return [
        one(dtype, "S.vadd(a, b, m)", np.add),
        one(dtype, "S.vsub(a, b, m)", np.subtract),
        one(dtype, "S.vmul(a, b, m)", np.multiply),
        one(dtype, "S.vmax(a, b, m)", np.maximum),
        one(dtype, "S.vmin(a, b, m)", np.minimum),
    ]


def moves(dtype: str) -> list[Row]:
    half = 128 // np.dtype(dtype).itemsize
    return [
        row(
            f"p0, p1 = S.vintlv(a, b)\n{store(dtype, 'p0')}",
            lambda a, b, on: interleaved(a, b)[: 2 * half],
        ),
        row(
            f"q0, q1 = S.vintlv(a, b)\n{store(dtype, 'q1')}",
            lambda a, b, on: interleaved(a, b)[2 * half :],
        ),
        row(
            f"r0, r1 = S.vdintlv(a, b)\n{store(dtype, 'r0')}",
            lambda a, b, on: np.concatenate([a, b])[0::2],
        ),
        row(
            f"s0, s1 = S.vdintlv(a, b)\n{store(dtype, 's1')}",
            lambda a, b, on: np.concatenate([a, b])[1::2],
        ),
        row(store(dtype, "S.vsqz(a, m)"), lambda a, b, on: first(a[on], 2 * half, a.dtype)),
        one(dtype, "S.vdupv(a, m)", lambda a, b: np.full_like(a, a[0])),
        row(
            f"t = S.vcmp(a, b, full, 'gt')\n{store(dtype, 'S.vsel(a, b, t)')}",
            lambda a, b, on: np.where(a > b, a, b),
        ),
    ]


def float_table(dtype: str) -> list[Row]:
    np_type = np.dtype(dtype)
    lanes = 256 // np_type.itemsize
    block = 32 // np_type.itemsize
    two = np_type.type(2)

    def fused(a: Any, b: Any, c: Any) -> Array:
        return np.asarray(a, np.float64) * np.asarray(b, np.float64) + np.asarray(c, np.float64)

    def by_block(f: Callable[..., Any]) -> Callable[..., Any]:
        return lambda a, b, on: first([f(x) for x in a.reshape(8, block)], lanes, np_type)

    return [
        *arithmetic(dtype),
        *moves(dtype),
        one(dtype, "S.vdiv(a, b, m)", np.divide),
        one(dtype, "S.vabs(a, m)", lambda a, b: np.abs(a)),
        one(dtype, "S.vneg(a, m)", lambda a, b: -a),
        one(dtype, "S.vrelu(a, m)", lambda a, b: np.where(a >= 0, a, 0)),
        one(dtype, "S.vsqrt(S.vabs(a), m)", lambda a, b: np.sqrt(np.abs(a))),
        one(dtype, "S.vabsdif(a, b, m)", lambda a, b: np.abs(a - b)),
        one(dtype, "S.vexp(a, m)", lambda a, b: np.exp(a.astype(np.float64))),
        one(dtype, "S.vln(S.vabs(a), m)", lambda a, b: np.log(np.abs(a.astype(np.float64)))),
        one(
            dtype,
            f"S.vlrelu(a, T.{dtype}(0.25), m)",
            lambda a, b: np.where(a > 0, a, a * np_type.type(0.25)),
        ),
        one(dtype, "S.vprelu(a, b, m)", lambda a, b: np.where(a > 0, a, a * b)),
        one(dtype, f"S.vadds(a, T.{dtype}(2), m)", lambda a, b: a + two),
        one(dtype, f"S.vmuls(a, T.{dtype}(2), m)", lambda a, b: a * two),
        one(dtype, f"S.vmaxs(a, T.{dtype}(2), m)", lambda a, b: np.maximum(a, two)),
        one(dtype, f"S.vmins(a, T.{dtype}(2), m)", lambda a, b: np.minimum(a, two)),
        one(dtype, f'S.vdup(T.{dtype}(2), "{dtype}", m)', lambda a, b: np.full_like(a, 2)),
        row(
            store(dtype, "S.vcadd(a, full)"),
            lambda a, b, on: first(tree_sum(a), lanes, np_type),
        ),
        row(
            store(dtype, "S.vcadd(a, m)"),
            lambda a, b, on: first(tree_sum(masked(a, on).astype(np_type)), lanes, np_type),
        ),
        row(
            store(dtype, "S.vcmax(a, m)"),
            lambda a, b, on: first([a[on].max(), bits_of(a[on].argmax(), np_type)], lanes, np_type),
        ),
        row(
            store(dtype, "S.vcmin(a, m)"),
            lambda a, b, on: first([a[on].min(), bits_of(a[on].argmin(), np_type)], lanes, np_type),
        ),
        row(store(dtype, "S.vcgadd(a, full)"), by_block(tree_sum)),
        row(store(dtype, "S.vcgmax(a, full)"), by_block(np.max)),
        row(store(dtype, "S.vcgmin(a, full)"), by_block(np.min)),
        row(
            store(dtype, "S.vcpadd(a, full)"),
            lambda a, b, on: first(a[0::2] + a[1::2], lanes, np_type),
        ),
        row(
            f"""
acc = S.alloc_var("{dtype}")
acc = S.vdup(T.{dtype}(2), "{dtype}", full)
S.vmula(acc, a, b, m, mode="MODE_MERGING")
{store(dtype, "acc")}
""",
            lambda a, b, on: np.where(on, fused(a, b, 2).astype(np_type), two),
        ),
        row(
            f"""
acc2 = S.alloc_var("{dtype}")
acc2 = S.vdup(T.{dtype}(2), "{dtype}", full)
S.vmadd(acc2, a, b, m)
{store(dtype, "acc2")}
""",
            lambda a, b, on: masked(fused(2, a, b).astype(np_type), on),
        ),
        row(
            f"""
acc3 = S.alloc_var("{dtype}")
acc3 = S.vdup(T.{dtype}(2), "{dtype}", full)
S.vaxpy(acc3, a, T.{dtype}(1.5), m, mode="MODE_MERGING")
{store(dtype, "acc3")}
""",
            lambda a, b, on: np.where(on, fused(a, 1.5, 2).astype(np_type), two),
        ),
        row(
            f"""
keep = S.alloc_var("{dtype}")
keep = S.vdup(T.{dtype}(2), "{dtype}", full)
keep = S.vadd(a, b, m, mode="MODE_MERGING")
{store(dtype, "keep")}
""",
            lambda a, b, on: np.where(on, a + b, two),
        ),
    ]


def float32_table() -> list[Row]:
    f32 = "float32"
    return [
        one(f32, "S.vexpdif(a, b, m)", lambda a, b: np.exp((a - b).astype(np.float64))),
        one(f32, 'S.vdiv(a, b, m, precision="ftz_true")', np.divide),
        one(
            f32,
            'S.vln(S.vabs(a), m, precision="ftz_false")',
            lambda a, b: np.log(np.abs(a.astype(np.float64))),
        ),
        one(f32, 'S.vexp(a, m, precision="ftz_false")', lambda a, b: np.exp(a.astype(np.float64))),
        one(f32, 'S.vsqrt(S.vabs(a), m, precision="ftz_false")', lambda a, b: np.sqrt(np.abs(a))),
        row(
            store(f32, 'S.vld(x[0, 5], dist="BRC_B32")'),
            lambda a, b, on: np.full_like(a, a[5]),
        ),
        row(store(f32, 'S.vld(x[0, 8], dist="BLK")'), lambda a, b, on: np.tile(a[8:16], 8)),
        row(
            store(f32, 'S.vld(x[0, 8], dist="E2B_B32")'),
            lambda a, b, on: np.repeat(a[8:16], 8),
        ),
        row(store(f32, 'S.vci(T.float32(3), "float32")'), lambda a, b, on: 3 + np.arange(64)),
        row(
            f'i = S.vcvt(a, "int32", round="ROUND_F")\n{store(f32, "S.vcvt(i, " + repr(f32) + ")")}',
            lambda a, b, on: np.floor(a),
        ),
        row(
            f'j = S.vcvt(a, "int32", round="ROUND_R")\n{store(f32, "S.vcvt(j, " + repr(f32) + ")")}',
            lambda a, b, on: np.rint(a) + 0.0,  # an integer has no -0
        ),
        row(
            f'h = S.vcvt(a, "float16", part=1)\n{store(f32, "S.vcvt(h, " + repr(f32) + ", part=1)")}',
            lambda a, b, on: a.astype(np.float16),
        ),
        row(
            f'g = S.vcvt(a, "bfloat16", part=0)\n{store(f32, "S.vcvt(g, " + repr(f32) + ", part=0)")}',
            lambda a, b, on: a.astype(DTYPES["bfloat16"]).astype(np.float32),
        ),
        row(
            f"p = S.vcmp(a, b, full, 'gt')\nq = S.vcmps(a, T.float32(0), full, 'lt')\n"
            f"pq = S.pand(p, q, full)\n{store(f32, 'S.vsel(a, b, pq)')}",
            lambda a, b, on: np.where((a > b) & (a < 0), a, b),
        ),
        row(
            f"p2 = S.vcmp(a, b, full, 'le')\nq2 = S.vcmps(a, T.float32(0), full, 'ge')\n"
            f"pq2 = S.por(p2, q2, full)\n{store(f32, 'S.vsel(a, b, pq2)')}",
            lambda a, b, on: np.where((a <= b) | (a >= 0), a, b),
        ),
        row(
            f"p3 = S.vcmp(a, b, full, 'ne')\nq3 = S.vcmps(a, T.float32(0), full, 'ge')\n"
            f"pq3 = S.pxor(p3, q3, full)\n{store(f32, 'S.vsel(a, b, pq3)')}",
            lambda a, b, on: np.where((a != b) ^ (a >= 0), a, b),
        ),
        row(
            f"p4 = S.vcmp(a, b, full, 'eq')\np5 = S.pnot(p4, full)\n{store(f32, 'S.vsel(a, b, p5)')}",
            lambda a, b, on: np.where(a == b, b, a),
        ),
        row(
            f"p6 = S.vcmps(a, T.float32(0), full, 'gt')\np7 = S.psel(p6, m, m)\n{store(f32, 'S.vsel(a, b, p7)')}",
            lambda a, b, on: np.where(np.where(on, a > 0, on), a, b),
        ),
        row(
            f"d0, d1 = S.vld2(x[0, 0], dist='DINTLV_B32')\n{store(f32, 'd1')}",
            lambda a, b, on: None,  # of both registers: set by the test
        ),
    ]


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_floats(bench: Bench, rng: np.random.Generator, dtype: str) -> None:
    lanes = 256 // np.dtype(dtype).itemsize
    a, b = (rng.standard_normal((2, lanes)).astype(dtype) for _ in range(2))
    check(bench, dtype, float_table(dtype), lanes // 2 + 5, a, b)


def test_float32_alone(bench: Bench, rng: np.random.Generator) -> None:
    a, b = (rng.standard_normal((2, 64)).astype(np.float32) for _ in range(2))
    b[0, ::7] = a[0, ::7]
    table = float32_table()
    both = a.ravel()
    table[-1] = (table[-1][0], lambda *_: both[1::2])
    check(bench, "float32", table, 37, a, b)


def integer_table(dtype: str) -> list[Row]:
    np_type = np.dtype(dtype)
    lanes, bits = 256 // np_type.itemsize, 8 * np_type.itemsize
    signed = np_type.kind == "i"
    three = np_type.type(3)

    def left(a: Array) -> Array:
        """A signed lane keeps its sign."""
        if not signed:
            return a << three
        sign = np_type.type(-(2 ** (bits - 1)))
        return ((a << three) & ~sign) | (a & sign)

    wider = {"int16": np.int32, "uint16": np.uint32}.get(dtype)
    table = [
        *(arithmetic(dtype) if bits > 8 else []),
        *moves(dtype),
        one(dtype, "S.vand(a, b, m)", np.bitwise_and),
        one(dtype, "S.vor(a, b, m)", np.bitwise_or),
        one(dtype, "S.vxor(a, b, m)", np.bitwise_xor),
        one(dtype, "S.vnot(a, m)", lambda a, b: ~a),
        one(dtype, f"S.vshls(a, T.{dtype}(3), m)", lambda a, b: left(a)),
        one(dtype, f"S.vshrs(a, T.{dtype}(3), m)", lambda a, b: a >> three),
        one(dtype, f"S.vadds(a, T.{dtype}(3), m)", lambda a, b: a + three),
        row(store(dtype, f'S.vci(T.{dtype}(3), "{dtype}")'), lambda a, b, on: 3 + np.arange(lanes)),
        row(
            store(dtype, f'S.vci(T.{dtype}(3), "{dtype}", order="DEC_ORDER")'),
            lambda a, b, on: 3 + np.arange(lanes)[::-1],
        ),
        row(
            store(dtype, "S.vcmax(a, m)"),
            lambda a, b, on: first([a[on].max(), a[on].argmax()], lanes, np_type),
        ),
        row(
            store(dtype, "S.vcmin(a, m)"),
            lambda a, b, on: first([a[on].min(), a[on].argmin()], lanes, np_type),
        ),
    ]
    if wider is None and bits == 32:
        table.append(
            row(store(dtype, "S.vcadd(a, m)"), lambda a, b, on: first(a[on].sum(), lanes, np_type))
        )
    if signed:
        table += [
            one(dtype, "S.vabs(a, m)", lambda a, b: np.abs(a)),
            one(dtype, "S.vneg(a, m)", lambda a, b: -a),
            row(
                store(dtype, f'S.vusqz(m, "{dtype}")'),
                lambda a, b, on: np.cumsum(on) - on,
            ),
        ]
    return table


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int16", "uint16", "int8", "uint8"])
def test_integers(bench: Bench, rng: np.random.Generator, dtype: str) -> None:
    lanes = 256 // np.dtype(dtype).itemsize
    info = np.iinfo(dtype)
    a, b = (rng.integers(info.min, info.max, (2, lanes), dtype, endpoint=True) for _ in range(2))
    check(bench, dtype, integer_table(dtype), lanes // 2 + 3, a, b)


def carries_table() -> list[Row]:
    """64-bit arithmetic in halves of 32 bits."""
    u32 = "uint32"

    def wide(a: Array) -> Array:
        return a.astype(np.uint64)

    return [
        row(
            f"c0, s0 = S.vaddc(a, b, full)\n{store(u32, 'S.vsel(s0, a, c0)')}",
            lambda a, b, on: np.where(wide(a) + wide(b) >= 2**32, a + b, a),
        ),
        row(
            f"c1, s1 = S.vsubc(a, b, full)\n{store(u32, 'S.vsel(s1, b, c1)')}",
            lambda a, b, on: np.where(a >= b, a - b, b),
        ),
        row(
            f"c2, s2 = S.vaddcs(a, b, m, full)\n{store(u32, 's2')}",
            lambda a, b, on: a + b + on,
        ),
        row(
            f"c3, s3 = S.vsubcs(a, b, m, full)\n{store(u32, 's3')}",
            lambda a, b, on: a - b - ~on,
        ),
        row(f"l4, h4 = S.vmull(a, b, full)\n{store(u32, 'l4')}", lambda a, b, on: a * b),
        row(
            f"l5, h5 = S.vmull(a, b, full)\n{store(u32, 'h5')}",
            lambda a, b, on: wide(a) * wide(b) >> np.uint64(32),
        ),
    ]


def test_carries_and_wide_products(bench: Bench, rng: np.random.Generator) -> None:
    a, b = (rng.integers(0, 2**32, (2, 64), np.uint32) for _ in range(2))
    check(bench, "uint32", carries_table(), 21, a, b)


def access_table(both: Array, other: Array) -> list[Row]:
    """Ways into and out of UB, with elements of 16 bits; `both` is all of A, `other` all of B."""
    u16 = "uint16"
    index = "S.vand(b, S.vdup(T.uint16(127), 'uint16'))"
    chosen = other[:128] & 127

    def scattered(a: Array, b: Array, on: Array) -> Array:
        out = np.zeros_like(a)
        out[::-1] = a
        return out

    return [
        row(store(u16, 'S.vld(x[0, 0], dist="US_B16")'), lambda a, b, on: np.repeat(a[:64], 2)),
        row(store(u16, 'S.vld(x[0, 0], dist="DS_B16")'), lambda a, b, on: both[0::2]),
        row(
            store(u16, 'S.vld(x[0, 0], dist="UNPK_B16")'),
            lambda a, b, on: interleaved(a[:64], np.zeros(64, a.dtype)),
        ),
        row(
            store(u16, 'S.vld(x[0, 16], dist="E2B_B16")'), lambda a, b, on: np.repeat(a[16:24], 16)
        ),
        row(store(u16, 'S.vld(x[0, 3], dist="BRC_B16")'), lambda a, b, on: np.full_like(a, a[3])),
        row(
            f"d0, d1 = S.vld2(x[0, 0], dist='DINTLV_B16')\n{store(u16, 'd1')}",
            lambda a, b, on: both[1::2],
        ),
        row(
            "off = S.pnot(m, full)\n"
            "S.vsts(OUT, a, mask=m, dist='NORM_B16')\n"
            "S.vsts(OUT, b, mask=off, dist='NORM_B16')",
            lambda a, b, on: np.where(on, a, b),
        ),
        row(
            f"{store(u16, 'b')}\nS.vsts(OUT, a, dist='ONEPT_B16')",
            lambda a, b, on: np.concatenate([a[:1], b[1:]]),
        ),
        row(
            f"{store(u16, 'b')}\nS.vsts(OUT, a, mask=full, dist='PK_B32')",
            lambda a, b, on: np.concatenate([a[0::2], b[64:]]),
        ),
        row(store(u16, f"S.vselr(a, {index})"), lambda a, b, on: a[chosen]),
        row(
            store(u16, f"S.vgather2(x[0, 0], {index}, m)"),
            lambda a, b, on: masked(a[chosen], on),
        ),
        row("S.vscatter(a, OUT, S.vci(T.uint16(0), 'uint16', order='DEC_ORDER'), full)", scattered),
        row("S.vsstb(a, OUT, 1 << 16, full)", lambda a, b, on: a),
        row(
            f"l0 = S.vunpack(a, 0)\n{store(u16, 'S.vpack(l0, 0)')}",
            lambda a, b, on: np.concatenate([a[:64], np.zeros(64)]),
        ),
        row(
            f"l1 = S.vunpack(a, 1)\n{store(u16, 'S.vpack(l1, 1)')}",
            lambda a, b, on: np.concatenate([np.zeros(64), a[64:]]),
        ),
        row(
            "S.pst(OUT, m)\nback = S.pld(OUT)\n" + store(u16, "S.vsel(a, b, back)"),
            lambda a, b, on: np.where(on, a, b),
        ),
        row(
            f"h = S.ppack(m, 0)\nw = S.punpack(h, 0)\n{store(u16, 'S.vsel(a, b, w)')}",
            lambda a, b, on: np.where(on, a, b),
        ),
        row(
            f"e0, e1 = S.pintlv(m, full, 16)\nf0, f1 = S.pdintlv(e0, e1, 16)\n"
            f"{store(u16, 'S.vsel(a, b, f0)')}",
            lambda a, b, on: np.where(on, a, b),
        ),
    ]


def test_ways_into_and_out_of_ub(bench: Bench, rng: np.random.Generator) -> None:
    a, b = (rng.integers(0, 2**16, (2, 128), np.uint16) for _ in range(2))
    check(bench, "uint16", access_table(a.ravel(), b.ravel()), 75, a, b)


def bytes_table() -> list[Row]:
    u8 = "uint8"

    def histogram(a: Array, on: Array, low: int, cumulative: bool) -> Array:
        counts = np.bincount(a[on], minlength=256)
        counts = np.cumsum(counts) if cumulative else counts
        return counts[low : low + 128].astype(np.uint16).view(np.uint8)

    def counted(name: str, number: int) -> str:
        return (
            f"{name}{number} = S.alloc_var('uint16')\n"
            f"{name}{number} = S.vdup(T.uint16(0), 'uint16')\n"
            f"S.{name}({name}{number}, a, m, {number})\n"
            f"S.vsts(OUT, T.reinterpret('uint8x256', {name}{number}), dist='NORM_B8')"
        )

    return [
        row(counted("dhistv2", 0), lambda a, b, on: histogram(a, on, 0, False)),
        row(counted("dhistv2", 1), lambda a, b, on: histogram(a, on, 128, False)),
        row(counted("chistv2", 0), lambda a, b, on: histogram(a, on, 0, True)),
        row(counted("chistv2", 1), lambda a, b, on: histogram(a, on, 128, True)),
        row(
            store(u8, 'S.vld(x[0, 0], dist="UNPK4_B8")'),
            lambda a, b, on: np.pad(a[:64, None], ((0, 0), (0, 3))).ravel(),
        ),
    ]


def test_histograms_and_bytes(bench: Bench, rng: np.random.Generator) -> None:
    a, b = (rng.integers(0, 256, (2, 256), np.uint8) for _ in range(2))
    check(bench, "uint8", bytes_table(), 201, a, b)


def through(*steps: tuple[str, str]) -> str:
    """`a` converted step by step, (type, other arguments), and stored as float32."""
    value = "a"
    for target, arguments in steps:
        value = f'S.vcvt({value}, "{target}"{", " + arguments if arguments else ""})'
    return store("float32", value)


def conversions_table() -> list[Row]:
    e4m3, e5m2 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)
    bf16 = DTYPES["bfloat16"]

    def kept(lanes: Any) -> Callable[..., Any]:
        return lambda a, b, on: lanes(a)

    def clamped(a: Array, low: float, high: float) -> Array:
        return np.clip(a, low, high)

    return [
        row(
            through(("float8_e4m3", "part=2"), ("float32", "part=2")),
            kept(lambda a: clamped(a, -448, 448).astype(e4m3).astype(np.float32)),
        ),
        row(
            through(("float8_e5m2", "part=3"), ("float32", "part=3")),
            kept(lambda a: clamped(a, -57344, 57344).astype(e5m2).astype(np.float32)),
        ),
        row(
            through(("float16", "part=0, round='ROUND_Z'"), ("float32", "part=0")),
            kept(lambda a: toward_zero(a, np.float16)),
        ),
        row(
            through(("float16", "part=0, round='ROUND_F'"), ("float32", "part=0")),
            kept(lambda a: downward(a, np.float16)),
        ),
        row(
            through(("bfloat16", "part=1, round='ROUND_C'"), ("float32", "part=1")),
            kept(lambda a: -downward(-a, bf16)),
        ),
        row(
            through(("float16", "part=0"), ("bfloat16", ""), ("float32", "part=0")),
            kept(lambda a: a.astype(np.float16).astype(bf16).astype(np.float32)),
        ),
        row(
            through(("int16", "part=1, round='ROUND_Z'"), ("float32", "part=1")),
            kept(lambda a: np.trunc(a) + 0.0),
        ),
        row(
            through(("int32", "round='ROUND_A'"), ("float32", "")),
            kept(lambda a: np.trunc(a + np.copysign(0.5, a)) + 0.0),
        ),
        row(
            through(("int32", "round='ROUND_C'"), ("int16", "part=0"), ("float32", "part=0")),
            kept(lambda a: np.ceil(a) + 0.0),
        ),
        row(
            through(("int64", "part=0"), ("float32", "part=0")),
            # 32 of 64 lanes have room for 8 bytes; they come back at even places.
            kept(lambda a: interleaved(np.rint(a[0::2]) + 0.0, np.zeros(32))),
        ),
        row(
            "u = S.vcvt(S.vcvt(a, 'int32'), 'uint8', part=3)\n"
            "w = S.vcvt(u, 'uint32', part=3)\n"
            "S.vsts(OUT, T.reinterpret('float32x64', w), dist='NORM_B32')",
            kept(lambda a: clamped(np.rint(a), 0, 255).astype(np.uint32).view(np.float32)),
        ),
        row(
            through(
                ("float16", "part=0"),
                ("int8", "part=1"),
                ("float16", "part=1"),
                ("float32", "part=0"),
            ),
            kept(lambda a: clamped(np.rint(a.astype(np.float16)), -128, 127) + np.float16(0)),
        ),
    ]


def downward(a: Array, dtype: Any) -> Array:
    """Rounded towards minus infinity."""
    near = a.astype(dtype)
    step = np.nextafter(near, near.dtype.type(-np.inf)) if near.dtype == np.float16 else None
    if step is None:
        bits = near.view(np.uint16)
        lower = np.where(near > 0, bits - 1, bits + 1).astype(np.uint16)
        step = lower.view(near.dtype)
    return np.where(near.astype(np.float32) > a, step, near).astype(np.float32)


def toward_zero(a: Array, dtype: Any) -> Array:
    return np.where(a < 0, -downward(-a, dtype), downward(a, dtype))


def test_conversions(bench: Bench, rng: np.random.Generator) -> None:
    a = (rng.standard_normal((2, 64)) * 40).astype(np.float32)
    a[0, :8] = [0.5, 1.5, 2.5, -0.5, -1.5, 300.0, -300.0, 448.0]
    check(bench, "float32", conversions_table(), 64, a, a)


MERGING = [
    ("vadd", "a, b", np.add),
    ("vsub", "a, b", np.subtract),
    ("vmul", "a, b", np.multiply),
    ("vmax", "a, b", np.maximum),
    ("vmin", "a, b", np.minimum),
    ("vabsdif", "a, b", lambda a, b: np.abs(a - b)),
    ("vabs", "a", lambda a, b: np.abs(a)),
    ("vneg", "a", lambda a, b: -a),
    ("vrelu", "a", lambda a, b: np.maximum(a, 0)),
    ("vmuls", "a, T.float32(2)", lambda a, b: a * np.float32(2)),
    ("vmaxs", "a, T.float32(0)", lambda a, b: np.maximum(a, 0)),
    ("vmins", "a, T.float32(0)", lambda a, b: np.minimum(a, 0)),
    ("vdiv", "a, b", np.divide),
    ("vdupv", "a", lambda a, b: np.full_like(a, a[0])),
]


def test_merging_keeps_the_other_lanes(bench: Bench, rng: np.random.Generator) -> None:
    table = []
    for name, operands, f in MERGING:
        code = f"""
{name}_ = S.alloc_var("float32")
{name}_ = S.vdup(T.float32(2), "float32", full)
{name}_ = S.{name}({operands}, m, mode="MODE_MERGING")
{store("float32", name + "_")}
"""
        table.append(row(code, lambda a, b, on, f=f: np.where(on, f(a, b), np.float32(2))))
    a, b = (rng.standard_normal((2, 64)).astype(np.float32) for _ in range(2))
    check(bench, "float32", table, 29, a, b)


PARALLEL = """
import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def parallel(A, B):
    A: T.Tensor((32, 128), "float32")
    B: T.Tensor((32, 128), "float32")
    C = T.empty((32, 128), dtype="float32")
    with T.Kernel(1) as bx:
        a = T.alloc_shared((32, 128), "float32")
        b = T.alloc_shared((32, 128), "float32")
        T.copy(A, a)
        T.copy(B, b)
        with T.SimdVF():
            for i, j in T.Parallel(32, 128):
                a[i, j] = a[i, j] * b[i, j] + b[i, j]
        T.copy(a, C)
    return C
"""


def test_loops_that_the_compiler_puts_into_registers(
    bench: Bench, rng: np.random.Generator
) -> None:
    a, b = (rng.integers(-9, 10, (32, 128)).astype(np.float32) for _ in range(2))
    outputs = {"C": (DTYPES["float32"], (32, 128))}
    found, run = bench.run_text(PARALLEL, {"A": a, "B": b}, outputs)
    assert run.clean, report(run)
    np.testing.assert_array_equal(found["C"], a * b + b)
