"""Mutants of real kernels, compiled and run: each is found, or proved to order as much as the kernel."""

from __future__ import annotations

import pytest

from gen.plan import Form
from gen.score.breaking import Choice, broken, kernel_of
from gen.score.mutants import Operator
from gen.score.mutation import Fate, Mutants, NotCleanError
from gen.spec import Spec, loads

ADD = """
kind: elementwise
name: small_add
shape: [100003]
inputs: {x: float16, y: float16}
output: {z: float16}
body: x + y
tile: 128
"""
GEMM = """
kind: gemm
name: small_gemm
m: 100
n: 70
k: 200
a: float16
b: float16
c: float16
tile: {m: 32, n: 32, k: 32}
"""
FORMS = "sync: manual\na_tree: {auto_sync: true}\n"
SPECS = {"add": ADD + FORMS, "gemm": GEMM + FORMS}


def spec(name: str) -> Spec:
    return loads(SPECS[name])


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("name", SPECS)
def test_every_mutant_is_found_or_harmless(name: str, form: Form) -> None:
    kernel, _ = kernel_of(spec(name), form)
    cases = Mutants(kernel).judge_all()
    fates = [c.fate for c in cases]
    assert fates.count(Fate.KILLED) >= 10
    left = [c for c in cases if c.fate in (Fate.SURVIVED, Fate.UNSUPPORTED)]
    assert not left, [(c.mutant, c.reason) for c in left]


@pytest.mark.parametrize("form", [Form.A, Form.ASCENDC])
def test_a_missing_statement_is_found_by_the_model_itself(form: Form) -> None:
    """Not only by the values: whoever deletes synchronisation gets a finding."""
    kernel, _ = kernel_of(spec("add"), form, auto_sync=form is Form.ASCENDC)
    mutants = Mutants(kernel)
    for mutant in (m for m in mutants.mutants if m.operator is Operator.DELETE):
        case = mutants.judge(mutant)
        assert case.findings, mutant


def test_a_harmless_mutant_is_proved_and_not_guessed() -> None:
    kernel, _ = kernel_of(spec("add"), Form.A)
    mutants = Mutants(kernel)
    neighbours = [m for m in mutants.mutants if m.operator is Operator.SWAP]
    proved = [c for c in map(mutants.judge, neighbours) if c.fate is Fate.EQUIVALENT]
    assert proved
    assert all("ordered" in c.reason for c in proved)


def test_a_broken_kernel_tells_line_finding_and_numbers() -> None:
    found = broken(spec("add"), Form.A, Choice(Operator.DELETE))
    assert found.case.mutant.operator is Operator.DELETE
    assert found.place.origin is not None
    assert "T." in found.place.origin.text
    races = [f for f in found.faults if f.code.startswith("race-")]
    assert any(f.witness for f in races)


def test_the_same_seed_breaks_the_same_statement() -> None:
    numbers = {broken(spec("add"), Form.A, Choice(seed=3)).case.mutant.number for _ in range(2)}
    assert len(numbers) == 1


def test_a_kernel_that_is_not_clean_has_no_mutants() -> None:
    # Vector instructions of these queues rely on the compiler's barriers.
    kernel, _ = kernel_of(loads(ADD.replace("x + y", "x + y * x")), Form.ASCENDC, auto_sync=False)
    with pytest.raises(NotCleanError):
        Mutants(kernel)
