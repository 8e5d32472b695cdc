"""Installing the A tree's compiler: who can, what happens without a network, what is damaged."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from gen.compile.a_tree import toolchain
from gen.compile.a_tree.apt import Apt, Package
from gen.compile.a_tree.installed import EMULATED_CPU, SYSROOT_PYTHON, Toolchain
from gen.compile.a_tree.process import InstallError, complaint, is_complete
from gen.compile.a_tree.recipe import QEMU_PACKAGE, WHEELS, Host, Recipe, Runner, recipe_for
from gen.compile.a_tree.wheels import download_wheel

DEBIAN_PC = Host("Linux", "x86_64", (2, 36), (3, 11), apt=True, qemu=None)
ARM = replace(DEBIAN_PC, machine="aarch64")
NOWHERE = "http://127.0.0.1:9"


def recipe(host: Host) -> Recipe:
    found = recipe_for(host)
    assert isinstance(found, Recipe)
    return found


def test_a_pc_gets_an_arm64_system_and_an_emulator_unless_it_has_one() -> None:
    assert recipe(DEBIAN_PC).runner is Runner.QEMU
    assert QEMU_PACKAGE in recipe(DEBIAN_PC).packages
    with_qemu = replace(DEBIAN_PC, qemu="/usr/bin/qemu-aarch64-static")
    assert QEMU_PACKAGE not in recipe(with_qemu).packages
    assert any(p.startswith("python3.11-minimal:arm64") for p in recipe(with_qemu).packages)


def test_an_arm_machine_needs_packages_only_where_its_own_are_too_old() -> None:
    assert recipe(ARM).runner is Runner.SYSROOT
    assert QEMU_PACKAGE not in recipe(ARM).packages
    new = replace(ARM, glibc=(2, 38), apt=False)
    assert recipe(new).runner is Runner.NATIVE
    assert recipe(new).packages == ()
    assert recipe(replace(new, python=(3, 12), apt=True)).runner is Runner.SYSROOT


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        (replace(DEBIAN_PC, system="Darwin"), "a Linux program and this is Darwin"),
        (replace(DEBIAN_PC, machine="riscv64"), "cannot be emulated here on riscv64"),
        (replace(DEBIAN_PC, apt=False), "this x86_64 machine has no apt-get and dpkg-deb"),
        (replace(ARM, apt=False), "this aarch64 machine has no apt-get and dpkg-deb"),
    ],
)
def test_a_machine_that_cannot_have_it_is_told_why(host: Host, reason: str) -> None:
    found = recipe_for(host)
    assert isinstance(found, str)
    assert reason in found


def test_runners_never_share_a_folder() -> None:
    keys = {recipe(h).key for h in (DEBIAN_PC, ARM, replace(ARM, glibc=(2, 41)))}
    assert len(keys) == 3


def test_an_emulated_script_runs_isolated_in_the_python_of_the_system(tmp_path: Path) -> None:
    emulator = tmp_path / "bin/qemu-aarch64-static"
    emulator.parent.mkdir()
    emulator.touch()
    command = Toolchain(tmp_path, Runner.QEMU).command(Path("server.py"))
    python = str(tmp_path / SYSROOT_PYTHON)
    assert command == [
        str(emulator),
        "-cpu",
        EMULATED_CPU,
        "-L",
        str(tmp_path / "sysroot"),
        python,
        "-I",
        "-S",
        "server.py",
    ]


def test_nothing_is_installed_in_an_empty_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSTREE_CACHE", str(tmp_path))
    found = toolchain.status()
    assert found.state is toolchain.State.MISSING
    assert found.help == "run `gen toolchain install a-tree`"
    assert toolchain.remove() == 0


def test_a_damaged_toolchain_is_not_called_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSTREE_CACHE", str(tmp_path))
    made = recipe_for(Host.current())
    if isinstance(made, str):
        pytest.skip(made)
    (toolchain.location() / made.key / "site").mkdir(parents=True)
    found = toolchain.status()
    assert found.state is toolchain.State.MISSING
    assert "damaged" in found.reason
    assert found.toolchain is None


def test_without_a_network_it_says_what_to_do_and_leaves_nothing_active(tmp_path: Path) -> None:
    if isinstance(recipe_for(Host.current()), str):
        pytest.skip("this machine cannot have the A tree's compiler")
    code = (
        "from gen.compile.a_tree import toolchain as t\n"
        "try:\n"
        "    t.install()\n"
        "except t.InstallError as error:\n"
        "    print(error, error.help, t.status().state)\n"
    )
    root = str(Path(toolchain.__file__).parents[3])
    proxies = {"http_proxy": NOWHERE, "https_proxy": NOWHERE, "no_proxy": ""}
    environment = {**os.environ, **proxies, "CROSSTREE_CACHE": str(tmp_path), "PYTHONPATH": root}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert "apt-get could not read the index" in done.stdout or "pip could not" in done.stdout
    assert "run the command again: what is complete is kept" in done.stdout
    assert done.stdout.rstrip().endswith("missing")


def package_of(content: bytes) -> Package:
    digest = hashlib.sha256(content).hexdigest()
    return Package("libx:arm64/trixie", "libx_1_arm64.deb", len(content), digest)


def test_complete_packages_are_taken_without_asking_the_network(tmp_path: Path) -> None:
    package = package_of(b"the package")
    apt = Apt(tmp_path, lambda: None)
    (tmp_path / "packages.json").write_text(json.dumps({package.name: asdict(package)}), "utf-8")
    assert apt.resolve([package.name]) == (package,)
    debs = tmp_path / "debs"
    debs.mkdir()
    (debs / package.file).write_bytes(b"the package")
    assert apt.download([package], debs) == (debs / package.file,)


def test_half_a_file_is_not_complete(tmp_path: Path) -> None:
    package = package_of(b"the package")
    file = tmp_path / package.file
    assert not is_complete(file, package.sha256)
    file.write_bytes(b"the pack")
    assert not is_complete(file, package.sha256)
    file.write_bytes(b"the package")
    assert is_complete(file, package.sha256)


def test_a_wheel_with_other_content_is_never_used(tmp_path: Path) -> None:
    wheel = replace(WHEELS[0], name="no-such-wheel", version="0", sha256="0" * 64)
    other = tmp_path / "wheels" / "no_such_wheel-0-py3-none-any.whl"
    other.parent.mkdir()
    other.write_bytes(b"something else")
    with pytest.raises(InstallError, match="pip could not download no-such-wheel==0"):
        download_wheel(wheel, other.parent, tmp_path / "scratch", lambda: None)
    assert not other.exists()


def test_the_first_error_of_a_program_is_its_complaint() -> None:
    assert complaint("Reading\nE: no network\nE: giving up\n") == "E: no network"
    assert complaint("one\ntwo\n") == "two"
    assert complaint("") == "it said nothing"
