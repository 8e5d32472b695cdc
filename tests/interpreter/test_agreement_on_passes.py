"""What the compiler's passes insert, and where they put buffers, is the same in the interpreter."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gen.check.agreement import DIFFERENCE
from gen.check.foreign import RunOptions, run_file
from gen.plan import Form, plan
from gen.render import render
from gen.spec import Spec, load
from gen.spec.models import ATreeOptions
from tests.interpreter.kernels import cube, vector
from tests.interpreter.test_agreement_on_operations import CUBE, VECTOR
from tests.product import strategies

ROOT = Path(__file__).parents[2]
SYNC, MEMORY = "tl.ascend_auto_sync", "tl.ascend_memory_planning"
COMBINE, CROSS = "tl.ascend_auto_cv_combine", "tl.ascend_auto_cross_core_sync"

pytestmark = pytest.mark.usefixtures("compiler")

STATEMENTS = {
    "tiles of a domain": """
for i, j in T.Persistent([4, 6], 2, cid, 6):
    T.copy(x[i * 16, j * 64], a)
    T.tile.add(c, a, b)
for i, j in T.Persistent([3, 3], 2, cid, 3):
    T.copy(x[i * 16, j * 64], a)
    T.tile.add(c, a, b)
""",
    "variables": """
s = T.alloc_var("int32", 6)
for i in T.serial(6):
    s = s + 1
    T.tile.add(c, a, 1.0)
    T.copy(x[s, 0], b)
k = s
T.copy(x[k, 0], b)
s = n[0, 3]
while s > 0:
    T.tile.add(c, a, b)
    T.copy(x[0, 0], b)
    s = s - 1
    if s == 2:
        T.loop_break()
""",
    "numbers from memory": """
k = n[0, 3]
q = n[0, 4] + 2
T.copy(x[T.min(T.max(k, 0), 40), 0], b)
for i in T.serial(6):
    z = n[i, 0]
    T.copy(x[T.min(T.max(z, 0), 40), 0], b)
    T.tile.add(c, a, b)
    T.copy(x[T.min(T.max(q, 0), 40), 0], a)
""",
    "a pipeline": """
for k in T.Pipelined(5, num_stages=2):
    T.copy(x[vid * 16, k * 64], a)
    if k == 0:
        T.tile.exp(b, a)
    if k < 4:
        T.tile.add(b, b, a)
    T.copy(b, y[vid * 16, k * 64])
""",
    "numbers to memory": """
n[0, 0] = 3
for i in T.serial(6):
    T.tile.add(m, n, n)
    n[0, 0] = m[0, 0] + 1
    T.tile.add(m, n, n)
    if i > 2:
        n[0, 0] = 5
""",
    "T.Parallel by rows": """
for i in T.serial(2):
    for p, q in T.Parallel(16, 64):
        c[p, q] = a[p, q] * line[p]
    for p, q in T.Parallel(16, 64):
        c[p, q] = (c[p, q] - line[p]) * b[p, q]
    T.tile.add(c, c, b)
for p, q in T.Parallel(16, 64):
    a[p, q] = c[p, q] / line[p]
""",
    "branches": """
for i in T.serial(6):
    for j in T.serial(3):
        T.tile.add(c, a, b)
        if i == 0:
            T.tile.add(a, a, b)
        elif j == 1:
            T.copy(x[0, 0], b)
    if vid == 0:
        T.tile.add(c, a, b)
    else:
        T.tile.exp(a, a)
for i in T.unroll(3):
    T.tile.add(c, a, b)
for i in T.serial(1):
    T.tile.add(c, a, b)
if cid < 24:
    T.tile.add(a, a, b)
""",
    "branches in branches": """
for i in T.serial(6):
    T.copy(x[0, 0], b)
    if i > 1:
        T.tile.exp(a, a)
        if i > 0:
            T.tile.add(a, a, b)
        if i > 2:
            T.tile.add(a, a, b)
    else:
        if i < 3:
            T.tile.add(a, a, b)
        if i != 0:
            T.tile.exp(b, b)
            if i > 0:
                T.tile.add(a, a, b)
    if T.And(i > 0, vid == 0):
        T.tile.exp(b, b)
        if vid == 0:
            T.tile.add(a, a, b)
    if i + vid < 4:
        if i + vid < 4:
            T.tile.add(a, a, b)
        if i < 3:
            T.tile.add(a, a, b)
""",
    "more buffers than memory": """
b0 = T.alloc_ub((16, 512), "float32")
b1 = T.alloc_ub((16, 768), "float32")
b2 = T.alloc_ub((16, 512), "float32")
b3 = T.alloc_ub((16, 640), "float32")
b4 = T.alloc_ub((16, 256), "float32")
for i in T.serial(2):
    T.tile.fill(b0, 1.0)
    for j in T.serial(2):
        T.tile.fill(b2, 2.0)
        T.tile.add(b2, b2, b0)
    T.tile.exp(b2, b0)
