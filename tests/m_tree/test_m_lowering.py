"""Kernel files are lowered by the real compiler, once, in a process that may die without taking anything with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gen.compile.m_tree import Request, Session, TensorType, lower
from gen.errors import GenError

KERNELS = Path(__file__).with_name("kernels")

X = TensorType("x", (1000,), "float16")


def request_for(text: str, *inputs: TensorType, path: str = "kernel.py", **more: object) -> Request:
    return Request(path, text, inputs or (X,), **more)  # type: ignore[arg-type]


def double() -> str:
    return (KERNELS / "double.py").read_text(encoding="utf-8")


def refused(request: Request, session: Session, folder: Path) -> str:
    with pytest.raises(GenError) as caught:
        lower(request, session=session, folder=folder)
    (diagnostic,) = caught.value.diagnostics
    return f"{diagnostic.code} line {diagnostic.line}: {diagnostic.message} | {diagnostic.help}"


def test_a_kernel_becomes_device_source(session: Session, tmp_path: Path) -> None:
    lowered = lower(request_for(double()), session=session, folder=tmp_path)
    assert lowered.function == "double"
    assert lowered.outputs == ("y",)
    assert lowered.tensors == (X, TensorType("y", (1000,), "float16"))
    (launch,) = lowered.launches
    assert (launch.kernel, launch.blocks, launch.written) == ("double_kernel", 2, ("y",))
    assert "asc_copy_gm2ub_align" in lowered.source
    assert "asc_sync_notify(PIPE_MTE2, PIPE_V" in lowered.source


def test_progress_names_the_passes(session: Session, tmp_path: Path) -> None:
    stages: list[str] = []
    lower(request_for(double()), session=session, folder=tmp_path, progress=stages.append)
    assert "tracing" in stages
    assert "tl.AutoSchedule" in stages


def test_constants_specialise_the_kernel(session: Session, tmp_path: Path) -> None:
    small = request_for(double(), constants={"TILE": 128})
    assert "(__ubuf__ half*)" in lower(small, session=session, folder=tmp_path).source
    assert small.key != request_for(double()).key


def test_a_warm_answer_needs_no_process(session: Session, tmp_path: Path) -> None:
    first = lower(request_for(double()), session=session, folder=tmp_path)
    with Session() as unused:
        again = lower(request_for(double()), session=unused, folder=tmp_path)
        assert unused._worker is None
    assert again == first


def test_a_warm_answer_imports_neither_torch_nor_tilelang(session: Session, tmp_path: Path) -> None:
    lower(request_for(double()), session=session, folder=tmp_path)
    code = f"""
import sys
from pathlib import Path
from gen.compile.m_tree import Request, TensorType, lower
text = Path({str(KERNELS / "double.py")!r}).read_text()
lower(Request("kernel.py", text, (TensorType("x", (1000,), "float16"),)), folder=Path({str(tmp_path)!r}))
print([m for m in ("torch", "tilelang", "tvm") if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_damaged_answer_is_not_used(session: Session, tmp_path: Path) -> None:
    request = request_for(double())
    first = lower(request, session=session, folder=tmp_path)
    (tmp_path / f"{request.key}.json").write_text('{"source": ', encoding="utf-8")
    assert lower(request, session=session, folder=tmp_path) == first


def test_a_file_that_the_kernel_imports_is_part_of_the_key(
    session: Session, tmp_path: Path
) -> None:
    kernel = tmp_path / "kernel.py"
    text = (
        double()
        .replace("TILE: int = 256", "TILE: int = tiles.TILE")
        .replace("import tilelang\n", "import tilelang\nimport tiles\n", 1)
    )
    kernel.write_text(text, encoding="utf-8")

    def source(tile: int) -> str:
        (tmp_path / "tiles.py").write_text(f"TILE = {tile}\n", encoding="utf-8")
        request = request_for(text, path=str(kernel))
        return lower(request, session=session, folder=tmp_path / "cache").source

    assert source(256) != source(128)


def test_a_kernel_that_ends_the_process_is_reported(session: Session, tmp_path: Path) -> None:
    said = refused(request_for("import os\nos.abort()\n"), session, tmp_path)
    assert said.startswith("E404 line 0: the M tree's compiler died while lowering this kernel")
    assert "SIGABRT" in said


def test_after_a_crash_the_next_kernel_is_compiled(session: Session, tmp_path: Path) -> None:
    refused(request_for("import os\nos._exit(3)\n"), session, tmp_path)
    assert lower(request_for(double()), session=session, folder=tmp_path).function == "double"


def test_a_compiler_that_has_lost_its_way_is_ended(session: Session, tmp_path: Path) -> None:
    with Session(silence=0.5) as impatient:
        said = refused(request_for("import time\ntime.sleep(600)\n"), impatient, tmp_path)
    assert "silent for 0.5 s in tracing" in said


def test_what_the_compiler_prints_is_kept(session: Session, tmp_path: Path) -> None:
    text = "print('said by the kernel file')\n" + double()
    assert (
        "said by the kernel file" in lower(request_for(text), session=session, folder=tmp_path).log
    )


def test_mistakes_are_reported_where_they_were_made(session: Session, tmp_path: Path) -> None:
    cases = json.loads((KERNELS / "mistakes.json").read_text(encoding="utf-8"))
    for case in cases:
        text = double().replace(case["instead_of"], case["written"])
        assert text != double(), case
        assert refused(request_for(text), session, tmp_path) == case["said"]


def test_inputs_must_be_those_of_the_kernel(session: Session, tmp_path: Path) -> None:
    z = TensorType("z", (5,), "float16")
    said = refused(request_for(double(), z), session, tmp_path)
    assert said.startswith("E402 line 7: no shape and dtype is known for the inputs `x`")
    said = refused(request_for(double(), X, z), session, tmp_path)
    assert said.startswith("E402 line 7: the kernel has no inputs `z`")


def test_a_file_with_two_kernels_needs_a_choice(session: Session, tmp_path: Path) -> None:
    text = double() + double().replace("def double", "def twice").replace("double_", "twice_")
    said = refused(request_for(text), session, tmp_path)
    assert "E403 line 8: there are several @tilelang.jit functions: `double`, `twice`" in said
    chosen = lower(request_for(text, function="twice"), session=session, folder=tmp_path)
    assert chosen.function == "twice"


def test_a_function_that_makes_a_kernel_can_be_named(session: Session, tmp_path: Path) -> None:
    text = (KERNELS / "add_prim_func.py").read_text(encoding="utf-8")
    request = Request("add.py", text, (), function="add", constants={"N": 1000})
    lowered = lower(request, session=session, folder=tmp_path)
    assert [t.name for t in lowered.tensors] == ["A", "B", "C"]
    assert lowered.outputs == ("C",)
    assert lowered.function == "main"
