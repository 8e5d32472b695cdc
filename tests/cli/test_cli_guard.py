"""A fault of crosstree itself is one line and the exit status 3."""

from __future__ import annotations

import json

import pytest
import typer

from gen.cli.exits import Exit
from gen.cli.guard import guarded
from gen.errors import Diagnostic, GenError


def broken() -> Exit:
    raise KeyError("no\nsuch\nthing")


def leave(command, *, as_json: bool = False) -> int:
    with pytest.raises(typer.Exit) as caught:
        guarded(command, as_json=as_json)
    return caught.value.exit_code


def test_one_line(capsys, monkeypatch):
    monkeypatch.delenv("CROSSTREE_DEBUG", raising=False)
    assert leave(broken) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gen: internal error: KeyError")
    assert "CROSSTREE_DEBUG=1" in line


def test_the_traceback_on_request(capsys, monkeypatch):
    monkeypatch.setenv("CROSSTREE_DEBUG", "1")
    assert leave(broken) == 3
    assert "Traceback" in capsys.readouterr().err


def test_as_json(capsys, monkeypatch):
    monkeypatch.delenv("CROSSTREE_DEBUG", raising=False)
    assert leave(broken, as_json=True) == 3
    assert "KeyError" in json.loads(capsys.readouterr().out)["internal"]


def test_a_broken_template_is_our_fault():
    def template() -> Exit:
        raise GenError([Diagnostic("E301", "fault in a template")])

    assert leave(template) == 3


def test_ctrl_c():
    def interrupted() -> Exit:
        raise KeyboardInterrupt

    assert leave(interrupted) == 130


def test_what_a_command_found():
    assert leave(lambda: Exit.FINDINGS) == 1
    assert leave(lambda: Exit.CLEAN) == 0
