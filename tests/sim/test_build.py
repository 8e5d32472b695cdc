"""The engine and programs are built once, and again when something that they read has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.sim import Profile, StoppedError, build_engine, build_program, run_program
from gen.sim.toolchain import find_compiler

KERNEL = """#include "aicore/host.h"
static void kernel(uint8_t*) {{ aicore::{call}; }}
int main(int argc, char** argv) {{
    aicore::host::Tensors t(argc, argv);
    AICORE_LAUNCH(kernel, vector, 1)(t["x"]);
}}
"""


def write(path: Path, call: str = "barrier_all()") -> Path:
    path.write_text(KERNEL.format(call=call))
    return path


def test_a_program_finds_the_engine_of_the_day(tmp_path: Path) -> None:
    program = build_program([write(tmp_path / "k.cpp")], face="core", chip="2201")
    assert str(program.engine).encode() not in program.executable.read_bytes()


def test_the_second_build_is_the_first(tmp_path: Path) -> None:
    source = write(tmp_path / "k.cpp")
    first = build_program([source], face="core", chip="2201")
    before = first.executable.stat().st_mtime_ns
    assert build_program([source], face="core", chip="2201") == first
    assert first.executable.stat().st_mtime_ns == before
    assert build_engine() == first.engine


def test_a_changed_source_or_header_is_compiled_again(tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    header = tmp_path / "call.h"
    source.write_text('#include "call.h"\n' + KERNEL.format(call="CALL"))
    header.write_text("#define CALL barrier_all()\n")
    first = build_program([source], face="core", chip="2201", includes=[tmp_path])
    header.write_text("#define CALL set_flag(aicore::Pipe::v, aicore::Pipe::s, 0)\n")
    second = build_program([source], face="core", chip="2201", includes=[tmp_path])
    assert first.executable != second.executable
    data = tmp_path / "x.bin"
    data.write_bytes(bytes(64))
    runs = [
        run_program(p, argv=[f"x:in:64:{data}"], profile=Profile(), timeout=60)
        for p in (first, second)
    ]
    assert [[f.code for f in run.findings] for run in runs] == [[], ["flag-left-set"]]


@pytest.mark.parametrize(
    "said",
    ["g++: fatal error: Killed signal terminated program cc1plus", "x.o: No space left on device"],
)
def test_a_compiler_that_was_stopped_is_not_the_source_at_fault(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "c++"
    compiler.write_text(
        f'#!/bin/sh\ncase " $* " in *" -c "*) echo "{said}" >&2; exit 1;; esac\nexec g++ "$@"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    monkeypatch.setenv("CROSSTREE_CACHE", str(tmp_path / "cache"))
    find_compiler.cache_clear()
    source = tmp_path / "kernel.cpp"
    source.write_text("int main() {}\n")
    try:
        with pytest.raises(StoppedError, match="was stopped"):
            build_program([source], face="core", chip="ascend910b")
    finally:
        monkeypatch.undo()
        find_compiler.cache_clear()
