"""A kernel around a few statements: what most tests here need."""

from __future__ import annotations

VECTOR = """\
import tilelang
import tilelang.language as T

{before}

@tilelang.jit(out_idx=[-1])
def kernel():
    @T.prim_func
    def main(
        x: T.Tensor((64, 512), "float32"),
        halves: T.Tensor((100, 50), "float16"),
        whole: T.Tensor((64, 64), "int32"),
        y: T.Tensor((64, 512), "float32"),
    ):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            a = T.alloc_ub((16, 64), "float32")
            b = T.alloc_ub((16, 64), "float32")
            c = T.alloc_ub((16, 64), "float32")
            column = T.alloc_ub((16, 1), "float32")
            row = T.alloc_ub((1, 64), "float32")
            line = T.alloc_ub((64,), "float32")
            heights = T.alloc_ub((16,), "float32")
            h = T.alloc_ub((16, 64), "float16")
            g = T.alloc_ub((16, 64), "float16")
            bf = T.alloc_ub((16, 64), "bfloat16")
            n = T.alloc_ub((16, 64), "int32")
            m = T.alloc_ub((16, 64), "int32")
            w = T.alloc_ub((16, 64), "int16")
            bits = T.alloc_ub((16, 64), "uint8")
            offsets = T.alloc_ub((64,), "uint32")

            with T.Scope("V"):
                T.copy(x[cid * 32 + vid * 16, 0], a)
                T.copy(x[cid * 32 + vid * 16, 64], b)
                T.copy(x[0, 0], line)
                T.copy(x[3, 0], row)
                T.copy(halves[cid * 32, 0], h)
                T.copy(whole[vid * 16, 0], n)
                T.barrier_all()
{body}
                T.barrier_all()
                T.copy(a, y[cid * 32 + vid * 16, 0])
                T.copy(c, y[cid * 32 + vid * 16, 64])

    return main
"""

CUBE = """\
import tilelang
import tilelang.language as T

{before}

@tilelang.jit(out_idx=[-1])
def kernel():
    @T.prim_func
    def main(
        A: T.Tensor((100, 200), "{dtype}"),
        B: T.Tensor((200, 96), "{dtype}"),
        C: T.Tensor((100, 96), "{out}"),
    ):
        with T.Kernel(2, is_npu=True) as (cid, _):
            a = T.alloc_L1((64, 64), "{dtype}")
            b = T.alloc_L1((64, 96), "{dtype}")
            ring_a = T.alloc_L1((2, 64, 64), "{dtype}")
            ring_b = T.alloc_L1((2, 64, 96), "{dtype}")
            a0 = T.alloc_L0A((64, 32), "{dtype}")
            b0 = T.alloc_L0B((32, 96), "{dtype}")
            c = T.alloc_L0C((64, 96), "{acc}")

            with T.Scope("C"):
{body}

    return main
"""


def vector(body: str, before: str = "") -> str:
    """A kernel of the vector cores: tiles a and b of x are loaded, a and c are stored."""
    return VECTOR.format(before=before, body=_indented(body))


def cube(body: str, *, dtype: str = "float16", out: str = "float16", before: str = "") -> str:
    """A kernel of the cube cores."""
    acc = "int32" if dtype == "int8" else "float32"
    names = {"dtype": dtype, "out": out, "acc": acc}
    return CUBE.format(before=before, body=_indented(body), **names)


def line_of(text: str, part: str) -> int:
    """The number of the only line that holds `part`."""
    (found,) = (i for i, line in enumerate(text.splitlines(), 1) if part in line)
    return found


def _indented(body: str) -> str:
    return "\n".join(" " * 16 + line for line in body.strip("\n").splitlines())
