"""Starting up: quick, helpful, and quiet about its own affairs."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "torch", "tilelang", "tvm", "rich", "ml_dtypes"}


def imported(environment, *arguments: str) -> set[str]:
    """Top-level packages that a command imports, as the interpreter reports them."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "gen.cli", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize("arguments", [["--help"], ["render", "--help"], ["schema"]])
def test_nothing_heavy_is_imported_to_start(environment, arguments):
    assert imported(environment, *arguments) & HEAVY == set()


@pytest.mark.parametrize("name", ["add", "gemm", "rmsnorm"])
def test_nothing_heavy_is_imported_to_render(environment, tmp_path, name):
    first = {**environment, "CROSSTREE_CACHE": str(tmp_path / "cache")}
    command = ("render", f"specs/{name}.yaml", "--out", str(tmp_path / "out"))
    used = imported(first, *command)
    assert used & HEAVY == set()
    assert "jinja2" in used
    again = imported(first, *command)
    assert again & (HEAVY | {"jinja2", "pydantic", "ruamel"}) == set()


def test_help_needs_no_spec_model(environment):
    assert "pydantic" not in imported(environment, "--help")


def test_help_lists_the_commands(gen):
    result = gen("--help")
    assert result.status == 0
    for command in ("render", "schema", "doctor", "toolchain"):
        assert f"\n  {command} " in result.out


def test_no_command_shows_the_help(gen):
    result = gen()
    assert result.status == 2
    assert "Usage: gen" in result.out + result.err


def test_the_version(gen):
    import gen as package

    assert gen("--version").out == f"crosstree {package.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rendr", "x"], "Did you mean 'render'?"),
        (["render"], "Missing argument"),
        (["render", "--chekc", "x"], "--check"),
        (["render", "x.yaml", "--tree", "b_tree"], "'m_tree_manual', 'ascendc'"),
        (["render", "x.yaml", "--check", "--list"], "exclude each other"),
        (["schema", "conv"], "'elementwise', 'gemm', 'norm'"),
        (["toolchain", "install", "m-tree"], "a-tree"),
    ],
)
def test_a_wrong_command_line_is_told_and_not_traced(gen, arguments, said):
    result = gen(*arguments)
    assert result.status == 2
    assert said in result.err
    assert "Traceback" not in result.err
