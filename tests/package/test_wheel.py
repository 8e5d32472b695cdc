"""The wheel is whole: installed into a fresh environment it checks a spec, far from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    words = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)]
    done = subprocess.run([*words, str(ROOT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = out.glob("*.whl")
    return made


def test_the_wheel_holds_templates_specs_and_the_model(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder, pattern in (("templates", "*.jinja"), ("specs", "*.yaml")):
        for file in (ROOT / folder).rglob(pattern):
            assert f"gen/_data/{folder}/{file.relative_to(ROOT / folder).as_posix()}" in inside
    for page in (ROOT / "gen" / "rules" / "pages").glob("*.md"):
        assert page.relative_to(ROOT).as_posix() in inside
    for file in (ROOT / "gen" / "sim" / "native").rglob("*.[ch]*"):
        if file.is_file():
            assert file.relative_to(ROOT).as_posix() in inside
    assert not any(name.startswith(("tests/", "out/")) for name in inside)


def test_an_installed_wheel_checks_a_shipped_spec_and_one_of_its_user(
    wheel: Path, tmp_path: Path
) -> None:
    home = tmp_path / "environment"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)]
    subprocess.run(install, check=True)
    (tmp_path / "mine.yaml").write_text(
        "kind: elementwise\nname: mine\nshape: [1001]\ninputs: {x: float16}\noutput: {y: float16}\n"
        "body: relu(x) * 0.5\n"
    )
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    words = [str(home / "bin" / "gen"), "check", "--json", "add", "mine.yaml"]
    done = subprocess.run(
        words, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = json.loads(done.stdout)["verdicts"]
    assert [v["name"] for v in verdicts] == ["add", "mine"]
    for verdict in verdicts:
        trees = {t["tree"]: t for t in verdict["trees"]}
        assert trees["ascendc"]["level"] == "simulated"
        assert trees["ascendc"]["outcome"] == "clean"
        # The wheel does not pull in the M tree's compiler: the reason says how to get it.
        assert trees["m_tree"]["level"] == "rendered"
        assert "tilelang" in trees["m_tree"]["reason"]
