"""Fragments of the TileLang trees: each in a kernel of its own.

What a fragment may use without declaring it, in the A tree: `x` (4096 floats), `y` (2048 floats, the output), `x_ub`,
`y_ub` and `z_ub` (1024 floats), `cid` and `vid`; with `cube` the tensors `a`, `b` and `c` (16 x 16), their tiles
`a_l1`, `b_l1` and the accumulator `c_l0`; with `mix` the fragment opens its scopes itself. In the M tree: `x`, `y`
(1024 floats), `x_ub` and `y_ub`; with `manual` the compiler inserts no synchronisation.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import indent

import numpy as np

from gen.check.profiles import profile_of
from gen.compile import a_tree, m_tree
from gen.compile.base import DeviceProgram
from gen.plan import Tree
from gen.rules import Fragment
from gen.sim import Profile, Run
from tests.rules.ascendc_fragments import looked_at

_A_VECTOR = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def kernel():
    @T.prim_func
    def main(x: T.Tensor((4096,), "float32"), y: T.Tensor((2048,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((1024,), "float32")
            y_ub = T.alloc_ub((1024,), "float32")
            z_ub = T.alloc_ub((1024,), "float32")
{scope}
{body}

    return main
"""
_A_CUBE = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def kernel():
    @T.prim_func
    def main(
        a: T.Tensor((16, 16), "float16"),
        b: T.Tensor((16, 16), "float16"),
        c: T.Tensor((16, 16), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a_l1 = T.alloc_L1((16, 16), "float16")
            b_l1 = T.alloc_L1((16, 16), "float16")
            c_l0 = T.alloc_L0C((16, 16), "float32")
            with T.Scope("C"):
{body}

    return main
"""
_M = """\
import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend"{options})
def kernel(x):
    x: T.Tensor((4096,), T.float32)
    y = T.empty((1024,), T.float32)
    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((1024,), T.float32)
        y_ub = T.alloc_shared((1024,), T.float32)
{body}
    return y
"""
_MANUAL = ', pass_configs={"tl.enable_auto_schedule": False}'
_X = {"x": np.arange(4096, dtype=np.float32) / 8}
_A_B = {"a": np.eye(16, dtype=np.float16), "b": np.eye(16, dtype=np.float16)}


def a_text(fragment: Fragment) -> str:
    if "cube" in fragment.options:
        return _A_CUBE.format(body=indent(fragment.text, 16 * " "))
    scoped = "mix" not in fragment.options
    scope = 12 * " " + 'with T.Scope("V"):' if scoped else ""
    return _A_VECTOR.format(scope=scope, body=indent(fragment.text, (16 if scoped else 12) * " "))


def m_text(fragment: Fragment) -> str:
    options = _MANUAL if "manual" in fragment.options else ""
    return _M.format(options=options, body=indent(fragment.text, 8 * " "))


def a_program(fragment: Fragment, worker: a_tree.Worker) -> DeviceProgram:
    """The kernel around a fragment of the A tree, compiled."""
    text = a_text(fragment)
    return a_tree.compile(Path("kernel.py"), text=text, function="kernel", worker=worker)


def m_program(fragment: Fragment, session: m_tree.Session) -> DeviceProgram:
    """The kernel around a fragment of the M tree, compiled."""
    types = (m_tree.TensorType("x", (4096,), "float32"),)
    return m_tree.compile(Path("kernel.py"), types, text=m_text(fragment), session=session)


def verdict(fragment: Fragment, program: DeviceProgram) -> Run:
    """What the model says of a fragment, under the default profile of its tree."""
    cube = "cube" in fragment.options
    size = 2048 if fragment.tree == "a_tree" else 1024
    inputs = _A_B if cube else _X
    outputs = {"c": (np.dtype("f4"), (16, 16))} if cube else {"y": (np.dtype("f4"), (size,))}
    profile = replace(
        profile_of(program.chip, Tree(fragment.tree)), deep="deep" in fragment.options
    )

    def rerun(profile: Profile, kept: Path | None) -> Run:
        return program.run(inputs, outputs, profile, 60, kept=kept)[1]

    return looked_at(rerun(profile, None), profile, rerun)
