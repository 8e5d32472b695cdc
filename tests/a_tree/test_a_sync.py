"""Every flag and barrier of a rendered kernel is needed, and the model names the place where one is missing.

Each synchronisation statement is taken out of the Python text on its own. The compiler confirms that exactly the
emitted lines of that statement go with it; so one program, told by an environment variable which lines to leave out,
stands for all the variants.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from gen.check.formats import numpy_dtype
from gen.check.inputs import make_inputs
from gen.check.run import outputs_of
from gen.compile.a_tree import LoweredKernel, Request, Worker, lower
from gen.compile.a_tree.device_source import program
from gen.compile.a_tree.installed import Toolchain
from gen.compile.tensor_files import run
from gen.render import RenderedFile
from gen.sim import Finding, Profile, Program, Run, build_program
from gen.spec import Spec

from .a_cases import elementwise, gemm, norm, rendered

# Several tiles for each core, so that every slot is used again, tails, and a last round that some cores skip. The norm
# has no column tail: the copy of a partial tile brings flags of its own, which order more than the kernel needs.
KERNELS: dict[str, Spec] = {
    "elementwise": elementwise("x * sigmoid(x) * y", "float16", 20_001, tile=128),
    "gemm": gemm(300, 250, 200, tile={"m": 32, "n": 32, "k": 32}),
    "norm": norm(1001, 112, "bfloat16", weight=True, tile={"rows": 4}),
}
SYNC = re.compile(r'^\s*T\.(set_flag|wait_flag|pipe_barrier)\("(\w+)"(?:, "(\w+)")?')
SKIPPED = "SKIPPED_SYNC"
KEPT = (
    "#include <cstdlib> \n"
    "bool kept(int line) {\n"
    f'    static const char* skipped = std::getenv("{SKIPPED}");\n'
    "    return skipped == nullptr || std::atoi(skipped) != line;\n"
    "}\n"
)
DECLARED = "using namespace Catlass;"


@dataclass(frozen=True)
class Statement:
    """One synchronisation statement: its line in the Python file, and the pipes that it is about."""

    line: int
    text: str
    kind: str
    edge: str


@cache
def file_of(name: str) -> RenderedFile:
    return rendered(KERNELS[name])


def statements(name: str) -> list[Statement]:
    found = []
    for number, text in enumerate(file_of(name).text.splitlines(), 1):
        match = SYNC.match(text)
        if match:
            kind, source, target = match.groups()
            edge = f"{source}→{target or source}".upper()
            found.append(Statement(number, text.strip(), kind, edge))
    return found


CASES = [(name, statement) for name in KERNELS for statement in statements(name)]


@dataclass(frozen=True)
class Switched:
    """A kernel as the compiler emits it, and as one program that leaves out the line it is told to."""

    kernel: LoweredKernel
    program: Program


@pytest.fixture(scope="module")
def switched(
    compiler: Toolchain, worker: Worker, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Switched]:
    return {
        name: build(name, compiler, worker, tmp_path_factory.mktemp("switched")) for name in KERNELS
    }


def build(name: str, compiler: Toolchain, worker: Worker, folder: Path) -> Switched:
    request = Request(f"{name}.py", file_of(name).text, with_lines=True)
    kernel = lower(request, worker=worker)
    wanted = {statement.line for statement in statements(name)}
    lines = program(kernel, name, {}).splitlines()
    for i, origin in enumerate(kernel.lines):
        if origin in wanted:
            lines[i] = f"if (kept({origin})) {lines[i].strip()}"
    text = "\n".join(lines).replace(DECLARED, f"{DECLARED} bool kept(int line);", 1) + f"\n{KEPT}"
    source = folder / f"{name}.cpp"
    source.write_text(text, "utf-8")
    built = build_program([source], face="ascendc", chip="ascend910b", includes=compiler.includes)
    return Switched(kernel, built)


def judged(name: str, program: Program) -> Run:
    spec = KERNELS[name]
    outputs = {n: (numpy_dtype(d), shape) for n, (d, shape) in outputs_of(spec).items()}
    profile = Profile(chip="2201", auto_sync=False)
    return run(program, make_inputs(spec), outputs, profile, timeout=60)[1]


@pytest.mark.parametrize("name", KERNELS)
def test_nothing_is_found_while_nothing_is_missing(
    name: str, switched: dict[str, Switched]
) -> None:
    complete = judged(name, switched[name].program)
    assert complete.clean
    assert complete.findings == ()


@pytest.mark.parametrize(
    ("name", "statement"), CASES, ids=[f"{n}-{s.line}-{s.kind}-{s.edge}" for n, s in CASES]
)
def test_a_missing_statement_is_found_at_its_place(
    name: str,
    statement: Statement,
    switched: dict[str, Switched],
    worker: Worker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kernel = switched[name].kernel
    assert without(name, statement, worker) == emitted_without(kernel, statement)
    monkeypatch.setenv(SKIPPED, str(statement.line))
    errors = judged(name, switched[name].program).errors
    assert any(leads_to(f, statement, kernel, file_of(name)) for f in errors), [
        (f.code, f.edge, f.message) for f in errors
    ]


def without(name: str, statement: Statement, worker: Worker) -> list[str]:
    """What the compiler emits for the Python text without the statement (and without a loop of it alone)."""
    lines = file_of(name).text.splitlines()
    del lines[statement.line - 1]
    if is_only_statement(file_of(name).text.splitlines(), statement.line):
        del lines[statement.line - 2]
    return renamed(lower(Request(f"{name}.py", "\n".join(lines)), worker=worker).source)


def emitted_without(kernel: LoweredKernel, statement: Statement) -> list[str]:
    """What the compiler emitted, without the lines of the statement and without loops of them alone."""
    origins = zip(kernel.source.splitlines(), kernel.lines, strict=True)
    text = "\n".join(line for line, origin in origins if origin != statement.line)
    return renamed(re.sub(r"\n *for \([^\n]*\) \{\n *\}(?=\n)", "", text))


def renamed(source: str) -> list[str]:
    """The lines of `source` with loop variables that do not say how many of their name there are."""
    return re.sub(r"\b([a-z])_\d+\b", r"\1", source).splitlines()


def is_only_statement(lines: list[str], line: int) -> bool:
    before, after = lines[line - 2], lines[line]
    depth = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    ends = not after.strip() or len(after) - len(after.lstrip()) < depth
    return before.lstrip().startswith("for ") and ends


def leads_to(
    finding: Finding, statement: Statement, kernel: LoweredKernel, file: RenderedFile
) -> bool:
    """Whether a finding tells a reader where to look: the statement's pipes, and a line with a step."""
    waits = "→".join(reversed(statement.edge.split("→")))  # who waits for whom
    circle = finding.code == "circular-wait" and waits in finding.edge
    if finding.edge != statement.edge and not circle:
        return False
    places = [p.line.line for p in (finding.first, finding.second) if p and p.line]
    origins = [kernel.lines[line - 1] for line in places if line <= len(kernel.lines)]
    return any(file.steps_at(origin) for origin in origins if origin)
