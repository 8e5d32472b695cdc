"""Rendering needs neither an array library nor a compiler, and a formatter only when it formats."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gen.plan import plan
from gen.render import render
from gen.render.remembered import rendered
from gen.spec import load

GEMM = Path(__file__).parents[2] / "specs" / "gemm.yaml"


def test_importing_the_renderer_is_light():
    code = "import sys, gen.render; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"numpy", "torch", "tilelang", "ml_dtypes", "black"}


def test_a_plan_that_was_rendered_is_not_rendered_again(tmp_path: Path) -> None:
    code = (
        "import sys; from gen.plan import plan; from gen.spec import load;"
        "from gen.render.remembered import rendered;"
        "rendering = rendered(plan(load(sys.argv[1]))); print(rendering.name, *sys.modules)"
    )
    environment = {**os.environ, "CROSSTREE_CACHE": str(tmp_path)}
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, str(GEMM)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert [words[0] for words in runs] == ["gemm", "gemm"]
    assert ["jinja2" in words for words in runs] == [True, False]


def test_what_is_remembered_is_what_is_rendered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSTREE_CACHE", str(tmp_path))
    planned = plan(load(GEMM))
    assert rendered(planned) == rendered(planned) == render(planned)


def test_another_plan_of_the_same_spec_file_is_rendered_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSTREE_CACHE", str(tmp_path))
    spec = load(GEMM)
    rendered(plan(spec))
    changed = plan(spec.model_copy(update={"m": 512}))
    assert rendered(changed) == render(changed)
    assert rendered(changed) != rendered(plan(spec))
