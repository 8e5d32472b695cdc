"""Every kernel of the corpus, under every profile that it speaks of, is judged as it says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from gen.compile.a_tree.toolchain import status
from gen.compile.m_tree.installed import missing
from gen.errors import GenError
from gen.plan import Tree
from gen.score.corpus import find, judge, read
from gen.score.expectation import CorpusFile, Expectation, ProfileKey

HERE = Path(__file__).parent
FILES = find(HERE)


@cache
def _read(path: Path) -> CorpusFile:
    return read(path)


def _cases() -> Iterator[object]:
    for path in FILES:
        name = str(path.relative_to(HERE))
        # A file that cannot be read has one test, which says what is wrong with it.
        for index in range(len(_runs(path)) or 1):
            yield pytest.param(path, index, id=f"{name}-{index}")


def _runs(path: Path) -> list[tuple[ProfileKey, Expectation]]:
    with suppress(GenError):
        return list(_read(path).runs())
    return []


@pytest.mark.parametrize(("path", "index"), list(_cases()))
def test_the_verdict_is_as_the_file_says(path: Path, index: int) -> None:
    _needs_compiler(path)
    file = _read(path)
    key, expectation = list(file.runs())[index]
    result = judge(file, key, expectation)
    assert not result.differences, "\n".join([f"under {key}:", *result.differences])


def _needs_compiler(path: Path) -> None:
    tree = path.relative_to(HERE).parts[0]
    if tree == Tree.A and (why := status()).toolchain is None:
        pytest.skip(f"{why.reason}: run `gen toolchain install a-tree`")
    if tree == Tree.M and (absent := missing()) is not None:
        pytest.skip(absent.message)


def test_every_twin_is_there() -> None:
    twins = [
        path.parent / name.strip()
        for path in FILES
        if _runs(path)
        for name in _read(path).twin.split(",")
        if name.strip()
    ]
    assert [twin.name for twin in twins if not twin.is_file()] == []


@pytest.mark.parametrize("tree", list(Tree))
def test_every_tree_has_kernels_that_are_clean_and_kernels_that_are_not(tree: Tree) -> None:
    outcomes = {
        expectation.outcome
        for path in FILES
        if path.relative_to(HERE).parts[0] == tree
        for _, expectation in _runs(path)
    }
    assert {"clean", "findings"} <= outcomes
