"""Compiler and interpreter make the same of the corpus, of the specs, and of specs drawn at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gen.check.agreement import DIFFERENCE
from gen.check.foreign import FileVerdict, RunOptions, run_file
from gen.check.verdict import Fault
from gen.plan import plan
from gen.render import render
from gen.spec import Spec, load
from tests.a_tree.a_cases import SPECS
from tests.product import strategies

ROOT = Path(__file__).parents[2]
CORPUS = sorted((ROOT / "tests" / "corpus" / "a_tree").glob("*.py"))

REFUSED = {
    "float32_operand_not_transposed.py": "products of float32 are right only of A as [M, K]",
    "half_sum_of_too_many_rows.py": "at most 255 rows of 128",
    "half_sum_of_too_wide_rows.py": "at most 255 rows of 128",
    "k13_column_of_one.py": "rows of one element",
    "k13_dense_add_on_padded_rows.py": "rows of b have 504 bytes",
    "k14_init_with_python_and.py": "behind `and`",
    "l0b_exceeded.py": "gemm_v0 takes 131,072 bytes to L0B",
    "l0c_exceeded.py": "the buffers in L0C end at byte 262,144",
    "persistent_group_loses_tiles.py": "T.Persistent in groups of 8 loses tiles",
    "row_starts_inside_of_a_block.py": "rows of a have 16 bytes",
    "row_sums_stored_as_column.py": "rows of one element",
    "scope_with_unknown_name.py": "there is no T.Scope('vector')",
    "short_k_in_staged_l1.py": "only 8 of the 32 columns of K are loaded",
    "silu_in_place.py": "T.tile.silu cannot work in place",
    "ub_exceeded.py": "the buffers in UB end at byte 294,528",
    "ub_reserved_end_used.py": "the buffers in UB end at byte 196,512",
}
"""Kernels of the corpus that the compiler takes and the interpreter refuses: what is wrong with them, or is not here."""

pytestmark = pytest.mark.usefixtures("compiler")


def both(path: Path, **options: object) -> FileVerdict:
    return run_file(path, RunOptions(a_tree="both", witnesses=False, **options))  # type: ignore[arg-type]


def differences(verdict: FileVerdict) -> list[Fault]:
    return [fault for fault in verdict.faults if fault.code == DIFFERENCE]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_corpus(path: Path) -> None:
    verdict = both(path)
    found = differences(verdict)
    if path.name in REFUSED:
        (note,) = found
        assert note.severity == "note"
        assert REFUSED[path.name] in note.message
    elif verdict.rejected:
        assert all(note.severity == "note" and note.places for note in found)
    else:
        assert not found
        assert "= interpreter" in verdict.front_end


def test_every_refused_kernel_is_in_the_corpus() -> None:
    assert REFUSED.keys() <= {path.name for path in CORPUS}


def agree(spec: Spec, folder: Path) -> None:
    kernel = render(plan(spec)).kernel("a_tree")
    assert kernel is not None
    path = folder / "a_tree.py"
    path.write_text(kernel.text, encoding="utf-8")
    verdict = both(path, function=spec.name)
    assert not differences(verdict)
    assert verdict.front_end.endswith("= interpreter")


@pytest.mark.parametrize("path", sorted((ROOT / "specs").glob("*.yaml")), ids=lambda p: p.stem)
def test_shipped_specs(path: Path, tmp_path: Path) -> None:
    agree(load(path), tmp_path)


@pytest.mark.parametrize("name", SPECS)
def test_specs(name: str, tmp_path: Path) -> None:
    agree(SPECS[name], tmp_path)


@settings(max_examples=24, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(strategies.elementwise(), strategies.gemm(), strategies.norm()))
def test_specs_drawn_at_random(tmp_path_factory: pytest.TempPathFactory, spec: Spec | None) -> None:
    if spec is not None and "a_tree" not in plan(spec).refused:
        agree(spec, tmp_path_factory.mktemp("drawn"))
