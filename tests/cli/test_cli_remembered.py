"""A rendering is made once for each content of a spec, and never again by mistake."""

from __future__ import annotations

import pytest

ADD = """
kind: elementwise
name: kept_add
shape: [4096]
inputs: {x: float32, y: float32}
output: {z: float32}
body: x + y
"""


@pytest.fixture
def render(gen, tmp_path):
    """Renders `kept_add.yaml` with a text; returns the Ascend C kernel, or what was said."""
    spec, out = tmp_path / "kept_add.yaml", tmp_path / "out"

    def run(text: str = ADD, *options: str, status: int = 0) -> str:
        spec.write_text(text)
        cache = str(tmp_path / "cache")
        result = gen("render", spec, "--out", out, *options, CROSSTREE_CACHE=cache)
        assert result.status == status, result.err
        if status:
            return result.err
        return (out / "kept_add" / "ascendc" / "kept_add.asc").read_text()

    return run


def test_the_second_time_is_like_the_first(render, tmp_path):
    first = render()
    (tmp_path / "out" / "kept_add" / "ascendc" / "kept_add.asc").unlink()
    assert render() == first


def test_a_changed_spec_is_rendered_anew(render):
    assert "Add(" in render()
    assert "Mul(" in render(ADD.replace("x + y", "x * y"))
    assert "Mul(" not in render()


def test_a_spoilt_cache_costs_time_and_nothing_else(render, tmp_path):
    first = render()
    kept = list((tmp_path / "cache" / "renderings").iterdir())
    assert kept
    for content in (b"{", b"null", b"{}"):
        for file in kept:
            file.write_bytes(content)
        assert render() == first


def test_trees_are_told_apart(render, tmp_path):
    render(ADD, "--tree", "ascendc")
    assert not (tmp_path / "out" / "kept_add" / "a_tree.py").exists()
    render()
    assert (tmp_path / "out" / "kept_add" / "a_tree.py").exists()


def test_mistakes_are_told_every_time(render):
    wrong = ADD.replace("body: x + y", "body: x + q")
    assert "E121" in render(wrong, status=2)
    assert "E121" in render(wrong, status=2)
    render()
    assert "E121" in render(wrong, status=2)
