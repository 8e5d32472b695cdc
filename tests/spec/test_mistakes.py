"""Every mistake of a spec file is told: which, where, and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.errors import CODES, GenError, render
from gen.spec import load, load_all, loads

GOLDEN = Path(__file__).parent / "golden"
ELEMENTWISE = """kind: elementwise
name: it
shape: [16]
inputs: {x: float16}
output: {y: float16}
body: """
WRONG = sorted(GOLDEN.glob("*.yaml"))


def mistakes(text: str, name: str = "spec.yaml") -> GenError:
    with pytest.raises(GenError) as caught:
        loads(text, name)
    return caught.value


@pytest.mark.parametrize("path", WRONG, ids=lambda p: p.stem)
def test_the_text_of_every_mistake(path, golden):
    error = mistakes(path.read_text(encoding="utf-8"), path.name)
    golden(path.with_suffix(".txt"), str(error) + "\n")


@pytest.mark.parametrize("path", WRONG, ids=lambda p: p.stem)
def test_a_mistake_lies_inside_its_line(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    for d in mistakes(path.read_text(encoding="utf-8")).diagnostics:
        assert d.code in CODES
        if d.line:
            assert d.source_line == lines[d.line - 1]
            assert 1 <= d.column <= len(d.source_line) + 1
            assert d.column - 1 + d.length <= len(d.source_line) + 1


def test_the_golden_files_show_every_code_of_a_text():
    shown = "".join(p.with_suffix(".txt").read_text(encoding="utf-8") for p in WRONG)
    of_files = {"E101", "E105", "E106", "E132"}
    of_specs = ("E10", "E11", "E12", "E13")  # E14 is about kernel files
    expected = {code for code in CODES if code.startswith(of_specs)} - of_files
    assert {code for code in expected if f"error[{code}]" not in shown} == set()


def test_a_missing_file_names_the_one_that_was_meant(tmp_path):
    (tmp_path / "silu_mul.yaml").write_text("")
    with pytest.raises(GenError) as caught:
        load(tmp_path / "silu_mull.yaml")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E101"
    assert diagnostic.message == "no such file"
    assert diagnostic.help == f"did you mean `{tmp_path / 'silu_mul.yaml'}`?"


def test_a_folder_is_no_spec(tmp_path):
    (tmp_path / "gemm.yaml").write_text("")
    with pytest.raises(GenError) as caught:
        load(tmp_path)
    assert "this is a folder" in str(caught.value)
    assert "gemm.yaml" in str(caught.value)


def test_a_spec_file_is_called_yaml(tmp_path):
    path = tmp_path / "gemm.json"
    path.write_text("{}")
    with pytest.raises(GenError) as caught:
        load(path)
    assert caught.value.diagnostics[0].code == "E105"


@pytest.mark.parametrize("name", ["a\0b.yaml", "x" * 300 + ".yaml"])
def test_an_impossible_file_name_is_one_message(name):
    with pytest.raises(GenError) as caught:
        load(name)
    assert [d.code for d in caught.value.diagnostics] == ["E101"]
    assert "\0" not in render(caught.value.diagnostics[0])


def test_bytes_that_are_not_utf8_are_placed(tmp_path):
    path = tmp_path / "latin.yaml"
    path.write_bytes("kind: gemm\nname: gr\u00fc\u00dfe\n".encode("latin-1"))
    with pytest.raises(GenError) as caught:
        load(path)
    (d,) = caught.value.diagnostics
    assert (d.code, d.line, d.column) == ("E106", 2, 9)


def test_a_control_character_is_placed_and_not_printed():
    found = mistakes("kind: gemm\nname: a\x1b[31mb\n").diagnostics
    assert [(d.line, d.column) for d in found if d.code == "E102"] == [(2, 8)]
    assert "\x1b" not in "".join(render(d) for d in found)


def test_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(GenError) as caught:
        load(path)
    assert "larger than 1 MiB" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 5000,
        "a: " + "{b: " * 5000,
        ELEMENTWISE + "(" * 4000,
        ELEMENTWISE + "-" * 4000,
        ELEMENTWISE + "x" + "+x" * 2000,
        ELEMENTWISE + "x" + "*x" * 201,
        ELEMENTWISE + "abs(" * 100 + "x" + ")" * 100,
        "- " * 5000,
        "x" * 100_000,
        "? " * 3000,
        "\n".join(f"k{i}: @" for i in range(1000)),
    ],
)
def test_no_text_brings_the_reader_down(text):
    assert mistakes(text).diagnostics


def test_mistakes_of_several_files_come_together(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text("kind: nonsense\n")
    with pytest.raises(GenError) as caught:
        load_all([tmp_path / "a.yaml", tmp_path / "b.yaml", tmp_path / "c.yaml"])
    assert [Path(d.path).name for d in caught.value.diagnostics] == ["a.yaml", "b.yaml", "c.yaml"]


def test_two_specs_of_one_name_would_share_a_folder(tmp_path):
    text = Path("specs/add.yaml").read_text()
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(text)
    with pytest.raises(GenError) as caught:
        load_all([tmp_path / "a.yaml", tmp_path / "b.yaml"])
    (d,) = caught.value.diagnostics
    assert (d.code, d.line) == ("E132", 3)


def test_windows_line_ends_do_not_move_places():
    text = Path("specs/gemm.yaml").read_text().replace("m: 1024", "m: zero")
    unix, windows = mistakes(text), mistakes(text.replace("\n", "\r\n"))
    assert unix.diagnostics == windows.diagnostics


def test_a_byte_order_mark_does_not_move_places():
    text = "kind: gem\n"
    assert mistakes("\ufeff" + text).diagnostics == mistakes(text).diagnostics
