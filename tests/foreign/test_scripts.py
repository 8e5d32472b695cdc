"""Files that bring their own script: it makes the inputs, calls the kernels, and its check is what is believed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gen.check import Outcome
from gen.check.foreign import RunOptions
from gen.check.foreign.script import ScriptVerdict, Values, run_script
from gen.errors import GenError
from gen.plan import Tree
from tests.foreign.samples import A_TREE, M_TREE, M_TREE_OF_ANY_HEIGHT, judging_itself, sample

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")


def built(path: Path, factor: str) -> ScriptVerdict:
    return run_script(path, RunOptions(defines={"FACTOR": factor}))


def test_a_sample_is_run_as_its_readme_says(tmp_path: Path) -> None:
    found = built(sample(tmp_path), "3")
    assert (found.outcome, found.values, found.said) == (
        Outcome.CLEAN,
        Values.RIGHT,
        "test pass!",
    ), found
    assert [c.name for c in found.calls] == ["scaled"]


def test_the_samples_check_says_what_is_wrong(tmp_path: Path) -> None:
    path = sample(tmp_path)
    path.write_text(path.read_text().replace("float(FACTOR)", "float(FACTOR) + 1"))
    found = built(path, "3")
    assert (found.values, found.said, found.clean) == (Values.WRONG, "test failed", False)
    assert found.calls[0].verdict.outcome is Outcome.CLEAN


def test_the_same_seed_makes_the_same_inputs(tmp_path: Path) -> None:
    path = sample(tmp_path)
    digests = [
        run_script(path, RunOptions(defines={"FACTOR": "3"}, seed=seed)).calls[0].verdict.outputs
        for seed in (1, 1, 2)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_inputs_that_cannot_be_made(tmp_path: Path) -> None:
    found = built(sample(tmp_path, makes="import nowhere\n"), "3")
    assert (found.outcome, found.values) == (Outcome.FAILED, Values.NOT_REACHED)
    assert "gen_data.py failed: ModuleNotFoundError: No module named 'nowhere'" in found.problem


@pytest.mark.parametrize(("expected", "values"), [("3", Values.RIGHT), ("4", Values.WRONG)])
def test_a_main_that_compares(tmp_path: Path, expected: str, values: Values) -> None:
    found = built(judging_itself(tmp_path, expected), "3")
    assert found.values is values
    assert found.calls[0].verdict.outcome is Outcome.CLEAN


def test_findings_of_a_sample(tmp_path: Path) -> None:
    path = sample(tmp_path)
    lines = [line for line in path.read_text().split("\n") if "MTE2_V" not in line]
    path.write_text("\n".join(lines))
    found = built(path, "3")
    assert found.outcome is Outcome.FINDINGS
    assert [f.code for f in found.calls[0].verdict.errors] == ["race-raw"]


def test_a_kernel_alone_has_no_script(tmp_path: Path) -> None:
    path = tmp_path / "kernel.asc"
    path.write_text(sample(tmp_path / "s").read_text().partition("int main()")[0])
    with pytest.raises(GenError) as caught:
        run_script(path)
    assert caught.value.diagnostics[0].code == "E140"


@pytest.fixture(scope="module")
def _a_tree() -> None:
    from gen.compile.a_tree.toolchain import status

    if (found := status()).toolchain is None:
        pytest.skip(found.reason)


@pytest.mark.usefixtures("_a_tree")
class TestATree:
    """Scripts of the A tree."""

    def test_every_call_is_run_with_the_scripts_tensors(self, tmp_path: Path) -> None:
        path = tmp_path / "scaled.py"
        path.write_text(A_TREE.replace("FACTOR", "2"))
        found = run_script(path, arguments=["--rows", "128"])
        assert (found.outcome, found.values) == (Outcome.CLEAN, Values.RIGHT), found
        assert [(c.name, c.times) for c in found.calls] == [
            ("scaled(M=128, N=64)", 2),
            ("scaled(M=256, N=128)", 2),
        ]
        assert found.calls[1].verdict.outputs[0].shape == (256, 128)

    def test_both_front_ends_are_held_against_each_other_in_every_call(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "scaled.py"
        path.write_text(A_TREE.replace("FACTOR", "2"))
        both = RunOptions(a_tree="both")
        found = run_script(path, both, arguments=["--rows", "128"])
        assert (found.outcome, found.values) == (Outcome.CLEAN, Values.RIGHT), found
        assert [c.verdict.front_end.endswith(" = interpreter") for c in found.calls] == [True] * 2
        # The compiler drops the second half of the condition; the interpreter says so.
        text = A_TREE.replace("T.barrier_all()", "if cid >= 0 and vid >= 0:\n T.barrier_all()", 1)
        path.write_text(
            text.replace("\n T.barrier", "\n" + " " * 20 + "T.barrier").replace("FACTOR", "2")
        )
        found = run_script(path, both)
        assert found.values is Values.RIGHT
        (fault,) = found.calls[0].verdict.faults
        assert (fault.code, fault.severity) == ("front-ends-differ", "note")
        assert "behind `and`" in fault.message

    def test_a_comparison_that_fails(self, tmp_path: Path) -> None:
        path = tmp_path / "scaled.py"
        path.write_text(A_TREE.replace("FACTOR", "2.5"))
        found = run_script(path)
        assert (found.outcome, found.values, len(found.calls)) == (
            Outcome.FAILED,
            Values.WRONG,
            1,
        )
        assert "not close" in found.said

    def test_constants_take_other_values(self, tmp_path: Path) -> None:
        path = tmp_path / "scaled.py"
        path.write_text(A_TREE.replace("FACTOR", "SCALE"))
        found = run_script(path, RunOptions(constants={"SCALE": "0.5"}))
        assert found.values is Values.RIGHT
        assert path.read_text() == A_TREE.replace("FACTOR", "SCALE")

    def test_a_script_that_stops(self, tmp_path: Path) -> None:
        path = tmp_path / "scaled.py"
        path.write_text(A_TREE.replace("FACTOR * x.npu()", "torch.nothing(x)"))
        found = run_script(path)
        assert found.values is Values.NOT_REACHED
        assert "AttributeError" in found.problem
        assert "(line 37: `torch.testing.assert_close(y.cpu(), torch.nothing(x))`)" in found.problem

    def test_a_script_that_leaves_by_itself(self, tmp_path: Path) -> None:
        path = tmp_path / "scaled.py"
        path.write_text(A_TREE.replace("for M, N in", "raise SystemExit(0)\nfor M, N in"))
        found = run_script(path)
        assert (found.outcome, found.values, found.calls) == (
            Outcome.NOT_RUN,
            Values.NOT_REACHED,
            (),
        )


@pytest.fixture(scope="module")
def _m_tree() -> None:
    from gen.compile.m_tree import installed

    if absent := installed.missing():
        pytest.skip(f"{absent.message}: {absent.help}")


@pytest.mark.usefixtures("_m_tree")
@pytest.mark.parametrize(("factor", "values"), [("2", Values.RIGHT), ("3", Values.WRONG)])
def test_the_m_trees_compiler_lowers_and_the_model_runs(
    tmp_path: Path, factor: str, values: Values
) -> None:
    """What is compiled for another target after that is left out."""
    path = tmp_path / "doubled.py"
    path.write_text(M_TREE.replace("FACTOR", factor))
    found = run_script(path, RunOptions(constants={"N": "8192"}))
    assert (found.tree, found.values) == (Tree.M, values), found
    assert [c.verdict.outcome for c in found.calls] == [Outcome.CLEAN]


@pytest.mark.usefixtures("_m_tree")
def test_extents_of_the_m_tree_known_at_run_time(tmp_path: Path) -> None:
    """Nothing is measured, and the numbers say so."""
    path = tmp_path / "doubled.py"
    path.write_text(M_TREE_OF_ANY_HEIGHT)
    found = run_script(path)
    assert (found.tree, found.outcome, found.values) == (Tree.M, Outcome.CLEAN, Values.RIGHT), found
    shapes = [c.verdict.outputs[0].shape for c in found.calls]
    assert shapes == [(8, 256), (5, 256), (5, 256)]
    assert found.said == "nan us, nan TFLOPS, nan, nan %"


@pytest.mark.usefixtures("_m_tree")
def test_what_is_built_for_another_target_only_is_unsupported(tmp_path: Path) -> None:
    path = tmp_path / "doubled.py"
    path.write_text(M_TREE_OF_ANY_HEIGHT.replace('"asc"', '"pto"'))
    found = run_script(path)
    assert (found.outcome, found.values) == (Outcome.UNSUPPORTED, Values.NOT_REACHED)
    assert found.problem == "unsupported: target pto"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("aclrtFree(on_y);", ""), "the device memory of argument 2, 1,024 bytes, is never freed"),
        (
            ("&on_x, 1024,", "&on_x, 4096,"),
            "3,072 of the 4,096 bytes of argument 1 are never given a value or used",
        ),
        (("", ""), ""),
    ],
)
def test_what_a_host_program_does_with_memory(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    path = sample(tmp_path)
    path.write_text(path.read_text().replace(*change) if said else path.read_text())
    verdict = built(path, "3").calls[0].verdict
    assert verdict.host == ((said,) if said else ())
    assert verdict.outcome is Outcome.CLEAN
