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
T.copy(x[k, 0], b)
for i in T.serial(6):
    z = n[i, 0]
    T.copy(x[z, 0], b)
    T.tile.add(c, a, b)
    T.copy(x[q, 0], a)
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
}


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


@pytest.mark.parametrize("name", VECTOR)
def test_operations(name: str, tmp_path: Path) -> None:
    body = VECTOR[name].replace("T.barrier_all()\n", "")
    agree(with_passes(vector(body), SYNC), tmp_path)


@pytest.mark.parametrize("name", CUBE)
def test_operations_of_the_cube(name: str, tmp_path: Path) -> None:
    agree(with_passes(cube(CUBE[name]), SYNC, MEMORY), tmp_path)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
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
