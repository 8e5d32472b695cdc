"""Where the compiler is missing or another release, a kernel is refused with what to install, and nothing is started."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from gen.compile.base import CompileError
from gen.compile.m_tree import Request, Session, installed, lower


def pretend(monkeypatch: pytest.MonkeyPatch, **found: str) -> None:
    def version(name: str) -> str:
        if name not in found:
            raise importlib.metadata.PackageNotFoundError(name)
        return found[name]

    monkeypatch.setattr(importlib.metadata, "version", version)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({}, "the M tree needs tilelang and torch, not installed here"),
        ({"tilelang": "0.1.15"}, "the M tree needs torch, not installed here"),
        (
            {"tilelang": "0.1.9", "torch": "2.9"},
            "the M tree needs tilelang 0.1.15, but 0.1.9 is installed",
        ),
    ],
)
def test_what_is_missing_is_said(
    found: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pretend(monkeypatch, **found)
    with Session() as session, pytest.raises(CompileError) as caught:
        lower(Request("kernel.py", "", ()), session=session, folder=tmp_path)
    assert session._worker is None
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("E401", said)
    assert "pip install 'tilelang==0.1.15'" in diagnostic.help


def test_a_build_of_the_right_release_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, tilelang="0.1.15+cpu", torch="2.13.0+cpu")
    assert installed.missing() is None
