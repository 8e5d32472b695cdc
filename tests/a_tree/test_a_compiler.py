"""The compiler as a process: what it answers, what it complains about, and that it survives its crashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.compile.a_tree import Request, Worker, compile, lower
from gen.compile.a_tree.installed import Toolchain
from gen.compile.a_tree.toolchain import PROOF, PROVEN
from gen.compile.base import CompileError
from gen.errors import Diagnostic

ADD = "T.tile.add(x, x, x)"


def complaint_about(text: str, worker: Worker, **more: object) -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        lower(Request("kernels/double.py", text, **more), worker=worker)  # type: ignore[arg-type]
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_every_emitted_statement_knows_its_python_line(worker: Worker) -> None:
    kernel = lower(Request("double.py", PROOF, with_lines=True), worker=worker)
    assert PROVEN in kernel.source
    python = PROOF.splitlines()
    origins = dict(zip(map(str.strip, kernel.source.splitlines()), kernel.lines, strict=True))
    assert python[origins[PROVEN] - 1].strip() == ADD
    store = next(line for line in origins if line.startswith("tl::ascend::copy_ub_to_gm"))
    assert python[origins[store] - 1].strip() == "T.copy(x, Y[0])"
    assert origins["if ASCEND_IS_AIV {"] == 0


def test_the_same_request_is_answered_without_the_compiler(compiler: Toolchain) -> None:
    with Worker(compiler) as first:
        lower(Request("double.py", PROOF), worker=first)
    with Worker(compiler) as second:
        lower(Request("double.py", PROOF), worker=second)
        assert not second.running


def test_tensors_and_outputs_are_known(worker: Worker) -> None:
    text = PROOF.replace("@tilelang.jit", "@tilelang.jit(out_idx=[-1])")
    kernel = lower(Request("double.py", text), worker=worker)
    assert [(t.name, t.dtype, t.shape) for t in kernel.tensors] == [
        ("X", "float32", (64,)),
        ("Y", "float32", (64,)),
    ]
    assert kernel.outputs == ("Y",)


@pytest.mark.parametrize(
    ("written", "message", "help"),
    [
        ("T.tile.ad(x, x, x)", "has no attribute 'ad'", "did you mean `add`?"),
        ("T.tile.add(x, x, z)", "Undefined variable: z", ""),
        ("T.copy(X[0], x[0])", "Can't deduce copy extents", "whole buffer or as slices"),
        ("T.alloc_l1((16, 16), 'float16')", "has no attribute 'alloc_l1'", "`alloc_L1`"),
    ],
)
def test_a_mistake_is_reported_at_its_line(
    written: str, message: str, help: str, worker: Worker
) -> None:
    found = complaint_about(PROOF.replace(ADD, written), worker)
    assert found.code == "E402"
    assert message in found.message
    assert help in found.help
    assert found.path == "kernels/double.py"
    assert found.source_line.strip() == written
    assert found.source_line[found.column - 1 :].startswith("T.")


def test_python_that_does_not_parse_is_reported_at_its_line(worker: Worker) -> None:
    found = complaint_about(PROOF.replace(ADD, "T.tile.add(x, x, x"), worker)
    assert (found.code, found.source_line.strip()) == ("E402", "T.tile.add(x, x, x")
    assert "'(' was never closed" in found.message


def test_an_error_of_the_file_itself_is_reported_where_it_happens(worker: Worker) -> None:
    found = complaint_about("import tilelang\nsize = 1 // 0\n", worker)
    assert (found.code, found.line) == ("E402", 2)
    assert "ZeroDivisionError" in found.message


def test_a_file_without_a_kernel_says_so(worker: Worker) -> None:
    assert complaint_about("x = 1\n", worker).code == "E403"


def test_a_function_that_needs_arguments_names_them(worker: Worker) -> None:
    text = PROOF.replace("def double():", "def double(n, dtype='float32'):")
    found = complaint_about(text, worker)
    assert (found.code, found.message) == ("E403", "double needs a value for n")
    kernel = lower(Request("double.py", text, "double", {"n": 64}), worker=worker)
    assert kernel.name == "double"


def test_arguments_go_to_the_only_function_of_a_file(worker: Worker) -> None:
    text = PROOF.replace("def double():", "def double(n):").replace("(64,)", "(n,)")
    kernel = lower(Request("double.py", text, arguments={"n": 128}), worker=worker)
    assert [t.shape for t in kernel.tensors] == [(128,), (128,)]
    two = text + "\n\n@tilelang.jit\ndef other(n):\n    return None\n"
    found = complaint_about(two, worker, arguments={"n": 128})
    assert found.code == "E403"


def test_a_kernel_made_by_the_host_part_is_found(worker: Worker) -> None:
    host = '\nif __name__ == "__main__":\n    import torch\n    k = double(64)\n    k(torch.ones(64).npu())\n'
    text = PROOF.replace("def double():", "def double(n):") + host
    assert PROVEN in lower(Request("double.py", text), worker=worker).source


def test_a_crash_is_told_and_the_next_kernel_is_served(worker: Worker) -> None:
    crash = PROOF.replace("    return main", "    import os\n    os.abort()\n    return main")
    found = complaint_about(crash, worker)
    assert found.code == "E404"
    assert "the compiler crashed (SIGABRT)" in found.message
    assert PROVEN in lower(Request("again.py", PROOF), worker=worker).source


def test_a_compiler_that_takes_too_long_is_stopped(worker: Worker) -> None:
    endless = PROOF.replace("    return main", "    while True:\n        pass")
    answer = worker.lower(endless, name="endless.py", timeout=1.0)
    assert answer.refusal is not None
    assert (answer.refusal.kind, answer.refusal.message) == (
        "timeout",
        "the compiler was stopped after 1 s",
    )


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as caught:
        compile(tmp_path / "absent.py")
    assert caught.value.diagnostics[0].code == "E101"


def test_a_run_time_extent_needs_a_value(worker: Worker) -> None:
    text = PROOF.replace("@tilelang.jit", 'n = T.symbolic("n")\n\n\n@tilelang.jit')
    text = text.replace("T.Tensor((64,)", "T.Tensor((n,)")
    with pytest.raises(CompileError) as caught:
        compile(Path("double.py"), text=text, worker=worker)
    assert caught.value.diagnostics[0].code == "E405"
    assert "the extent n is known only at run time" in caught.value.diagnostics[0].message
    program = compile(Path("double.py"), text=text, extents={"n": 64}, worker=worker)
    assert program.front_end == "tilelang-ascend 0.1.4"
    assert program.emitted is not None
