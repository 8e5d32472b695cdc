"""Builds the engine (libaicore) and programs against it; nothing is built twice.

A program is a kernel source with a ``main``. It is compiled with the headers of its face and linked
to the engine; :func:`gen.sim.run.run_program` runs it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from gen.sim.cache import cache_root, digest, locked, scratch, write_atomically
from gen.sim.objects import Built, compile_cached, run
from gen.sim.toolchain import BuildError, Compiler, cpu, find_compiler

__all__ = ["BuildError", "Face", "Program", "build_engine", "build_program"]

Face = Literal["ascendc", "c_api", "core"]

NATIVE = Path(__file__).resolve().parent / "native"
INCLUDE = NATIVE / "include"
SOURCES = NATIVE / "src"
_JOBS = max(1, min(2, os.cpu_count() or 1))

# With a name of its own the engine is found by LD_LIBRARY_PATH; without, every program would insist
# on the very file that it was linked to, and miss each later engine.
_LINK_ENGINE = ("-Wl,-soname,libaicore.so", "-Wl,-z,defs")

# Calls of these are not instrumented; in vector functions the engine has to see what they touch.
_WRAPPED = ("-Wl,--wrap=memcpy", "-Wl,--wrap=memmove", "-Wl,--wrap=memset")

_ARCH = {"2201": "2201", "3510": "3510", "ascend910b": "2201", "ascend950": "3510"}


@dataclass(frozen=True, slots=True)
class Program:
    """An executable, the engine that it needs, and the sources that its findings may name.

    ``arguments`` go in front of those of every run.
    """

    executable: Path
    engine: Path
    sources: tuple[Path, ...]
    arguments: tuple[str, ...] = ()


@cache
def build_engine() -> Path:
    """Path of ``libaicore.so``; compiled at the first call and whenever its sources have changed.

    Sources are looked at once per process.
    """
    compiler = find_compiler()
    store = cache_root() / "engine"
    stamp = store / f"stamp-{_state_of_the_sources(compiler)}"
    try:
        library = Path(stamp.read_text(encoding="utf-8"))
        if library.exists():
            return library
    except OSError:
        pass  # not built in this state yet
    library = _build_engine(compiler, store)
    write_atomically(stamp, str(library).encode())
    return library


def _state_of_the_sources(compiler: Compiler) -> str:
    """Changes with every file of the engine, and with how this module builds it."""
    files = [Path(__file__), *sorted(SOURCES.rglob("*")), *sorted((INCLUDE / "aicore").rglob("*"))]
    stats = ((path, path.stat()) for path in files if path.is_file())
    return digest(compiler.key, *(f"{p} {s.st_size} {s.st_mtime_ns}" for p, s in stats))


def _build_engine(compiler: Compiler, store: Path) -> Path:
    sources = sorted(SOURCES.rglob("*.cpp"))
    if not sources:
        raise BuildError("the sources of the engine are missing", str(SOURCES))
    with ThreadPoolExecutor(_JOBS) as pool:
        objects = list(pool.map(lambda source: _engine_object(compiler, source, store), sources))
    key = digest(compiler.key, *_LINK_ENGINE, *(o.key for o in objects))
    library = store / key / "libaicore.so"
    if library.exists():
        return library
    with locked(store / "link.lock"):
        if not library.exists():
            _link_engine(compiler, objects, library)
    return library


def _engine_object(compiler: Compiler, source: Path, store: Path) -> Built:
    flags = [
        *("-std=c++20", "-O3", "-g1", "-c", "-fPIC", "-ffp-contract=off", "-fno-math-errno"),
        "-fno-trapping-math",  # no trap is ever enabled; without it selects do not vectorise
        *("-fno-omit-frame-pointer", "-fno-semantic-interposition", "-pthread"),
        *_for_this_cpu(),
        f"-I{SOURCES}",
        f"-I{INCLUDE}",
    ]
    if SOURCES / "ops" not in source.parents:
        flags += ["-fvisibility=hidden", "-fvisibility-inlines-hidden"]
    return compile_cached(compiler, source, flags, store, ".o")


def _for_this_cpu() -> list[str]:
    return ["-march=native"] if cpu().startswith("x86_64") else ["-mcpu=native"]


def _link_engine(compiler: Compiler, objects: Sequence[Built], library: Path) -> None:
    library.parent.mkdir(parents=True, exist_ok=True)
    with scratch(library.parent) as place:
        out = place / library.name
        inputs = [str(o.path) for o in objects]
        run(
            [*compiler.command, "-shared", "-pthread", *inputs, "-o", str(out), *_LINK_ENGINE],
            "the engine",
        )
        out.replace(library)


def build_program(
    sources: Sequence[Path],
    *,
    face: Face,
    chip: str,
    includes: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
    common: Sequence[str] = (),
) -> Program:
    """Compiles ``sources`` (one of them has a ``main``) for ``face`` and links them to the engine.

    ``chip`` is a chip name (``ascend910b``, ``ascend950``) or an architecture (``2201``, ``3510``).
    ``includes`` come after the face's own directories. A define with an empty value is ``-Dname``.
    ``common`` names headers that many such sources include, each with a guard: they are compiled once.
    Raises :class:`BuildError` with the compiler's messages.
    """
    compiler = find_compiler()
    engine = build_engine()
    flags = _program_flags(compiler, face, chip, includes, defines or {})
    store = cache_root() / "programs"
    # What a face includes first asks for none of a source's own macros: one header serves them all.
    shared = _program_flags(compiler, face, chip, includes, {})
    header = _precompiled(compiler, [*_UMBRELLA[face], *common], shared, store)
    use = header.flags if header else []
    options, extra = ["-c", *use, *flags], header.key if header else ""
    with ThreadPoolExecutor(_JOBS) as pool:
        objects = list(
            pool.map(
                lambda source: compile_cached(compiler, source, options, store, ".o", extra=extra),
                sources,
            )
        )
    wrapped = _WRAPPED if face == "c_api" else ()
    key = digest(compiler.key, "libaicore.so", *wrapped, *(o.key for o in objects))
    executable = store / f"{sources[0].stem}-{key}.exe"
    if not executable.exists():
        with locked(store / f"{key}.lock"):
            if not executable.exists():
                _link_program(compiler, objects, engine, executable, wrapped)
    return Program(executable, engine, tuple(s.resolve() for s in sources))


def _program_flags(
    compiler: Compiler,
    face: Face,
    chip: str,
    includes: Sequence[Path],
    defines: Mapping[str, str],
) -> list[str]:
    if chip not in _ARCH:
        raise ValueError(f"unknown chip {chip!r}: one of {', '.join(_ARCH)}")
    # The instructions' bodies are the engine's: programs only call them, and -O2 would take twice the time to compile.
    # Functions of vector lanes are computed in the program itself.
    flags = ["-O2" if face == "c_api" else "-O1"]
    flags += ["-g1", "-fPIC", "-ffp-contract=off", "-fno-strict-aliasing", "-pthread", "-w"]
    # The call stack of every instruction is read from frame pointers, and must name each line.
    flags += ["-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"]
    if compiler.family == "gcc":
        flags += ["-fno-crossjumping", "-fno-tree-tail-merge", "-fno-ipa-icf"]
    if cpu().startswith("x86_64"):
        flags += ["-mf16c", "-mfma"]
    flags.append("-std=c++20" if face != "ascendc" else "-std=c++17")
    if face == "c_api":
        flags.append("-fsanitize=thread")  # the engine has the hooks; no thread sanitizer is linked
        if compiler.family == "gcc":
            # Diverged lanes of a warp are told apart by the address of a call and meet again in the
            # order of addresses: no call may be duplicated or moved behind what follows it.
            flags += ["-fno-thread-jumps", "-fno-reorder-blocks"]
            flags += ["-fno-reorder-blocks-and-partition"]
        else:
            # It instruments after vectorising, and leaves out what is wider than 16 bytes.
            flags += ["-fno-vectorize", "-fno-slp-vectorize"]
    flags.append(f"-D__NPU_ARCH__={_ARCH[chip]}")
    flags += [f"-D{name}={value}" if value else f"-D{name}" for name, value in defines.items()]
    own = [INCLUDE / face, INCLUDE] if face != "core" else [INCLUDE]
    return flags + [f"-I{path}" for path in [*own, *includes]]


@dataclass(frozen=True, slots=True)
class _Header:
    key: str
    flags: list[str]


# What a face's sources include, the standard's headers for their main() with it: compiled once per set of flags.
_UMBRELLA: Mapping[Face, tuple[str, ...]] = {
    "ascendc": ("kernel_operator.h", "acl/acl.h", "aicore/host.h", "cstdio", "fstream", "string"),
    "c_api": ("c_api/asc_simd.h", "simt_api/asc_simt.h", "aicore/host.h"),
    "core": (),
}


def _precompiled(
    compiler: Compiler, names: Sequence[str], flags: Sequence[str], store: Path
) -> _Header | None:
    if not names:
        return None
    text = "".join(f"#include <{name}>\n" for name in names)
    place = store / f"face-{digest(text, compiler.key, *flags)}"
    header = place / "face.h"
    if not header.exists():
        write_atomically(header, text.encode())
    gcc = compiler.family == "gcc"
    made = compile_cached(
        compiler, header, ["-x", "c++-header", *flags], place, ".h.gch" if gcc else ".h.pch"
    )
    if not gcc:
        return _Header(made.key, ["-include-pch", str(made.path)])
    # g++ takes x.h.gch for the `x.h` that it is told to include.
    stand_in = made.path.with_suffix("")
    if not stand_in.exists():
        write_atomically(stand_in, text.encode())
    return _Header(made.key, ["-include", str(stand_in)])


def _link_program(
    compiler: Compiler,
    objects: Sequence[Built],
    engine: Path,
    executable: Path,
    options: Sequence[str],
) -> None:
    with scratch(executable.parent) as place:
        out = place / "program"
        inputs = [str(o.path) for o in objects]
        run(
            [
                *compiler.command,
                *inputs,
                "-o",
                str(out),
                str(engine),
                "-pthread",
                "-Wl,-z,now",
                *options,
            ],
            executable.name,
        )
        out.replace(executable)
