"""``gen render``: files appear whole, only where they change, or not at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from gen.render import FORMS

SPECS = sorted(Path("specs").glob("*.yaml"))
WRONG = """kind: elementwise
name: wrong
shape: [16]
inputs: {x: float16}
output: {y: float16}
body: x + z
"""


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_all_trees_of_all_specs(gen, tmp_path):
    result = gen("render", *SPECS, "--out", tmp_path)
    assert result.status == 0, result.err
    written = files(tmp_path)
    for spec in SPECS:
        assert {f"{spec.stem}/a_tree.py", f"{spec.stem}/m_tree.py"} <= set(written)
        assert f"{spec.stem}/ascendc/{spec.stem}.asc" in written
    assert f"{len(written)} files written" in result.out


def test_a_second_time_nothing_is_touched(gen, tmp_path):
    gen("render", "specs/add.yaml", "--out", tmp_path)
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()}
    result = gen("render", "specs/add.yaml", "--out", tmp_path)
    assert result.out == f"{len(before)} files unchanged\n"
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()} == before


def test_only_the_trees_that_were_asked_for(gen, tmp_path):
    gen("render", "specs/add.yaml", "--out", tmp_path, "--tree", "m_tree")
    assert set(files(tmp_path)) == {"add/m_tree.py"}
    gen("render", "specs/add.yaml", "--out", tmp_path, "-t", "a_tree")
    assert set(files(tmp_path)) == {"add/m_tree.py", "add/a_tree.py"}


def test_the_trees_of_the_option_are_those_of_the_renderer():
    from gen.cli.app import FormName

    assert tuple(FormName) == FORMS


def test_check_finds_what_differs_and_writes_nothing(gen, tmp_path):
    result = gen("render", "specs/add.yaml", "--out", tmp_path, "--check")
    assert result.status == 1
    assert "missing" in result.out
    assert files(tmp_path) == {}
    gen("render", "specs/add.yaml", "--out", tmp_path)
    assert gen("render", "specs/add.yaml", "--out", tmp_path, "--check").status == 0
    (tmp_path / "add/m_tree.py").write_text("mine\n")
    result = gen("render", "specs/add.yaml", "--out", tmp_path, "--check")
    assert result.status == 1
    assert f"different {tmp_path}/add/m_tree.py" in result.out
    assert (tmp_path / "add/m_tree.py").read_text() == "mine\n"


def test_list_says_what_would_be_written(gen, tmp_path):
    result = gen("render", "specs/add.yaml", "--out", tmp_path, "--list")
    assert result.status == 0
    assert f"missing   {tmp_path}/add/m_tree.py" in result.out
    assert files(tmp_path) == {}


def test_json_for_programs(gen, tmp_path):
    result = gen("render", "specs/add.yaml", "--out", tmp_path, "--json", "-t", "m_tree")
    (rendering,) = json.loads(result.out)["renderings"]
    assert rendering == {
        "name": "add",
        "files": [{"path": f"{tmp_path}/add/m_tree.py", "state": "new"}],
        "refused": {},
    }


def test_the_mistakes_of_all_specs_come_at_once_and_nothing_is_written(gen, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(WRONG)
    out = tmp_path / "out"
    result = gen("render", "specs/add.yaml", wrong, tmp_path / "missing.yaml", "--out", out)
    assert result.status == 2
    assert result.out == ""
    assert "error[E121]: `z` is not an input" in result.err
    assert "6 | body: x + z" in result.err
    assert "error[E101]: no such file" in result.err
    assert not out.exists()


def test_a_tile_that_does_not_fit_is_shown_in_the_spec(gen, tmp_path):
    spec = tmp_path / "gemm.yaml"
    spec.write_text(Path("specs/gemm.yaml").read_text() + "tile: {m: 100, n: 64, k: 64}\n")
    result = gen("render", spec, "--out", tmp_path)
    assert result.status == 2
    assert "error[E202]" in result.err
    assert "10 | tile: {m: 100, n: 64, k: 64}" in result.err


def test_mistakes_as_json(gen, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(WRONG)
    result = gen("render", wrong, "--json")
    assert (result.status, result.err) == (2, "")
    (error,) = json.loads(result.out)["errors"]
    assert (error["code"], error["line"], error["column"]) == ("E121", 6, 11)
    assert error["title"] == "unknown name in the expression"


def test_colours_only_where_they_are_wanted(gen, tmp_path):
    assert "\x1b" not in gen("render", "missing.yaml").err
    assert "\x1b[1;31merror" in gen("render", "missing.yaml", FORCE_COLOR="1").err
    assert "\x1b" not in gen("render", "missing.yaml", FORCE_COLOR="1", NO_COLOR="1").err


def test_an_output_folder_that_cannot_be_written(gen, tmp_path):
    (tmp_path / "file").write_text("")
    result = gen("render", "specs/add.yaml", "--out", tmp_path / "file/out", "-t", "m_tree")
    assert result.status == 2
    assert "error[E302]" in result.err


def test_ctrl_c_leaves_nothing_half_written(environment, tmp_path):
    text = Path("specs/add.yaml").read_text()
    specs = []
    for i in range(60):
        specs.append(tmp_path / f"add{i}.yaml")
        specs[-1].write_text(text.replace("name: add", f"name: add{i}"))
    out = tmp_path / "out"
    arguments = ["render", *map(str, specs), "--out", str(out), "--tree", "m_tree"]
    process = subprocess.Popen(
        [sys.executable, "-m", "gen.cli", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not out.exists() and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    for path in out.rglob("*"):
        if path.is_file():
            assert path.name == "m_tree.py"
            assert path.read_text().endswith("\n")


def test_a_reader_that_leaves_is_no_error(environment):
    read, write = os.pipe()
    os.close(read)
    process = subprocess.Popen(
        [sys.executable, "-m", "gen.cli", "schema"],
        env=environment,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
