"""Packages of the Debian archive, by apt-get with a state of its own: no root, nothing of the host is touched."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gen.compile.a_tree.process import OFFLINE, InstallError, Tick, complaint, is_complete, run
from gen.compile.a_tree.recipe import DEBIAN_KEYRING, DEBIAN_MIRROR, DEBIAN_SUITES

SETTINGS = {
    "Dir::Etc::main": "/dev/null",
    "Dir::Etc::parts": "/dev/null",
    "Dir::Etc::preferences": "/dev/null",
    "Dir::Etc::preferencesparts": "/dev/null",
    "Acquire::Languages": "none",
    "Acquire::Retries": "3",
    "Acquire::http::Timeout": "30",
    "Acquire::https::Timeout": "30",
    # Without it a failed download of an index is a warning and old indexes stay in use.
    "APT::Update::Error-Mode": "any",
    "APT::Sandbox::User": "root",
}


@dataclass(frozen=True)
class Package:
    """One .deb as the signed index of the archive describes it."""

    name: str
    file: str
    size: int
    sha256: str


class Apt:
    """apt-get on the Debian archive, with everything that it keeps below `folder`."""

    def __init__(self, folder: Path, tick: Tick) -> None:
        self._folder = folder
        self._index = folder / "packages.json"
        self._tick = tick

    def resolve(self, names: Sequence[str]) -> tuple[Package, ...]:
        """The newest version of each package; needs the network unless an earlier run resolved the same names."""
        known = _read_index(self._index)
        if not all(name in known for name in names):
            environment = self._debian()
            self._run(["apt-get", "update"], environment, "read the index of the Debian archive")
            known = self._describe(names, environment)
            written = json.dumps({n: asdict(p) for n, p in known.items()}, indent=1)
            self._index.write_text(written, "utf-8")
        return tuple(known[name] for name in names)

    def download(self, packages: Sequence[Package], folder: Path) -> tuple[Path, ...]:
        """Downloads resolved packages into `folder`, those that are not there yet; their files, in order."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = {package: folder / package.file for package in packages}
        missing = [p for p, path in paths.items() if not is_complete(path, p.sha256)]
        for package in missing:
            paths[package].unlink(missing_ok=True)
        if missing:
            command = ["apt-get", "download", *(package.name for package in missing)]
            self._run(command, self._debian(), "download from the Debian archive", folder)
        for package in missing:
            if not is_complete(paths[package], package.sha256):
                # The archive has moved on since the names were resolved; the next run asks again.
                self._index.unlink(missing_ok=True)
                message = f"the Debian archive no longer has {package.file}"
                raise InstallError(message, "run the command again")
        return tuple(paths.values())

    def _describe(self, names: Sequence[str], environment: Mapping[str, str]) -> dict[str, Package]:
        command = ["apt-get", "download", "--print-uris", *names]
        output = self._run(command, environment, "find the packages in the Debian archive")
        by_name = {name.split(":")[0]: name for name in names}
        found = {}
        for line in output.splitlines():
            match line.split():
                case [_, file, size, digest] if digest.startswith("SHA256:"):
                    name = by_name[file.split("_")[0]]
                    found[name] = Package(name, file, int(size), digest.removeprefix("SHA256:"))
        for name in names:
            if name not in found:
                raise InstallError(f"the Debian archive does not describe {name}", OFFLINE)
        return found

    def _debian(self) -> dict[str, str]:
        """The environment in which apt-get knows the Debian archive and nothing else."""
        key = self._archive_key()
        base = _state_folder(self._folder / "debian")
        sources = base / "sources.list"
        lines = [
            f"deb [signed-by={key} arch=arm64,amd64] {DEBIAN_MIRROR} {suite} main\n"
            for suite in DEBIAN_SUITES
        ]
        sources.write_text("".join(lines), "utf-8")
        settings = {
            "Dir::Etc::sourcelist": str(sources),
            "Dir::Etc::sourceparts": "/dev/null",
            "APT::Architecture": "arm64",
        }
        return _environment(base, settings, 'APT::Architectures { "arm64"; "amd64"; };\n')

    def _archive_key(self) -> Path:
        """Debian's public key: the host's own, else out of its distribution's signed debian-archive-keyring."""
        host = Path(DEBIAN_KEYRING)
        if host.is_file():
            return host
        unpacked = self._folder / "keyring"
        key = unpacked / host.relative_to("/")
        if not key.is_file():
            environment = _environment(_state_folder(self._folder / "host"), {})
            task = "get debian-archive-keyring, which holds the key of the Debian archive"
            self._run(["apt-get", "update"], environment, "read the package index of this machine")
            self._run(["apt-get", "download", "debian-archive-keyring"], environment, task)
            for deb in self._folder.glob("debian-archive-keyring_*.deb"):
                unpack_deb(deb, unpacked)
        if not key.is_file():
            message = "the package debian-archive-keyring of this machine has no key of the Debian archive"
            raise InstallError(message, f"put the key at {host}")
        return key

    def _run(
        self, command: list[str], environment: Mapping[str, str], task: str, cwd: Path | None = None
    ) -> str:
        done = run(command, environment, cwd or self._folder, self._tick)
        if done.returncode:
            raise InstallError(f"apt-get could not {task}: {complaint(done.stderr)}", OFFLINE)
        return done.stdout


def _state_folder(base: Path) -> Path:
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (base / folder).mkdir(parents=True, exist_ok=True)
    (base / "state/status").touch()
    return base


def _environment(base: Path, settings: Mapping[str, str], more: str = "") -> dict[str, str]:
    own = {
        "Dir::State": str(base / "state"),
        "Dir::State::status": str(base / "state/status"),
        "Dir::Cache": str(base / "cache"),
    }
    lines = [f'{name} "{value}";\n' for name, value in {**own, **SETTINGS, **settings}.items()]
    config = base / "apt.conf"
    config.write_text("".join([_host_proxies(), *lines, more]), "utf-8")
    return {**os.environ, "APT_CONFIG": str(config), "LC_ALL": "C"}


def _host_proxies() -> str:
    """The host's proxies, and nothing else of its configuration: hooks of container images delete downloads."""
    command = ["apt-config", "dump", "Acquire::http", "Acquire::https"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return "".join(f"{line}\n" for line in done.stdout.splitlines() if "Proxy" in line)


def _read_index(path: Path) -> dict[str, Package]:
    try:
        return {n: Package(**p) for n, p in json.loads(path.read_text("utf-8")).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def unpack_deb(deb: Path, root: Path) -> None:
    """Unpacks a Debian package below `root`, where /lib and /bin may be links (merged /usr)."""
    root.mkdir(parents=True, exist_ok=True)
    tar = ["tar", "-x", "--keep-directory-symlink", "--no-same-owner", "-C", str(root)]
    reader = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE)
    with reader:
        done = subprocess.run(tar, stdin=reader.stdout, capture_output=True, text=True, check=False)
    if done.returncode or reader.returncode:
        message = f"cannot unpack {deb.name}: {complaint(done.stderr)}"
        raise InstallError(message, "check the free disk space")