T.tile.fill(b1, 3.0)
T.tile.exp(b1, b1)
if vid == 0:
    T.tile.fill(b3, 3.0)
    T.tile.exp(b3, b3)
T.tile.fill(b4, 3.0)
T.tile.exp(b4, b4)
T.tile.add(c, a, a)
""",
}

UNSCOPED = """
import tilelang
import tilelang.language as T

@tilelang.jit(out_idx=[-1])
def kernel():
    @T.prim_func
    def main(
        A: T.Tensor((128, 128), "float16"),
        B: T.Tensor((128, 128), "float16"),
        W: T.Tensor((128, 128), "float32"),
        C: T.Tensor((128, 128), "float32"),
    ):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            a = T.alloc_L1((64, 128), "float16")
            b = T.alloc_L1((128, 128), "float16")
            c = T.alloc_L0C((64, 128), "float32")
            u = T.alloc_ub((32, 128), "float32")
            T.barrier_all()
            for i in T.serial(2):
                T.copy(A[cid * 64, 0], a)
                T.copy(B[0, 0], b)
                T.gemm_v0(a, b, c, init=True)
                T.copy(c, W[cid * 64, 0])
                T.set_cross_flag("FIX", 0)
                if i == 1:
                    T.barrier_all()
                T.wait_cross_flag(0)
                T.printf("%d", i)
                T.copy(W[cid * 64 + vid * 32, 0], u)
                T.tile.exp(u, u)
                T.copy(u, C[cid * 64 + vid * 32, 0])

    return main
"""
"""A kernel without T.Scope: its statements are for the cube core and for the vector cores in turn."""


def with_passes(text: str, *names: str) -> str:
    passes = ", ".join(f'"{name}": True' for name in names)
    wanted = f"@tilelang.jit(out_idx=[-1], pass_configs={{{passes}}})"
    assert "@tilelang.jit(out_idx=[-1])" in text
    return text.replace("@tilelang.jit(out_idx=[-1])", wanted)


def agree(text: str, folder: Path, **options: object) -> None:
    path = folder / "kernel.py"
    path.write_text(text, encoding="utf-8")
    chosen = RunOptions(a_tree="both", witnesses=False, **options)  # type: ignore[arg-type]
    verdict = run_file(path, chosen)
    assert not [fault for fault in verdict.faults if fault.code == DIFFERENCE]
    assert verdict.front_end.endswith("= interpreter"), verdict.reason


def agree_on(spec: Spec, folder: Path) -> None:
    kernel = render(plan(spec)).kernel(Form.A_AUTO)
    assert kernel is not None
    agree(kernel.text, folder, function=spec.name)


@pytest.mark.parametrize("name", ["add_forms", "gemm_forms", "rmsnorm_forms"])
def test_shipped_specs(name: str, tmp_path: Path) -> None:
    agree_on(load(ROOT / "specs" / f"{name}.yaml"), tmp_path)


@pytest.mark.parametrize("passes", [(SYNC,), (SYNC, MEMORY)], ids=["sync", "memory"])
@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str, passes: tuple[str, ...], tmp_path: Path) -> None:
    agree(with_passes(vector(STATEMENTS[name]), *passes), tmp_path)


@pytest.mark.parametrize("passes", [(COMBINE,), (COMBINE, CROSS, SYNC, MEMORY)], ids=len)
def test_one_kernel_for_both_kinds_of_cores(passes: tuple[str, ...], tmp_path: Path) -> None:
    agree(with_passes(UNSCOPED, *passes), tmp_path)


@pytest.mark.parametrize("passes", [(COMBINE,), (COMBINE, CROSS, SYNC, MEMORY)], ids=len)
def test_a_kernel_without_scope_for_vector_cores(passes: tuple[str, ...], tmp_path: Path) -> None:
    text = vector(VECTOR["arithmetic"])
    unscoped = text.replace('with T.Scope("V"):', "for _ in T.serial(1):")
    agree(with_passes(unscoped, *passes), tmp_path)


@pytest.mark.parametrize("name", VECTOR)
def test_operations(name: str, tmp_path: Path) -> None:
    body = VECTOR[name].replace("T.barrier_all()\n", "")
    agree(with_passes(vector(body), SYNC), tmp_path)


@pytest.mark.parametrize("name", CUBE)
def test_operations_of_the_cube(name: str, tmp_path: Path) -> None:
    agree(with_passes(cube(CUBE[name]), SYNC, MEMORY), tmp_path)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.one_of(strategies.elementwise(), strategies.gemm(), strategies.norm()),
    st.booleans(),
)
def test_specs_drawn_at_random(
    tmp_path_factory: pytest.TempPathFactory, spec: Spec | None, memory: bool
) -> None:
    if spec is None:
        return
    options = ATreeOptions(auto_sync=True, memory_planning=memory)
    drawn = spec.model_copy(update={"a_tree": options})
    if not {"a_tree", "a_tree_auto"} & plan(drawn).refused.keys():
        agree_on(drawn, tmp_path_factory.mktemp("drawn"))


CROSSED = UNSCOPED.replace("        W: T.Tensor", "        workspace: T.Tensor").split(
    "            T.barrier_all()"
)[0]
"""The same kernel without its statements, with a tensor between the cores and buffers of both."""

BETWEEN = {
    "flags in the loop that both share": """
