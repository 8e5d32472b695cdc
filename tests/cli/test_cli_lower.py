"""``gen lower`` shows what a compiler makes of a kernel; its signs need no colours."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gen.compile.a_tree.toolchain import status
from gen.compile.m_tree import installed
from tests.cli.conftest import ROOT

needs_m = pytest.mark.skipif(bool(installed.missing()), reason="needs tilelang")
needs_a = pytest.mark.skipif(status().toolchain is None, reason="needs the A tree's compiler")

SCALE = """\
import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def scale(x, factor: float = 2.0):
    N = T.const("N")
    x: T.Tensor((N,), T.float32)
    y = T.empty((N,), T.float32)
    with T.Kernel(2) as core:
        x_ub = T.alloc_shared((256,), T.float32)
        T.copy(x[core * 256], x_ub)
        with T.SimtVF(threads=64):
            for i in T.Parallel(256):
                x_ub[i] = x_ub[i] * factor
        T.copy(x_ub, y[core * 256])
    return y
"""


@pytest.fixture
def scale(tmp_path):
    path = tmp_path / "scale.py"
    path.write_text(SCALE)
    return path


@needs_m
@pytest.mark.parametrize("colour", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}])
def test_inserted_lines_are_signed_and_tied(gen, colour):
    result = gen("lower", "add", "--tree", "m", **colour)
    assert result.status == 0
    assert "FORCE_COLOR" in colour or not result.err  # a terminal sees what is done now
    plain = re.sub(r"\x1b\[[\d;]*m", "", result.out)
    assert (plain != result.out) == ("FORCE_COLOR" in colour)
    assert "+ marks what the compiler inserted: 8 sets, 8 waits" in plain
    signed = [line for line in plain.splitlines() if re.match(r"\s*\d+ +\+ ", line)]
    assert len(signed) == 16
    for line in signed:
        assert re.search(
            r"asc_sync_\w+\(.*\); +<- out/add/m_tree\.py:\d+: (?:T\.copy|with T\.)", line
        )
    assert "asc_sync" not in "".join(set(plain.splitlines()) - set(signed))


@needs_m
def test_json(gen):
    result = gen("lower", "add", "--json")
    lowered = json.loads(result.out)["lowered"]
    assert (lowered["tree"], lowered["function"], lowered["path"]) == (
        "m_tree",
        "add",
        "out/add/m_tree.py",
    )
    inserted = [x for x in lowered["lines"] if x.get("inserted")]
    assert {x["sync"] for x in inserted} == {"set", "wait"}
    assert all(x["guards"]["text"] for x in inserted)
    assert "passes" not in lowered


@needs_m
def test_a_kernel_file_with_its_options(gen, scale):
    result = gen("lower", scale, "--input", "x=float32[512]", "--arg", "factor=3.0", "--json")
    assert result.status == 0
    text = "\n".join(x["text"] for x in json.loads(result.out)["lowered"]["lines"])
    assert "3.0" in text
    assert "(2.0" not in text


@needs_m
def test_passes_as_differences_and_whole(gen):
    changes = gen("lower", "add", "--passes")
    whole = gen("lower", "add", "--passes", "--full")
    assert changes.status == whole.status == 0
    heads = [x for x in changes.out.splitlines() if re.match(r"pass \d+: ", x)]
    assert "tl.InsertSync" in " ".join(heads)
    assert heads == [x for x in whole.out.splitlines() if re.match(r"pass \d+: ", x)]
    assert re.search(r"^\+ +T\.ascend_set_flag\(", changes.out, re.MULTILINE)
    assert len(whole.out) > len(changes.out)
    found = json.loads(gen("lower", "add", "--passes", "--json").out)["lowered"]["passes"]
    assert [f"pass {n}: {p['name']}" for n, p in enumerate(found, 1)] == heads


@needs_m
def test_a_rendering_that_somebody_has_edited_is_not_what_is_tied(gen, tmp_path):
    """The listing is of a fresh rendering, so it names one; --source takes the kernel as it stands."""
    shipped = (ROOT / "out" / "add" / "m_tree.py").read_text()
    edited = shipped.replace("z_ub[i] = x_ub[i] + y_ub[i]", "z_ub[i] = x_ub[i] + y_ub[i] + 7.0")
    assert edited != shipped
    folder = tmp_path / "out" / "add"
    folder.mkdir(parents=True)
    (folder / "m_tree.py").write_text(f"# mine\n{edited}")
    spec = ROOT / "specs" / "add.yaml"
    fresh = json.loads(gen("lower", spec, "--json", cwd=tmp_path).out)["lowered"]
    assert not any("7.0" in x["text"] for x in fresh["lines"])
    assert Path(fresh["path"]).read_text() == shipped
    guarded = next(x["guards"] for x in fresh["lines"] if "guards" in x)
    assert shipped.splitlines()[guarded["line"] - 1].strip() in guarded["text"]
    words = ["lower", spec, "--source", "out", "--json"]
    own = json.loads(gen(*words, cwd=tmp_path).out)["lowered"]
    assert any("7.0" in x["text"] for x in own["lines"])
    assert own["path"] == "out/add/m_tree.py"
    assert next(x["guards"] for x in own["lines"] if "guards" in x)["line"] == guarded["line"] + 1


@needs_a
def test_the_a_tree(gen):
    result = gen("lower", "add", "--tree", "a")
    assert result.status == 0
    assert "the compiler inserted no synchronisation" in result.out
    assert "SetFlag" in result.out


@needs_m
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere.py"], "E101", "cannot read the kernel"),
        (["nowhere.yaml"], "E101", "nowhere.yaml"),
        (["SCALE", "--source", "out"], "E140", "--source goes with a spec"),
        (["add", "--source", "nowhere"], "E101", "gen render specs/add.yaml"),
        (["add", "--arg", "n=3"], "E140", "--arg is for kernel files"),
        (["add", "--function", "add"], "E140", "--function is for kernel files"),
        (["out/add/ascendc/add.asc"], "E140", "Ascend C is not lowered"),
        (["SCALE"], "E142", "the shape and number format of `x` are not known"),
        (["SCALE", "--input", "x=float32[512]", "--arg", "facto=1"], "E140", "`factor`"),
        (["SCALE", "--input", "x=float99[512]"], "E142", "float99"),
        (["SCALE", "--function", "scales"], "E140", "`scale`"),
    ],
)
def test_mistakes(gen, scale, arguments, code, words):
    result = gen("lower", *[scale if a == "SCALE" else a for a in arguments])
    assert result.status == 2
    assert result.out == ""
    assert f"error[{code}]" in result.err
    assert words in result.err
    assert "Traceback" not in result.err


@needs_m
def test_a_mistake_in_the_kernel_is_shown_at_its_line(gen, scale):
    scale.write_text(SCALE.replace("T.alloc_shared", "T.alloc_ub"))
    result = gen("lower", scale, "--input", "x=float32[512]")
    assert result.status == 2
    assert "error[E402]" in result.err
    assert f"{scale}:11:" in result.err


def test_the_whole_ir_goes_with_passes(gen):
    result = gen("lower", "add", "--full")
    assert result.status == 2
    assert "--full goes with --passes" in result.err
