"""``gen check`` judges, and never calls clean what it did not run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid

import pytest

from gen.cache import cache_folder

SMALL = """kind: elementwise
name: small
shape: [3, 67]
inputs: {x: float16}
output: {y: float16}
body: max(x, 0.5) - x
"""

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(SMALL)
    return path


def test_a_clean_spec(gen, small):
    result = gen("check", small, "--tree", "ascendc")
    assert result.status == 0, result.out + result.err
    assert "simulated" in result.out
    assert "y: bit for bit" in result.out
    assert "error" not in result.err


def test_json_for_programs(gen, small):
    result = gen("check", small, "--tree", "ascendc", "--json", "--seed", "3")
    (verdict,) = json.loads(result.out)["verdicts"]
    assert verdict["clean"] is True
    (tree,) = verdict["trees"]
    assert (tree["tree"], tree["level"], tree["outcome"]) == ("ascendc", "simulated", "clean")
    assert "auto_sync=on" in tree["profile"]


def test_a_compiler_without_synchronisation_of_its_own(gen, small):
    result = gen("check", small, "-t", "ascendc", "--json", "--auto-sync", "off")
    ((tree,),) = (v["trees"] for v in json.loads(result.out)["verdicts"])
    assert "auto_sync=off" in tree["profile"]


def test_a_level_that_is_not_reached_is_a_finding(gen, small):
    result = gen("check", small, "--tree", "ascendc", "--require", "device")
    assert result.status == 1
    assert "small: Ascend C is simulated, and device was required" in result.out


def test_without_a_compiler_nothing_is_clean(gen, small):
    result = gen("check", small, "--tree", "ascendc", "--json", CXX="/no/such/compiler")
    ((tree,),) = (v["trees"] for v in json.loads(result.out)["verdicts"])
    assert tree["level"] == "rendered"
    assert tree["outcome"] != "clean"
    assert "/no/such/compiler" in tree["reason"]
    result = gen("check", small, "-t", "ascendc", "--require", "simulated", CXX="/no/such/compiler")
    assert result.status == 1


def test_wrong_specs_are_told_before_anything_runs(gen, small, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(SMALL.replace("small", "wrong") + "tile: 100000\n")
    result = gen("check", small, wrong, tmp_path / "missing.yaml")
    assert result.status == 2
    assert "missing.yaml" in result.err
    assert result.out == ""
    result = gen("check", small, wrong)
    assert result.status == 2
    assert "7 | tile: 100000" in result.err
    assert result.out == ""


@pytest.mark.parametrize("option", [["--seed", "-1"], ["--timeout", "0"], ["--require", "perfect"]])
def test_a_wrong_option_is_told(gen, small, option):
    result = gen("check", small, *option)
    assert result.status == 2
    assert "Traceback" not in result.err


def test_ctrl_c_ends_it(environment, tmp_path):
    spec = tmp_path / "large.yaml"
    spec.write_text(SMALL.replace("[3, 67]", "[8192, 4096]"))
    process = subprocess.Popen(
        [sys.executable, "-m", "gen.cli", "check", str(spec), "--tree", "ascendc"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(2)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err


@pytest.mark.parametrize("json_", [[], ["--json"]])
def test_ctrl_c_keeps_what_is_finished(environment, small, tmp_path, json_):
    """The second spec is interrupted while it runs; the verdict of the first is printed."""
    large = tmp_path / "large.yaml"
    large.write_text(
        SMALL.replace("[3, 67]", "[8192, 4096]").replace(
            "small", name := f"large_{uuid.uuid4().hex[:8]}"
        )
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "gen.cli", "check", small, large, "--tree", "ascendc", *json_],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 200
    while process.poll() is None and time.monotonic() < until:
        # It is being compiled: the first has come to its end.
        if list(cache_folder("ascendc").glob(f"*/{name}.cpp")):
            break
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    if json_:
        found = json.loads(out)
        assert found["interrupted"]
        assert [(v["name"], v["clean"]) for v in found["verdicts"]] == [("small", True)]
    else:
        assert "(small)" in out
        assert "(large" not in out