for i in T.serial(2):
    T.copy(A[cid * 64, 0], a)
    T.copy(B[0, 0], b)
    T.gemm_v0(a, b, c, init=True)
    T.copy(c, workspace[cid * 64, 0])
    T.copy(workspace[cid * 64 + vid * 32, 0], u)
    T.tile.exp(u, u)
    T.copy(u, C[cid * 64 + vid * 32, 0])
""",
    "loops of one round, loops that are written out, flags around loops": """
for j in T.serial(1):
    T.copy(c, workspace[cid * 64, 0])
for i in T.unroll(4):
    T.copy(workspace[cid * 64 + vid * 32, 0], u)
    T.tile.exp(u, u)
    T.copy(u, C[cid * 64 + vid * 32, 0])
for i in T.serial(2):
    T.copy(c, workspace[cid * 64, 0])
    T.barrier_all()
for i in T.serial(2):
    for j in T.serial(3):
        T.copy(workspace[cid * 64 + vid * 32, 0], u)
for i in T.serial(cid + 1):
    T.copy(u, workspace[cid * 64 + vid * 32, 0])
    T.copy(workspace[cid * 64, 0], f)
""",
    "a pipeline over both": """
for k in T.Pipelined(4, num_stages=2):
    T.copy(A[cid * 64, 0], a)
    T.copy(B[0, 0], b)
    T.gemm_v0(a, b, c, init=True)
    T.copy(c, workspace[cid * 64, 0])
    T.copy(workspace[cid * 64 + vid * 32, 0], u)
    T.tile.exp(u, u)
    T.copy(u, C[cid * 64 + vid * 32, k * 16])
""",
}


@pytest.mark.parametrize("passes", [(), (SYNC,), (SYNC, MEMORY)], ids=len)
@pytest.mark.parametrize("name", BETWEEN)
def test_tensors_between_the_cores(name: str, passes: tuple[str, ...], tmp_path: Path) -> None:
    body = "\n".join(" " * 12 + line for line in BETWEEN[name].strip("\n").splitlines())
    more = '            f = T.alloc_L1((64, 128), "float32")\n'
    text = f"{CROSSED}{more}{body}\n\n    return main\n"
    agree(with_passes(text, COMBINE, CROSS, *passes), tmp_path)


ELEMENTS = """
n = table[0]
for i in T.serial(2):
    m = table[i]
    T.copy(A[T.min(T.max(m, 0), 1) * 64, 0], a)
    T.copy(B[0, 0], b)
    T.gemm_v0(a, b, c, init=True)
    T.copy(c, workspace[cid * 64, 0])
    if table[2] > 3:
        T.copy(A[0, 0], a)
    if table[1] > 3:
        T.copy(C[cid * 64 + vid * 32, 0], u)
    else:
        T.copy(workspace[cid * 64 + vid * 32, 0], u)
    if table[3] > 3:
        T.copy(A[0, 0], a)
        k = table[3]
        if n > 4:
            T.tile.exp(u, u)
    T.copy(u, C[cid * 64 + vid * 32, 0])
w = table[3]
T.copy(C[0, 0], u)
T.copy(u, C[T.min(T.max(w, 0), 1) * 64, 0])
"""
"""Each kind of core reads what its own statements need: names that only the others use are gone."""


@pytest.mark.parametrize("passes", [(), (SYNC,), (CROSS, SYNC, MEMORY)], ids=len)
def test_numbers_from_memory_for_both_kinds(passes: tuple[str, ...], tmp_path: Path) -> None:
    body = "\n".join(" " * 12 + line for line in ELEMENTS.strip("\n").splitlines())
    table = '        table: T.Tensor((4,), "int32"),\n        C: T.Tensor'
    text = f"{CROSSED.replace('        C: T.Tensor', table)}{body}\n\n    return main\n"
    agree(with_passes(text, COMBINE, *passes), tmp_path, inputs={"table": "int32[4]{0..6}"})
