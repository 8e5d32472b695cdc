"""A kernel runs as ordinary Python: it prints, stops in a debugger, ends with its parent, and is stopped itself."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gen.check.foreign import RunOptions, run_file
from gen.check.verdict import Outcome
from gen.compile.a_tree import Request, interpreter
from gen.compile.a_tree.interpreter import process
from gen.compile.base import CompileError
from gen.sim import Profile
from tests.interpreter.kernels import line_of, vector

RUN = [sys.executable, "-m", "gen.cli", "run", "--a-tree", "interpreter"]
KILL = """
import os
import signal


def kill():
    os.kill(os.getpid(), signal.SIGKILL)
"""


def kernel(tmp_path: Path, body: str, before: str = "") -> Path:
    path = tmp_path / "kernel.py"
    path.write_text(vector(body, before=before), encoding="utf-8")
    return path


def gen_run(path: Path, *options: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, str(path), *options],
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_breakpoint_stops_in_the_kernel_with_the_numbers_of_a_core(tmp_path: Path) -> None:
    path = kernel(tmp_path, "if cid == 1:\n    breakpoint()\nT.tile.add(c, a, b)")
    done = gen_run(path, typed="p (cid, vid)\nc\np (cid, vid)\nc\n")
    line = line_of(path.read_text(), "T.tile.add")
    assert f"kernel.py({line})main()" in done.stderr
    assert "-> T.tile.add(c, a, b)" in done.stderr
    assert "(1, 0)" in done.stderr
    assert "(1, 1)" in done.stderr
    assert "A tree for ascend910b, interpreted" in done.stdout


def test_leaving_the_debugger_leaves_the_kernel(tmp_path: Path) -> None:
    done = gen_run(kernel(tmp_path, "breakpoint()\nT.tile.add(c, a, b)"), typed="q\n")
    assert "the debugger was left" in done.stdout


def test_in_a_terminal_the_debugger_has_it_to_itself(tmp_path: Path) -> None:
    path = kernel(tmp_path, "if cid == 1:\n    breakpoint()\nT.tile.add(c, a, b)")
    process_id, terminal = pty.fork()
    if process_id == 0:
        os.execv(sys.executable, [*RUN, str(path)])
    said = b""
    said = _type(terminal, b"p (cid, vid)\n", b"\x03", b"c\n", b"c\n")
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process_id, 0)[1]) == 1
    assert b"A tree for ascend910b, interpreted" in said


def test_keys_are_for_the_debugger_where_trees_are_checked_side_by_side(tmp_path: Path) -> None:
    rendered = [sys.executable, "-m", "gen.cli", "render", "add", "--out", str(tmp_path)]
    subprocess.run(rendered, check=True, capture_output=True)
    path = tmp_path / "add" / "a_tree.py"
    text = path.read_text("utf-8")
    place = text.rindex("\n", 0, text.index("T.copy(")) + 1
    indent = " " * (text.index("T.copy(") - place)
    path.write_text(f"{text[:place]}{indent}breakpoint()\n{text[place:]}", "utf-8")
    command = ["check", "add", "--source", str(tmp_path), "--tree", "a_tree"]
    process_id, terminal = pty.fork()
    if process_id == 0:
        more = ["--a-tree", "interpreter"]
        os.execv(sys.executable, [sys.executable, "-m", "gen.cli", *command, *more])
    said = _type(terminal, b"p slot\n", b"\x03", b"q\n")
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process_id, 0)[1]) == 1
    assert b"the debugger was left" in said


def test_a_kernel_gets_the_numbers_that_torch_computes(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path = kernel(tmp_path, "T.tile.mul(c, a, SCALE)")
    text = path.read_text("utf-8")
    computed = "import torch\n\nSCALE = torch.sqrt(torch.tensor(2.25)).item()\n"
    path.write_text(computed + text, "utf-8")
    done = gen_run(path)
    assert "A tree for ascend910b, interpreted" in done.stdout
    assert "error[E402]" not in done.stdout


def _type(terminal: int, *typed: bytes) -> bytes:
    """What is written there after the last of them; each is an answer to the debugger's prompt.

    An interrupt that comes between the prompt and the wait for a key is lost until the next one: CPython's readline
    looks at signals only when one ends its `select`. So it is sent again where nothing answers, as people do.
    """
    interrupt = b"\x03"
    again = b""
    for keys in typed:
        _read_to(terminal, b"(Pdb) ", again)
        os.write(terminal, keys)
        again = interrupt if keys == interrupt else b""
    return _read_to(terminal, None)


def _read_to(terminal: int, end: bytes | None, again: bytes = b"") -> bytes:
    """What is written to it, up to `end` or, for None, until nobody holds it open.

    `again`: keys to repeat where it stays silent for some seconds.
    """
    said = b""
    silent = 0
    while end is None or end not in said:
        if not select.select([terminal], [], [], 5)[0]:
            silent += 1
            assert silent < 12, said.decode(errors="replace")
            os.write(terminal, again)
            continue
        silent = 0
        try:
            said += os.read(terminal, 4096)
        except OSError:
            break
    assert end is None or end in said, said.decode(errors="replace")
    return said


def test_prints_go_to_standard_error_each_time(tmp_path: Path) -> None:
    path = kernel(tmp_path, 'print("here", cid, vid)\nT.tile.add(c, a, b)')
    for _ in range(2):
        done = gen_run(path, "--json")
        assert done.stderr.splitlines().count("here 1 0") == 1
        assert done.stdout.startswith("{")


def test_printf_and_dump_tensor_print_when_the_kernel_runs(tmp_path: Path) -> None:
    path = kernel(
        tmp_path, 'T.printf("block %d\\n", cid)\nT.dump_tensor(a, 7, 2)\nT.tile.add(c, a, b)'
    )
    program = interpreter.compile(path)
    x = np.arange(64 * 512, dtype=np.float32).reshape(64, 512)
    given = {
        "x": x,
        "halves": np.zeros((100, 50), np.float16),
        "whole": np.zeros((64, 64), np.int32),
    }
    _, done = program.run(given, {"y": (np.dtype(np.float32), (64, 512))}, Profile(), 60)
    assert "AIV1 of block 1: block 1\n" in done.stdout
    assert done.stdout.count("DumpTensor 7:") == 4


def test_findings_name_the_line_of_the_kernel(tmp_path: Path) -> None:
    path = kernel(tmp_path, "T.copy(x[0, 0], b)\nT.tile.add(c, a, b)  # <")
    verdict = run_file(path, RunOptions(a_tree="interpreter", witnesses=False))
    (race,) = [fault for fault in verdict.faults if fault.code == "race-raw"]
    assert race.places[1].line == line_of(path.read_text(), "# <")
    assert race.places[1].text.strip() == "T.tile.add(c, a, b)  # <"


def test_a_loop_that_goes_on_calling_ends(tmp_path: Path) -> None:
    path = kernel(tmp_path, "v = T.alloc_var('int32', 0)\nwhile v < 1:\n    T.barrier_all()  # <")
    with pytest.raises(CompileError) as caught:
        interpreter.compile(path)
    (found,) = caught.value.diagnostics
    assert "does every loop of the kernel end?" in found.message
    assert found.line == line_of(path.read_text(), "# <")


def test_a_loop_that_does_nothing_is_stopped(tmp_path: Path) -> None:
    ended = process.run_child([sys.executable, "-c", "while True: pass"], tmp_path, limit=0.3)
    assert ended.reason == "it did not end within 0.3 s"


# Where the time goes (the marked line is named), and what stands around the kernel.
ENDLESS = {
    "core": ("v = T.alloc_var('int32', 0)\nwhile v < 3:\n    v = v * 1  # <", ""),
    "factory": ("T.tile.add(c, a, spin())", "def spin():\n    while True:\n        pass  # <"),
    "module": (
        "T.tile.add(c, a, b)",
        "try:\n    while True:\n        pass  # <\nexcept Exception:\n    pass",
    ),
}


@pytest.mark.parametrize("where", ENDLESS)
def test_a_timeout_bounds_the_recording(where: str, tmp_path: Path) -> None:
    body, before = ENDLESS[where]
    path = kernel(tmp_path, body, before=before)
    start = time.monotonic()
    verdict = run_file(path, RunOptions(a_tree="interpreter", timeout=2))
    assert time.monotonic() - start < 10
    assert verdict.outcome is Outcome.FAILED
    (found,) = verdict.diagnostics
    assert found.code == "E404"
    assert found.message == "the kernel was not recorded: it did not end within 2 s"
    lines = path.read_text().splitlines()
    assert abs(found.line - line_of(path.read_text(), "# <")) <= 1, lines[found.line - 1]
    assert not _children()


def test_a_timeout_bounds_a_loop_over_what_memory_holds(tmp_path: Path) -> None:
    """The recorder then runs with the kernel, as a child of the program that plays it."""
    beside = f"import os\nimport pathlib\n\ndef here():\n    pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\n    return 0\n"
    body = "v = T.alloc_var('int32', 0)\nk = n[0, 0]\nif k < 1000000:\n    v = here()\nwhile v < 3:\n    v = v * 1"
    path = kernel(tmp_path, body, before=beside)
    verdict = run_file(path, RunOptions(a_tree="interpreter", timeout=2))
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason.startswith("it did not end within 2 s")
    recorder = int((tmp_path / "pid").read_text())
    _until(lambda: _gone(recorder), AssertionError, None)


def _children() -> list[str]:
    """Processes that this one has started and that still run the recorder."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = stat.read_text().rpartition(")")[2].split()[1]
            command = stat.with_name("cmdline").read_text()
            if int(parent) == os.getpid() and "child.py" in command:
                found.append(command)
    return found


