"""`gen run FILE --script`: the file's own script from the command line."""

import json
import shutil

import pytest

from tests.foreign.samples import sample

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")


def test_the_verdict_has_the_scripts_own(gen, tmp_path):
    result = gen("run", sample(tmp_path), "--script", "--define", "FACTOR=3")
    assert (result.status, result.err) == (0, "")
    assert "clean, 1 kernel call" in result.out
    assert "values: right, as the script's own check says" in result.out
    assert "the script's last words: test pass!" in result.out


def test_wrong_values_in_json_and_in_full(gen, tmp_path):
    path = sample(tmp_path)
    path.write_text(path.read_text().replace("float(FACTOR)", "2 * float(FACTOR)"))
    words = ["run", path, "--script", "--define", "FACTOR=3"]
    result = gen(*words, "--json")
    verdict = json.loads(result.out)["verdict"]
    assert result.status == 1
    assert (verdict["values"], verdict["outcome"], verdict["clean"]) == ("wrong", "failed", False)
    assert verdict["calls"][0]["verdict"]["outcome"] == "clean"
    assert "  | test failed" in gen(*words, "--expect").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--input", "x=float32[4]"], "--input does not go with --script"),
        (["--launch", "blocks=1"], "--launch does not go with --script"),
        (["--set", "N=3"], "the file gives no value to `N`"),
    ],
)
def test_options_that_the_script_decides(gen, tmp_path, words, message):
    path = sample(tmp_path)
    if "--set" in words:
        path = tmp_path / "k.py"
        path.write_text("import tilelang\nM = 3\n")
    result = gen("run", path, "--script", *words)
    assert result.status == 2
    assert message in result.err


def test_words_for_a_script_that_is_not_asked_for(gen, tmp_path):
    result = gen("run", sample(tmp_path), "--script-arg", "--rows")
    assert result.status == 2
    assert "--script-arg goes with --script" in result.err
