"""A rendered kernel reads as one that was written by hand, and allocates what the plan says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from gen.plan import GemmPlan, NormPlan, Plan
from gen.spec import Spec
from tests.ascendc.cases import SPECS, planned

SIZEOF = {"half": 2, "bfloat16_t": 2, "float": 4}
MEMORY = {"A1": "L1", "B1": "L1", "A2": "L0A", "B2": "L0B", "CO1": "L0C"}


def kernel_text(spec: Spec) -> str:
    _, rendering = planned(spec)
    kernel = rendering.kernel("ascendc")
    assert kernel is not None
    return kernel.text


def members(text: str) -> list[str]:
    return re.findall(r"^ {4}(?:AscendC::)?\w+(?:<.*>)? (\w+);$", text.split("private:")[1], re.M)


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_every_member_is_used(spec: Spec):
    text = kernel_text(spec)
    names = members(text)
    assert len(names) >= 5
    for name in names:
        assert len(re.findall(rf"\b{name}\b", text)) >= 3, name


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_every_constant_and_local_tensor_is_used(spec: Spec):
    text = kernel_text(spec)
    for name in re.findall(r"constexpr [\w ]+ ([A-Z][A-Z0-9_]+)\b", text):
        assert len(re.findall(rf"\b{name}\b", text)) >= 2, name
    for name in re.findall(r"(?:LocalTensor<\w+>|uint32_t) (\w+) =", text):
        assert len(re.findall(rf"\b{name}\b", text)) >= 2, name


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_text_follows_the_samples_of_2026(spec: Spec):
    text = kernel_text(spec)
    assert "using namespace" not in text
    assert 'extern "C"' not in text
    assert "PipeBarrier<PIPE_ALL>" not in text
    assert re.search(r"__global__ __(vector|cube)__ void \w+_custom\(", text)
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_buffers_are_those_of_the_plan(spec: Spec):
    plan, _ = planned(spec)
    allocated: dict[str, int] = {}
    for memory, size in allocations(kernel_text(spec), plan):
        allocated[memory] = allocated.get(memory, 0) + size
    tree = plan.trees["ascendc"]
    assert allocated == {memory: tree.used(memory) for memory in {b.memory for b in tree.buffers}}


def allocations(text: str, plan: Plan) -> Iterator[tuple[str, int]]:
    """(memory, bytes) of every InitBuffer; TPipe rounds lengths up to 32 bytes."""
    position = {
        name: MEMORY.get(place, "UB")
        for place, name in re.findall(
            r"(?:TQue|TBuf)<AscendC::TPosition::(\w+)(?:, 1)?> (\w+);", text
        )
    }
    values = constants(text, plan)
    for arguments in re.findall(r"InitBuffer\((.*)\);", text):
        name, *count, length = split(arguments)
        copies = values[count[0]] if count and count[0] in values else int(count[0]) if count else 1
        size = evaluate(length, values)
        yield position[name], copies * -(-size // 32) * 32


def constants(text: str, plan: Plan) -> dict[str, int]:
    found = {k: int(v) for k, v in re.findall(r"constexpr uint32_t (\w+) = (\d+);", text)}
    if isinstance(plan, NormPlan):
        found |= {"tiling.width": plan.width, "tiling.tileRows": plan.tile_rows}
        found |= {"tiling.cols": plan.spec.cols, "tileLength": plan.tile_rows * plan.width}
    elif not isinstance(plan, GemmPlan):
        found |= {"tiling.tileLength": plan.tile}
    return found


def split(arguments: str) -> list[str]:
    return re.split(r", (?![^(]*\))", arguments)


def evaluate(expression: str, values: dict[str, int]) -> int:
    python = re.sub(r"sizeof\((\w+)\)", lambda m: str(SIZEOF[m[1]]), expression)
    python = re.sub(r"[A-Za-z_][\w.]*", lambda m: str(values[m[0]]), python)
    return int(eval(python.replace("/", "//")))