def test_a_killed_recorder_is_said(tmp_path: Path) -> None:
    path = kernel(tmp_path, "kill()\nT.tile.add(c, a, b)", before=KILL)
    with pytest.raises(CompileError) as caught:
        interpreter.compile(path)
    (found,) = caught.value.diagnostics
    assert found.code == "E404"
    assert "killed (SIGKILL)" in found.message


def test_the_recorder_ends_with_its_parent(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    before = f"import os\nimport pathlib\n\ndef spin():\n    pathlib.Path({str(mark)!r}).write_text(str(os.getpid()))\n    while True:\n        pass\n"
    path = kernel(tmp_path, "spin()\nT.tile.add(c, a, b)", before=before)
    with subprocess.Popen([*RUN, str(path)], stdout=subprocess.DEVNULL) as parent:
        child = int(_until(mark.read_text, FileNotFoundError, ""))
        parent.kill()
    _until(lambda: _gone(child), AssertionError, None)


def _until(look: object, error: type[Exception], empty: object) -> str:
    deadline = time.monotonic() + 60
    while True:
        try:
            found = look()  # type: ignore[operator]
            if found != empty or empty is None:
                return str(found)
        except error:
            pass
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _gone(process_id: int) -> None:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return
    stat = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    assert stat[0] == "Z"


def test_a_kernel_is_recorded_once(tmp_path: Path) -> None:
    path = kernel(tmp_path, "T.tile.add(c, a, b)")
    tapes = [Path(interpreter.compile(path).program.arguments[0]) for _ in range(2)]
    assert tapes[0] == tapes[1]
    made = tapes[0].stat().st_mtime_ns
    interpreter.compile(path)
    assert tapes[0].stat().st_mtime_ns == made


SYMBOLIC = """
import tilelang
import tilelang.language as T

M = T.symbolic("M")


@tilelang.jit(out_idx=[-1])
def double(scale=2.0):
    @T.prim_func
    def main(x: T.Tensor((M, 64), "float32"), y: T.Tensor((M, 64), "float32")):
        with T.Kernel(T.ceildiv(M, 16), is_npu=True) as (cid, vid):
            a = T.alloc_ub((8, 64), "float32")
            with T.Scope("V"):
                T.copy(x[cid * 16 + vid * 8, 0], a)
                T.barrier_all()
                T.tile.mul(a, a, scale)
                T.barrier_all()
                T.copy(a, y[cid * 16 + vid * 8, 0])

    return main
"""


def test_extents_of_a_call(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(SYMBOLIC, encoding="utf-8")
    described = interpreter.describe(Request(str(path), SYMBOLIC))
    assert described.tensors[0].shape == ("M", 64)
    assert described.outputs == ("y",)
    program = interpreter.compile(path, arguments={"scale": 3.0}, extents={"M": 37})
    x = np.random.default_rng(0).standard_normal((37, 64), dtype=np.float32)
    outputs, done = program.run({"x": x}, {"y": (x.dtype, x.shape)}, Profile(), 60)
    assert done.clean
    np.testing.assert_array_equal(outputs["y"], x * 3)


def test_an_extent_without_a_value(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(SYMBOLIC, encoding="utf-8")
    with pytest.raises(CompileError) as caught:
        interpreter.compile(path)
    assert "the extent M is known only at run time" in caught.value.diagnostics[0].message


def test_the_corpus_is_judged_as_it_expects(tmp_path: Path) -> None:
    del tmp_path
    path = Path(__file__).parents[1] / "corpus" / "a_tree" / "ring_complete.py"
    assert run_file(path, RunOptions(a_tree="interpreter")).outcome is Outcome.CLEAN


def test_two_processes_record_the_same_kernel_at_once(tmp_path: Path) -> None:
    path = kernel(tmp_path, "for i in T.serial(50):\n    T.tile.add(c, a, i)")
    command = [*RUN, str(path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=120)[0] for process in both]
    assert said[0] == said[1]
    assert "A tree for ascend910b, interpreted" in said[0]


def test_modules_beside_the_kernel_are_part_of_it(tmp_path: Path) -> None:
    beside = tmp_path / "scales.py"
    path = kernel(tmp_path, "T.tile.add(c, a, scales.BY)", before="import scales")
    x = np.zeros((64, 512), np.float32)
    halves, whole = np.zeros((100, 50), np.float16), np.zeros((64, 64), np.int32)
    for by in (1.5, 2.5):
        beside.write_text(f"BY = {by}\n", encoding="utf-8")
        outputs, _ = interpreter.compile(path).run(
            {"x": x, "halves": halves, "whole": whole},
            {"y": (np.dtype(np.float32), (64, 512))},
            Profile(),
            60,
        )
        assert outputs["y"][0, 64] == by
