"""Every synchronisation that tilelang's compiler inserts is needed: leave one out, and the model has a finding.

Each statement of a device source (and of the wheel's gemm.h, whose mutexes guard L0) gets a switch, so that a source is
compiled once and run once for each statement.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gen.compile.m_tree import installed
from gen.compile.m_tree.device_source import program as with_main
from gen.sim import Run

from .bench import DTYPES, Array, Bench, Outputs, report

CALLS = ("notify", "wait", "pipe", "intra_arrive", "intra_wait")
STATEMENT = re.compile(
    rf"^(\s*)(asc_sync_(?:{'|'.join(CALLS)})|asc_lock|asc_unlock)\(", re.MULTILINE
)
SWITCH = """#pragma once
#include <cstdlib>
#include <set>
#include <string>
inline bool kept(int statement) {
    static const std::set<int> left_out = [] {
        std::set<int> numbers;
        for (const char* at = std::getenv("LEFT_OUT"); at && *at; at += *at == ' ') {
            numbers.insert(static_cast<int>(std::strtol(at, const_cast<char**>(&at), 10)));
        }
        return numbers;
    }();
    return left_out.count(statement) == 0;
}
"""

F16, F32, BF16 = DTYPES["float16"], DTYPES["float32"], DTYPES["bfloat16"]


def switched(source: str, first: int = 0) -> tuple[str, list[str]]:
    """`source` with a switch before each synchronisation, numbered from `first`; and what the switches are before."""
    statements: list[str] = []

    def add(match: re.Match[str]) -> str:
        end = source.index(";", match.start())
        statements.append(source[match.start(2) : end])
        return f"{match[1]}if (kept({first + len(statements) - 1})) {match[2]}("

    return '#include "switch.h"\n' + STATEMENT.sub(add, source), statements


def numbers(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    return np.random.default_rng(7).integers(-4, 5, shape).astype(np.float32).astype(dtype)


# Several tiles for each block, so that every buffer is used again.
KERNELS: dict[str, tuple[str, str, dict[str, Array], Outputs, dict[str, Any]]] = {
    "threads": (
        "elementwise",
        "relu_flat",
        {"A": numbers((40_000,), F16)},
        {"C": (F16, (40_000,))},
        {"nb": 2},
    ),
    "vector registers": (
        "norms",
        "rmsnorm_simd",
        {"X": numbers((37, 1000), BF16)},
        {"Y": (BF16, (37, 1000))},
        {},
    ),
    "a copy before the loop": (
        "norms",
        "rmsnorm",
        {"X": numbers((37, 1000), F16), "W": numbers((1000,), F16)},
        {"Y": (F16, (37, 1000))},
        {"dt": "float16"},
    ),
    "product": (
        "gemm",
        "gemm_nt",
        {"A": numbers((256, 256), F16), "B": numbers((384, 256), F16)},
        {"C": (F32, (256, 384))},
        {"dt": "float16", "nb": 2},
    ),
    "product with tails": (
        "gemm",
        "gemm_dn",
        {"A": numbers((200, 200), BF16), "B": numbers((200, 301), BF16)},
        {"C": (F32, (200, 301))},
        {"nb": 2},
    ),
    "operands in L0": (
        "gemm",
        "gemm_l0",
        {"A": numbers((256, 512), BF16), "B": numbers((512, 512), BF16)},
        {"C": (F32, (256, 512))},
        {},
    ),
    "epilogue": (
        "gemm",
        "gemm_epilogue",
        {
            "A": numbers((256, 256), BF16),
            "B": numbers((256, 256), BF16),
            "bias": numbers((256,), BF16),
            "R": numbers((256, 256), F32),
        },
        {"C": (F32, (256, 256))},
        {},
    ),
}


def templates_with_switches(folder: Path, first: int) -> list[str]:
    """A copy of the wheel's gemm.h with switches, where the compiler finds it first."""
    inside = Path("tl_templates/ascend/gemm.h")
    text, statements = switched((installed.headers() / inside).read_text(encoding="utf-8"), first)
    (folder / inside).parent.mkdir(parents=True, exist_ok=True)
    (folder / inside).write_text(text, encoding="utf-8")
    (folder / "switch.h").write_text(SWITCH, encoding="utf-8")
    return statements


