"""Specs through the whole product: the real compilers, the model, the judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gen.check import Level, Outcome, SpecVerdict, check
from gen.plan import Form, Tree
from gen.spec import Spec, loads


def a_tree_reason() -> str:
    """Why the A tree's compiler cannot be used here; empty where it can."""
    from gen.compile.a_tree import toolchain

    return toolchain.status().reason


def yaml_of(spec: Spec) -> str:
    """The spec as a file that reproduces it."""
    import json

    fields = spec.model_dump(mode="json", exclude_none=True)
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in fields.items())


def assert_clean(spec: Spec) -> SpecVerdict:
    """Every tree that was not refused is simulated and clean; a failure prints the spec as YAML."""
    verdict = check(spec)
    problems = [
        f"{t.tree}: {t.level} {t.outcome} {t.reason} {[str(f) for f in t.faults if f.severity == 'error']}"
        f" {[str(a.mismatch) for a in t.accuracy.values() if a.mismatch]}"
        for t in verdict.trees
        if not _as_promised(t)
    ]
    problems += [f"{p.left} against {p.right}: {p.mismatch}" for p in verdict.pairs if p.mismatch]
    assert not problems, "\n".join([*problems, "", yaml_of(spec)])
    return verdict


def _as_promised(tree: Any) -> bool:
    if tree.level is Level.REFUSED:
        return bool(tree.reason)
    if Form(tree.tree).tree is Tree.A and (reason := a_tree_reason()):
        return tree.level is Level.RENDERED and reason in tree.reason
    return tree.level is Level.SIMULATED and tree.outcome is Outcome.CLEAN


@pytest.fixture
def spec_of() -> Callable[[str], Spec]:
    """A spec from YAML text."""
    return lambda text: loads(text, "test.yaml")
