"""What `--help` promises about exit statuses and JSON is what happens."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from gen.compile.m_tree import installed
from tests.cli.test_cli_run import KERNEL, RACE
from tests.foreign.samples import sample

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
needs_m = pytest.mark.skipif(bool(installed.missing()), reason="needs tilelang")


def promised(gen, command: str) -> tuple[set[int], set[str]]:
    """Exit statuses and keys of the JSON object that the help names."""
    words = " ".join(gen(command, "--help").out.split()).partition("Exit status: ")[2]
    statuses, _, keys = words.partition("JSON: ")
    found = re.findall(r"(?:^|; )(\d+) ", statuses)
    return {int(n) for n in found}, set(re.findall(r"`(\w+)`", keys))


@pytest.mark.parametrize("command", ["run", "lower", "check", "doctor"])
def test_each_command_says_what_its_exit_status_means(gen, command):
    statuses, keys = promised(gen, command)
    assert 0 in statuses
    assert keys


def test_run(gen, tmp_path):
    clean, race = tmp_path / "clean.asc", tmp_path / "race.asc"
    clean.write_text(KERNEL.replace("@@", ""))
    race.write_text(RACE.replace("@@", ""))
    (tmp_path / "lacks.asc").write_text(KERNEL.replace("@@", "AscendC::NoSuchInterface(a);"))
    expecting = tmp_path / "expecting.asc"
    expecting.write_text("// expect: race-raw MTE2→MTE3\n" + race.read_text())
    statuses, keys = promised(gen, "run")
    assert {0, 1, 2, 3, 130} == statuses
    for words, status, key in (
        ([clean], 0, "verdict"),
        ([race], 1, "verdict"),
        ([tmp_path / "lacks.asc"], 1, "verdict"),
        ([expecting, "--expect"], 0, "results"),
        ([clean, "--input", "x=float33[64]"], 2, "errors"),
        ([tmp_path / "none.asc"], 2, "errors"),
    ):
        result = gen("run", *words, "--json")
        found = json.loads(result.out)
        assert (result.status, key in found) == (status, True), (words, found)
        assert key in {*keys, "errors"}
        assert result.err == ""


@pytest.mark.parametrize(("factor", "status"), [("float(FACTOR)", 0), ("2 * float(FACTOR)", 1)])
def test_run_with_a_script(gen, tmp_path, factor, status):
    path = sample(tmp_path)
    path.write_text(path.read_text().replace("float(FACTOR)", factor))
    result = gen("run", path, "--script", "--define", "FACTOR=3", "--json")
    verdict = json.loads(result.out)["verdict"]
    assert result.status == status
    assert verdict["values"] == ("right" if status == 0 else "wrong")
    keys = {"path", "tree", "outcome", "clean", "values", "has_check", "interrupted", "calls"}
    assert keys <= verdict.keys()
    assert verdict["interrupted"] is False


@needs_m
def test_lower(gen):
    statuses, keys = promised(gen, "lower")
    assert statuses == {0, 2, 3}
    assert {"lowered", "lines", "text", "from", "inserted", "guards"} <= keys
    result = gen("lower", "add", "--json")
    assert result.status == 0
    lines = json.loads(result.out)["lowered"]["lines"]
    assert {"text", "from", "inserted", "guards"} <= {key for line in lines for key in line}
    wrong = gen("lower", "nowhere.py", "--json")
    assert (wrong.status, [e["code"] for e in json.loads(wrong.out)["errors"]]) == (2, ["E101"])