class Switched:
    """A kernel whose synchronisation can be left out when it runs."""

    def __init__(
        self, bench: Bench, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        file, function, self._inputs, self._outputs, constants = KERNELS[name]
        lowered = bench.lower(file, function, self._inputs, **constants)
        source, self.statements = switched(lowered.source)
        in_template = templates_with_switches(folder, len(self.statements))
        if "ascend_gemm_l1<" in source:
            self.statements += in_template[: len(in_template) // 2]  # the rest is block-scaled
        self._program = bench.build(with_main(replace(lowered, source=source)), includes=(folder,))
        self._bench, self._monkeypatch = bench, monkeypatch

    def without(self, *numbers: int) -> Run:
        self._monkeypatch.setenv("LEFT_OUT", " ".join(map(str, numbers)))
        _, run = self._bench.execute(self._program, self._inputs, self._outputs)
        left_out = [self.statements[n] for n in numbers]
        assert run.crashed is None, f"without {left_out}\n{report(run)}"
        return run


@pytest.mark.parametrize("name", KERNELS)
def test_every_synchronisation_is_needed(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    kernel = Switched(bench, tmp_path, monkeypatch, name)
    whole = kernel.without()
    assert whole.clean, report(whole)
    assert [f for f in whole.findings if f.code != "sync-redundant"] == []

    for number, statement in enumerate(kernel.statements):
        run = kernel.without(number)
        # A wait that only drains a counter between cores leaves it set, which is a remark.
        drains = statement.startswith("asc_sync_intra_wait") and not run.errors
        assert (
            [f.code for f in run.findings] == ["cross-flag-left"] if drains else run.errors
        ), f"{number}: {statement}\n{report(run)}"


# What is left out: the mistakes that result, as (code, edge) on any of the memories.
PAIRS: dict[str, list[tuple[str, set[tuple[str, str]], set[str]]]] = {
    "threads": [
        ("asc_sync_.*PIPE_MTE2, PIPE_V", {("race-raw", "MTE2→V")}, {"UB"}),
        ("asc_sync_.*PIPE_V, PIPE_MTE2", {("race-war", "V→MTE2")}, {"UB"}),
        ("asc_sync_.*PIPE_V, PIPE_MTE3", {("race-raw", "V→MTE3")}, {"UB"}),
        ("asc_sync_.*PIPE_MTE3, PIPE_V", {("race-war", "MTE3→V")}, {"UB"}),
    ],
    "product with tails": [
        ("asc_sync_.*PIPE_MTE2, PIPE_MTE1", {("race-raw", "MTE2→MTE1")}, {"L1"}),
        ("asc_sync_.*PIPE_MTE1, PIPE_MTE2", {("race-war", "MTE1→MTE2")}, {"L1"}),
        ("asc_sync_.*PIPE_M, PIPE_FIX", {("race-raw", "M→FIX")}, {"L0C"}),
        ("asc_sync_.*PIPE_FIX, PIPE_M", {("race-war", "FIX→M")}, {"L0C"}),
        ("asc_(un)?lock\\(PIPE_M,", {("race-raw", "MTE1→M")}, {"L0A", "L0B"}),
        ("asc_(un)?lock\\(PIPE_MTE1,", {("race-war", "M→MTE1")}, {"L0A", "L0B"}),
        ("asc_sync_pipe", {("race-waw", "MTE2→MTE2")}, {"L1"}),
    ],
    # Without the counters nothing says which core is meant to come first.
    "epilogue": [
        (
            "asc_sync_intra_.*(PIPE_FIX, 1|PIPE_FIX, 17|PIPE_V, 1)$",
            {
                (f"race-{kind}", edge)
                for kind in ("raw", "war")
                for edge in ("AIV0 V→AIC FIX", "AIC FIX→AIV0 V")
            },
            {"UB"},
        ),
        (
            "asc_sync_intra_.*(PIPE_FIX, 0|PIPE_FIX, 16|PIPE_V, 0)$",
            {("race-war", "AIV0 V→AIC FIX")},
            {"UB"},
        ),
    ],
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_missing_edge_is_named(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    kernel = Switched(bench, tmp_path, monkeypatch, name)
    for pattern, mistakes, spaces in PAIRS[name]:
        numbers = [n for n, s in enumerate(kernel.statements) if re.match(pattern, s.rstrip(") "))]
        assert numbers, pattern
        run = kernel.without(*numbers)
        found = {(f.code, f.edge) for f in run.errors if f.space in spaces}
        assert found & mistakes, f"{pattern}\n{report(run)}"


def test_a_race_names_both_lines_of_the_device_source(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Switched(bench, tmp_path, monkeypatch, "threads")
    pair = [n for n, s in enumerate(kernel.statements) if "PIPE_MTE2, PIPE_V" in s]
    (race,) = kernel.without(*pair).errors
    assert race.first
    assert race.first.line
    assert race.second
    assert race.second.line
    lines = (tmp_path / "kernel.cpp").read_text(encoding="utf-8").splitlines()
    assert "asc_copy_gm2ub_align(" in lines[race.first.line.line - 1]
    assert "asc_vf_call<" in lines[race.second.line.line - 1]
