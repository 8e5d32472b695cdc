"""Every line of every template is rendered, and what it renders is executed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent


def module(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


coverage = module("template_coverage", HERE / "coverage.py")
SPECS = module("template_specs", HERE / "specs.py").SPECS
assert_clean = module("product_conftest", HERE.parent / "product" / "conftest.py").assert_clean


def test_every_template_line_is_rendered_by_some_spec() -> None:
    missing = sorted(coverage.all_lines() - coverage.rendered_lines([*SPECS.values()]))
    assert not missing, f"no spec renders {missing}"


@pytest.mark.parametrize("what", SPECS)
def test_what_the_lines_render_is_executed(what: str) -> None:
    assert_clean(SPECS[what])
