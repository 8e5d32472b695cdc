"""Nothing that the compiler synchronises is superfluous, and the model knows each place by name.

Each notify and each wait of the emitted source is taken out on its own. All variants are one program: an environment
variable says which call is skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from gen.check.formats import numpy_dtype
from gen.check.inputs import make_inputs
from gen.check.reference import reference
from gen.compile.m_tree import Session, TensorType, inputs_of, installed
from gen.compile.m_tree.device_source import program
from gen.compile.m_tree.lowering import Request, lower
from gen.compile.tensor_files import run
from gen.plan import plan
from gen.render import render
from gen.sim import Finding, Profile, Run, build_program
from gen.spec import DType, Spec
from tests.m_tree.specs import elementwise, gemm, norm

# Several tiles for each core, so that every buffer is used again, and a last round that some cores skip.
KERNELS: dict[str, Spec] = {
    "elementwise": elementwise("x + y", "float16", 100_003, tile=128),
    "gemm": gemm(300, 250, 100, tile={"m": 32, "n": 32, "k": 32}),
    "gemm transposed, one K step": gemm(
        300, 250, 30, transpose_b=True, tile={"m": 32, "n": 32, "k": 32}
    ),
    "norm": norm(4099, 100, weight=True),
}

CALL = re.compile(r"^(\s*)(asc_sync_(notify|wait)\(PIPE_(\w+), PIPE_(\w+), [^;]*;)$")
SKIPPED = "SKIPPED_SYNC"
KEPT = f"""
#include <cstdlib>
bool kept(int line) {{
    static const char* skipped = std::getenv("{SKIPPED}");
    return skipped == nullptr || std::atoi(skipped) != line;
}}
"""


@dataclass(frozen=True)
class Call:
    """One notify or wait of the emitted source."""

    line: int
    text: str
    edge: str


def with_switches(source: str) -> tuple[str, list[Call]]:
    """`source` with a condition before each call, on its line."""
    calls, lines = [], []
    for number, line in enumerate(source.splitlines(), 1):
        match = CALL.match(line)
        if match is None:
            lines.append(line)
            continue
        indent, text, _, src, dst = match.groups()
        calls.append(Call(number, text, f"{src}→{dst}"))
        lines.append(f"{indent}{{ bool kept(int); if (kept({number})) {text} }}")
    return "\n".join(lines) + KEPT, calls


def names(finding: Finding, call: Call, source: list[str]) -> bool:
    """Whether `finding` leads to `call`: its edge, and a place that waits for, sets or lacks that edge."""
    if finding.first is None or finding.first.line is None:
        return False
    src, dst = call.edge.split("→")
    place = source[finding.first.line.line - 1]
    if finding.code == "circular-wait":
        return f"{dst}→{src}" in finding.edge and "asc_sync_wait(" in place
    if finding.edge != call.edge:
        return False
    if finding.code in ("wait-without-set", "flag-set-twice", "flag-left-set"):
        return f"(PIPE_{src}, PIPE_{dst}, " in place
    return finding.code.startswith("race-") and "asc_sync" not in place


@pytest.mark.parametrize("name", KERNELS)
def test_every_call_is_missed(
    name: str, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = KERNELS[name]
    decided = plan(spec)
    file = render(decided).kernel("m_tree")
    assert file is not None
    lowered = lower(Request("m_tree.py", file.text, inputs_of(decided)), session=session)
    text, calls = with_switches(program(lowered))
    source = tmp_path / "switched.cpp"
    source.write_text(text, encoding="utf-8")
    built = build_program([source], face="c_api", chip="ascend950", includes=[installed.headers()])
    inputs, wanted = make_inputs(spec), reference(spec, make_inputs(spec))
    outputs = {
        n: (numpy_dtype(DType(dtype_of(lowered.tensors, n))), w.value.shape)
        for n, w in wanted.items()
    }

    def judged(skipped: int) -> Run:
        monkeypatch.setenv(SKIPPED, str(skipped))
        return run(built, inputs, outputs, Profile(chip="3510"), timeout=60)[1]

    unmodified = judged(0)
    assert unmodified.clean
    assert unmodified.errors == ()
    lines = text.splitlines()
    assert len(calls) > 10
    for call in calls:
        errors = judged(call.line).errors
        assert any(names(f, call, lines) for f in errors), (call, [f.message for f in errors])


def dtype_of(tensors: tuple[TensorType, ...], name: str) -> str:
    return next(t.dtype for t in tensors if t.name == name)
