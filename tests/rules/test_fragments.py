"""What a page shows as wrong is found by the model, under the code of the page; what it shows instead is clean."""

from __future__ import annotations

import pytest

from gen.compile import a_tree, m_tree
from gen.rules import Fragment, Page, pages
from gen.sim import Run
from tests.face_ascendc.harness import said
from tests.rules import ascendc_fragments, tilelang_fragments

NOT_RUN = {"unrun"}
"""Fragments that need an NPU, or another host program."""
OUTCOMES = {"crash": "crashed", "timeout": "did not end", "unsupported": "SetCtrlSpr"}


def fragments(tree: str, which: str) -> list[tuple[Page, Fragment]]:
    return [
        (p, f)
        for p in pages()
        for f in (p.example_code if which == "example" else p.instead_code)
        if f.tree == tree and not NOT_RUN & set(f.options)
    ]


def cases(tree: str, which: str) -> pytest.MarkDecorator:
    found = fragments(tree, which)
    return pytest.mark.parametrize(("page", "fragment"), found, ids=[p.code for p, _ in found])


ASCENDC = tuple(f for which in ("example", "instead") for _, f in fragments("ascendc", which))


def a_verdict(fragment: Fragment, worker: a_tree.Worker) -> Run:
    return tilelang_fragments.verdict(fragment, tilelang_fragments.a_program(fragment, worker))


def m_verdict(fragment: Fragment, session: m_tree.Session) -> Run:
    return tilelang_fragments.verdict(fragment, tilelang_fragments.m_program(fragment, session))


def assert_found(page: Page, done: Run) -> None:
    if page.code in OUTCOMES:
        assert OUTCOMES[page.code] in f"{done.crashed} {done.unsupported}", said(done)
        assert not done.clean
        return
    assert done.unsupported is None, said(done)
    assert done.crashed is None, said(done)
    severities = {f.code: f.severity for f in done.findings}
    assert severities.get(page.code) == page.severity, said(done)


def assert_right(page: Page, done: Run) -> None:
    assert done.clean, said(done)
    assert page.code not in {f.code for f in done.findings}, said(done)


@cases("ascendc", "example")
def test_the_wrong_ascend_c_is_found(page: Page, fragment: Fragment) -> None:
    assert_found(page, ascendc_fragments.verdict(fragment, ASCENDC))


@cases("ascendc", "instead")
def test_the_right_ascend_c_is_clean(page: Page, fragment: Fragment) -> None:
    assert_right(page, ascendc_fragments.verdict(fragment, ASCENDC))


@cases("a_tree", "example")
def test_the_wrong_a_tree_is_found(page: Page, fragment: Fragment, worker: a_tree.Worker) -> None:
    assert_found(page, a_verdict(fragment, worker))


@cases("a_tree", "instead")
def test_the_right_a_tree_is_clean(page: Page, fragment: Fragment, worker: a_tree.Worker) -> None:
    assert_right(page, a_verdict(fragment, worker))


@cases("m_tree", "example")
def test_the_wrong_m_tree_is_found(page: Page, fragment: Fragment, session: m_tree.Session) -> None:
    assert_found(page, m_verdict(fragment, session))


@cases("m_tree", "instead")
def test_the_right_m_tree_is_clean(page: Page, fragment: Fragment, session: m_tree.Session) -> None:
    assert_right(page, m_verdict(fragment, session))
