"""A source that the compiler does not accept is reported at its own line."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.chips import ASCEND910B
from gen.compile.ascendc import compile, compile_rendering
from gen.compile.base import CompileError
from gen.errors import Diagnostic
from gen.sim.toolchain import find_compiler
from gen.spec import NormSpec
from tests.ascendc.cases import SPECS, planned

SOURCE = """\
#include "acl/acl.h"
#include "kernel_operator.h"

__global__ __vector__ void nothing(GM_ADDR x)
{
}

int32_t main()
{
    nothing<<<1, nullptr, nullptr>>>(nullptr);
    return 0;
}
"""


def fault(path: Path, text: str) -> Diagnostic:
    path.write_text(text)
    with pytest.raises(CompileError) as caught:
        compile(path, ASCEND910B)
    return caught.value.diagnostics[0]


def test_a_mistake_in_the_kernel_is_reported_at_its_line(tmp_path: Path):
    found = fault(tmp_path / "bad.asc", SOURCE.replace("{\n}", "{\n    NoSuchCall(x);\n}"))
    assert found.code == "E402"
    assert found.path == str(tmp_path / "bad.asc")
    assert (found.line, found.source_line) == (6, "    NoSuchCall(x);")
    assert "NoSuchCall" in found.message


def test_an_interface_that_the_model_lacks_is_counted(tmp_path: Path):
    body = "{\n    AscendC::NoSuchCall(x);\n    AscendC::NoSuchCall(x, AscendC::NoSuchType<int>::value);\n}"
    found = fault(tmp_path / "bad.asc", SOURCE.replace("{\n}", body))
    assert (found.code, found.line) == ("E405", 6)
    assert (
        found.message == "the model lacks AscendC::NoSuchCall (2 uses), AscendC::NoSuchType (1 use)"
    )


def test_a_launch_without_kernel_is_reported_at_its_line(tmp_path: Path):
    found = fault(tmp_path / "bad.asc", SOURCE.replace("__global__ __vector__ ", ""))
    assert found.line == 10
    assert "`nothing` is not declared" in found.message


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(CompileError) as caught:
        compile(tmp_path / "none.asc", ASCEND910B)
    assert caught.value.diagnostics[0].code == "E101"


def test_a_kernel_may_stand_in_a_header_of_its_own(tmp_path: Path):
    kernel, host = SOURCE.split("int32_t main")
    (tmp_path / "kernel.h").write_text("#pragma once\n" + kernel)
    (tmp_path / "main.asc").write_text(f'#include "kernel.h"\n\nint32_t main{host}')
    assert compile(tmp_path / "main.asc", ASCEND910B).emitted is None


def test_an_included_file_may_lie_elsewhere(tmp_path: Path):
    kernel, host = SOURCE.split("int32_t main")
    folder = tmp_path / "op"
    folder.mkdir()
    (tmp_path / "kernel.h").write_text("#pragma once\n" + kernel)
    (folder / "main.asc").write_text(f'#include "../kernel.h"\n\nint32_t main{host}')
    compile(folder / "main.asc", ASCEND910B)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["kernel.h", "main.asc", "op"]


def test_what_was_compiled_is_not_compiled_again(tmp_path: Path):
    (tmp_path / "once.asc").write_text(SOURCE)
    first = compile(tmp_path / "once.asc", ASCEND910B).program.executable
    written = first.stat().st_mtime_ns
    again = compile(tmp_path / "once.asc", ASCEND910B).program.executable
    assert (again, again.stat().st_mtime_ns) == (first, written)


def test_a_rendering_that_the_plan_refused_is_not_compiled():
    spec = NormSpec(name="long_rows", norm="rms", rows=4, cols=16384, dtype="float16")
    plan, rendering = planned(spec)
    with pytest.raises(KeyError, match="does not fit UB"):
        compile_rendering(rendering, plan, path=Path("kernel.asc"))


def test_the_compiler_is_named():
    plan, rendering = planned(SPECS["add"])
    front_end = compile_rendering(rendering, plan, path=Path("kernel.asc")).front_end
    assert front_end == find_compiler().name


def test_a_missing_compiler_is_said_to_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    find_compiler.cache_clear()
    monkeypatch.setenv("CXX", str(tmp_path / "no-such-compiler"))
    found = fault(tmp_path / "good.asc", SOURCE)
    find_compiler.cache_clear()
    assert found.code == "E401"
    assert "no-such-compiler" in found.message + found.help
