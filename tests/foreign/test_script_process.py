"""The process of a script: what it is given by chance, what it passes to kernels, and how it is ended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.text import Text

from gen.check import Outcome
from gen.check.foreign import FileVerdict, RunOptions
from gen.check.foreign.script import Call, ScriptVerdict, Values, run_script
from gen.plan import Tree
from gen.show.script_verdict import lines
from tests.foreign.samples import A_TREE, sample

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")

ROOT = Path(__file__).parents[2]
CONFIGS = ", pass_configs={tilelang.PassConfigKey.TL_ASCEND_AUTO_SYNC: True}"
KERNEL = A_TREE.partition("for M, N in")[0].replace(CONFIGS, "")
COMPARED = "torch.testing.assert_close(scaled(64, 64)(x), 2 * x)\n"


def script(folder: Path, text: str, **options: object) -> ScriptVerdict:
    path = folder / "scaled.py"
    path.write_text(KERNEL + text)
    return run_script(path, RunOptions(a_tree="interpreter", **options))  # type: ignore[arg-type]


def shown(verdict: ScriptVerdict) -> str:
    marked = lines(verdict, 160, notes=False, comparison=False)
    return "\n".join(Text.from_markup(line).plain for line in marked)


MADE_BY_CHANCE = """\
import random, numpy
x = torch.randn(64, 64) + torch.from_numpy(numpy.random.randn(64, 64)).float()
x += torch.from_numpy(numpy.random.default_rng().normal(size=(64, 64))).float()
x += random.random() + float(hash("tile") % 1000) + torch.nan_to_num(torch.empty(64, 64), nan=1.5)
"""


def test_the_same_numbers_each_time(tmp_path: Path) -> None:
    text = MADE_BY_CHANCE + COMPARED
    digests = {script(tmp_path, text).calls[0].verdict.outputs[0].digest for _ in range(2)}
    assert len(digests) == 1


def test_the_seed_makes_other_numbers_unless_the_script_has_one(tmp_path: Path) -> None:
    def digests(text: str) -> set[str]:
        text = f"{text}x = torch.randn(64, 64)\n{COMPARED}"
        found = [script(tmp_path, text, seed=seed) for seed in (0, 1)]
        return {f.calls[0].verdict.outputs[0].digest for f in found}

    assert len(digests("")) == 2
    assert len(digests("torch.manual_seed(7)\n")) == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            "kernel(x.half())",
            "takes x as float32[64, 64], and is given float16[64, 64] (line 34: `y = kernel(x.half())`)",
        ),
        (
            "kernel(x[:, :32])",
            "takes x as float32[64, 64], and is given float32[64, 32] (line 34: `y = kernel(x[:, :32])`)",
        ),
    ],
)
def test_a_tensor_that_the_kernel_does_not_take(tmp_path: Path, call: str, said: str) -> None:
    """One sentence at the line of the call, and no findings of what would come of it."""
    text = f"kernel = scaled(64, 64)\nx = torch.randn(64, 64)\ny = {call}\nassert y is not None\n"
    found = script(tmp_path, text)
    assert (found.outcome, found.values, found.calls) == (Outcome.FAILED, Values.NOT_REACHED, ())
    assert found.problem == f"the script stops: wrong call: `scaled` {said}"
    assert "failed, no kernel was called" in shown(found)


def test_a_tensor_may_come_flattened(tmp_path: Path) -> None:
    text = (
        "x = torch.randn(64 * 64)\ny = scaled(64, 64)(x)\nassert torch.equal(y.view(-1), 2 * x)\n"
    )
    assert script(tmp_path, text).values is Values.RIGHT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "y = scaled(64, 64)(x)\nprint(y.nothing)\n",
            "the script stopped, and it compares nothing",
        ),
        ("y = x.nothing\nassert torch.equal(x, y)\n", "the script did not come to its check"),
    ],
)
def test_what_is_said_of_the_check_of_a_script_that_stops(
    tmp_path: Path, text: str, words: str
) -> None:
    found = script(tmp_path, f"x = torch.randn(64, 64)\n{text}")
    assert found.values is Values.NOT_REACHED
    assert words in shown(found)


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ((), "no kernel was called\n"),
        ((1,), "1 kernel call\n"),
        ((2,), "2 kernel calls, all with the same numbers\n"),
        ((2, 1), "3 kernel calls, 2 of them different\n"),
        ((1, 1), "2 kernel calls\n"),
    ],
)
def test_how_calls_are_counted(times: tuple[int, ...], words: str) -> None:
    clean = FileVerdict("scaled.py", Tree.A, "ascend910b", Outcome.CLEAN)
    calls = tuple(Call("scaled", clean, n) for n in times)
    found = ScriptVerdict(calls, Values.RIGHT, path="scaled.py", tree=Tree.A)
    assert words in shown(found)


LEAVES = "import subprocess\nsubprocess.Popen(['setsid', 'env', '-i', '/bin/sleep', '{n}'])\n"


def sleeping(number: str) -> bool:
    files = [p for p in Path("/proc").glob("[0-9]*/cmdline") if p.parent.name.isdigit()]
    for file in files:
        try:
            if file.read_bytes() == f"/bin/sleep\0{number}\0".encode():
                return True
        except OSError:
            continue
    return False


@pytest.mark.parametrize("end", ["", "import os\nos._exit(3)\n", "raise SystemExit(3)\n"])
def test_what_a_script_leaves_running_ends_with_it(tmp_path: Path, end: str) -> None:
    number = f"71.{len(end)}"
    found = script(tmp_path, f"x = torch.randn(64, 64)\n{COMPARED}{LEAVES.format(n=number)}{end}")
    assert (found.values is Values.RIGHT) == (not end), found
    if "os._exit" not in end:  # its environment is gone, and so is its parent
        assert not sleeping(number)


def test_what_the_script_of_a_sample_leaves_running_delays_nothing(tmp_path: Path) -> None:
    path = sample(tmp_path)
    made = path.parent / "scripts" / "gen_data.py"
    made.write_text(made.read_text() + LEAVES.format(n="72.5"))
    began = time.monotonic()
    assert run_script(path, RunOptions(defines={"FACTOR": "3"})).values is Values.RIGHT
    assert time.monotonic() - began < 60
    assert not sleeping("72.5")


@pytest.mark.parametrize("json", [False, True])
def test_an_interrupt_keeps_the_finished_verdicts(tmp_path: Path, json: bool) -> None:
    path, reached = tmp_path / "scaled.py", tmp_path / "reached"
    path.write_text(
        f"{KERNEL}x = torch.randn(64, 64)\n{COMPARED}open({str(reached)!r}, 'w')\n"
        "import time\ntime.sleep(100)\n"
    )
    command = [sys.executable, "-m", "gen.cli", "run", str(path), "--script"]
    command += ["--a-tree", "interpreter", *(["--json"] if json else [])]
    child = subprocess.Popen(
        command, cwd=ROOT, env=dict(os.environ), stdout=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 120
    while not reached.exists() and child.poll() is None and time.monotonic() < until:
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert child.returncode == 130
    if json:
        assert '"interrupted": true' in out
        assert '"outcome": "not run"' in out
        assert '"outcome": "clean"' in out
    else:
        assert "scaled.py: clean" in out
        assert "scaled.py: not run, 1 kernel call\n" in out
        assert "the script was interrupted" in out


def test_products_of_16_bits_are_those_of_the_cube(tmp_path: Path) -> None:
    """Summed in the order of k, as floats: the host's library sums in another order, and by the type of its CPU."""
    compared = """\
a, b = torch.randn(37, 300).bfloat16(), torch.randn(300, 21).bfloat16()
total = numpy.zeros((37, 21), numpy.float32)
for k in range(300):
    total += a[:, k, None].float().numpy() * b[None, k].float().numpy()
expected = torch.from_numpy(total).bfloat16()
assert torch.equal(a @ b, expected) and torch.equal(torch.matmul(a, b), expected)
"""
    found = script(tmp_path, f"import numpy\nx = torch.randn(64, 64)\n{compared}{COMPARED}")
    assert found.values is Values.RIGHT, shown(found)
