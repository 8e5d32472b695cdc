"""Calls that only the Ascend 950 has, as :mod:`tests.tape.cases` has those of the Ascend 910B."""

from __future__ import annotations

from collections.abc import Iterator

from gen.sim.tape import DTYPES
from tests.tape.cases import BARRIER, Case, X, a0, b0, c0, index, pair, x, y, z
from tests.tape.language import CPP, Call, Part, Raw, Step, call

Loop = tuple[int, int, int, int, int]
"""Of one dimension: strides of source and destination, size, elements of padding on both sides."""


def cases_950() -> list[Case]:
    return [*turns(), *flexible(), *dimensions(), *scattered(), _to_ub()]


def turns() -> Iterator[Case]:
    for dtype in ("float32", "float16", "int8", "int64"):
        yield Case("Interleave", dtype, (call("Interleave", z, z[512], x, y, 500),))
        yield Case("DeInterleave", dtype, (call("DeInterleave", z, z[512], x, y, 500),))
        yield Case("DeInterleave-one", dtype, (call("DeInterleave", z, z[512], x, 500),))


def flexible() -> Iterator[Case]:
    first = "<AscendC::BinaryDefaultType, true, kFirst>"
    for name, dtypes in (
        ("Subs", ("float16", "float32", "int64")),
        ("Divs", ("float16", "float32")),
        ("Ands", ("int16", "uint64")),
        ("Ors", ("int16", "uint64")),
    ):
        for dtype in dtypes:
            yield Case(f"{name}-first", dtype, (call(name, z, _scalar(dtype), x, 500),))
            yield Case(f"{name}-second", dtype, (call(name, z, x, _scalar(dtype), 500),))
            yield Case(f"{name}-element", dtype, (call(name, z, x, y[3], 500),))
            of_first = Call(name, (z, y[3], x, 500, Raw("", (True,))), first)
            yield Case(f"{name}-first-element", dtype, (_without_last(of_first),))
    yield Case("Mull", "int32", (call("Mull", z, z[512], x, y, 500),))
    wide = call("MulCast", z.cast("float32"), x, y, 500)
    yield Case("MulCast", "int64", (wide,))


def _scalar(dtype: str) -> Part:
    return Raw(f"{CPP[dtype]}(3)", (3,))


class _Flagged(Call):
    """A call whose last part stands on the tape only: in C++ it is a template argument."""

    def cpp(self, dtype: str) -> str:
        return Call(self.name, self.parts[:-1], self.template).cpp(dtype)


def _without_last(of: Call) -> Call:
    return _Flagged(of.name, of.parts, of.template)


def dimensions() -> Iterator[Case]:
    two: tuple[Loop, ...] = ((1, 1, 24, 2, 1), (40, 32, 5, 1, 0))
    five: tuple[Loop, ...] = tuple((3**d, 2**d, 2, 0, 0) for d in range(5))
    for dtype in ("float32", "float16", "int8"):
        yield Case("NDDMA-1", dtype, (_copy(dtype, ((2, 1, 100, 3, 4),), nearest=False),))
        yield Case("NDDMA-2", dtype, (_copy(dtype, two, nearest=False),))
        yield Case("NDDMA-nearest", dtype, (_copy(dtype, two, nearest=True),))
        yield Case("NDDMA-5", dtype, (_copy(dtype, five, nearest=False),))


def _copy(dtype: str, loops: tuple[Loop, ...], *, nearest: bool) -> Step:
    dims = len(loops)
    lists = [", ".join(str(loop[k]) for loop in loops) for k in range(5)]
    columns = ", ".join(f"{{{numbers}}}" for numbers in lists)
    kind = CPP[dtype]
    params = f"AscendC::NdDmaParams<{kind}, {dims}>{{{{{columns}}}, {kind}(7)}}"
    flat = tuple(n for loop in loops for n in loop)
    template = f"<T, {dims}, kNearest>" if nearest else ""
    return call(
        "DataCopy", z, X[8], Raw(params, ("NDDMA", dims, *flat, nearest, 7)), template=template
    )


def scattered() -> Iterator[Case]:
    signed = index.cast("int32")
    for dtype in ("float16", "float32"):
        steps = (
            call("CreateVecIndex", signed, 0, 64),
            BARRIER,
            call("Muls", signed, signed, 2 * DTYPES[dtype], 64),
            BARRIER,
            call("Scatter", z, x, index, 2 * DTYPES[dtype], 64),
        )
        yield Case("Scatter", dtype, steps)


def _to_ub() -> Case:
    """A product of nothing: what lies in L0C goes to UB in rows."""
    text = "AscendC::FixpipeParamsV220(32, 32, 32, 32, false)"
    sizes = ("ROW_MAJOR", 32, 32, 32, 32, False, "NoQuant")
    product = Raw("AscendC::MmadParams(32, 32, 32, 0, false, true)", (32, 32, 32, 0, False, True))
    out = Call("Fixpipe", (z.cast("float32"), c0, Raw(text, sizes)), "<float, float, kRowsInUb>")
    steps = (call("Mmad", c0, a0, b0, product), *pair("M_FIX"), out)
    return Case("Fixpipe-to-UB", "float16", steps, ("aic",), framed=False)
