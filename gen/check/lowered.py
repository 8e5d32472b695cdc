"""What a TileLang compiler makes of a kernel: its device source, line by line, and the passes on the way there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from gen.cache import cache_folder, write_atomically
from gen.check.foreign.lowering import wanted
from gen.check.foreign.options import RunOptions
from gen.check.frontends import OUT
from gen.chips import ASCEND910B, ASCEND950, Chip
from gen.compile import a_tree, m_tree
from gen.compile.a_tree.dialect import DIALECT as A_DIALECT
from gen.compile.a_tree.recipe import TILELANG_ASCEND
from gen.compile.listing import Kind, Line, listing, without_origin
from gen.compile.m_tree.dialect import DIALECT as M_DIALECT
from gen.compile.m_tree.installed import TILELANG
from gen.compile.passes import Change
from gen.errors import Diagnostic, GenError
from gen.plan import Form, Tree, plan
from gen.render import RenderedFile, edited, render
from gen.spec import Spec

Progress = Callable[[str], None]

_THREAD_BARRIER = "sync_threads"


@dataclass(frozen=True)
class LoweredKernel:
    """The device source of the kernel `text`, which is said to lie at `path`."""

    path: str
    text: str
    tree: Tree
    chip: Chip
    front_end: str
    function: str
    lines: tuple[Line, ...]
    passes: tuple[Change, ...] = ()
    """What changed the IR, in the order in which it ran; only where it was asked for."""

    def statement(self, line: int) -> str:
        """The statement of the kernel that begins on `line`, as one line; of a block its head."""
        written = self.text.splitlines()
        if not 0 < line <= len(written):
            return ""
        parts = [written[line - 1].strip()]
        while _open_brackets(parts) and line < len(written):
            parts.append(written[line].strip())
            line += 1
        return " ".join(parts)


def lower_spec(
    spec: Spec,
    form: Form,
    *,
    source: Path | None = None,
    with_passes: bool = False,
    progress: Progress = lambda _: None,
) -> LoweredKernel:
    """Lowers the rendering of `spec` in a form that it asks for, or the kernel as it stands below `source`.

    Raises GenError, also (E203) where the form is refused, and CompileError.
    """
    planned = plan(spec)
    if form in planned.refused:
        raise GenError([Diagnostic("E203", planned.refused[form], spec.source_path or spec.name)])
    rendering = render(planned, (form,))
    if source is not None:
        rendering = edited(rendering, source, (form,))
    file = rendering.kernel(form)
    assert file is not None, f"{spec.name} does not ask for {form}"
    path = source / spec.name / file.path if source else _place(spec.name, file)
    if form.tree is Tree.M:
        types = m_tree.inputs_of(planned)
        return _of_m_tree(m_tree.Request(str(path), file.text, types), with_passes, progress)
    request = a_tree.Request(str(path), file.text, spec.name)
    return _of_a_tree(request, with_passes, progress)


def _place(name: str, file: RenderedFile) -> Path:
    """Where a fresh rendering can be opened: below `out`, or in the cache where somebody has changed it there."""
    own = OUT / name / file.path
    with suppress(OSError, UnicodeDecodeError):
        if own.read_text("utf-8") == file.text:
            return own
    place = cache_folder("renderings") / name / file.path
    write_atomically(place, file.text.encode())
    return place


def lower_file(
    path: Path,
    options: RunOptions,
    *,
    with_passes: bool = False,
    progress: Progress = lambda _: None,
) -> LoweredKernel:
    """Lowers a kernel file as `gen run` does with these options. Raises GenError as that does, and CompileError."""
    request = wanted(path, options).request
    if isinstance(request, m_tree.Request):
        return _of_m_tree(request, with_passes, progress)
    return _of_a_tree(request, with_passes, progress)


def _of_m_tree(request: m_tree.Request, with_passes: bool, progress: Progress) -> LoweredKernel:
    lowered = m_tree.lower(replace(request, with_passes=with_passes), progress=progress)
    origins = dict(lowered.lines)
    inserted = without_origin(lowered.source, origins, M_DIALECT)
    kernel = LoweredKernel(
        request.path,
        request.text,
        Tree.M,
        ASCEND950,
        f"tilelang {TILELANG}",
        lowered.function,
        (),
        lowered.passes,
    )
    # Barriers of a vector function's threads have the line of what needs them.
    for number, text in enumerate(lowered.source.splitlines(), 1):
        sync = M_DIALECT.sync_of(text)
        if sync and sync.kind is Kind.THREADS:
            written = kernel.statement(origins.get(number, 0))
            inserted |= {number} if _THREAD_BARRIER not in written else set()
    return replace(kernel, lines=listing(lowered.source, origins, M_DIALECT, inserted))


def _of_a_tree(request: a_tree.Request, with_passes: bool, progress: Progress) -> LoweredKernel:
    lowered = a_tree.lower(
        replace(request, with_lines=True, with_passes=with_passes), progress=progress
    )
    origins = {n: line for n, line in enumerate(lowered.lines, 1) if line}
    return LoweredKernel(
        request.path,
        request.text,
        Tree.A,
        ASCEND910B,
        f"tilelang-ascend {TILELANG_ASCEND}",
        lowered.name,
        listing(lowered.source, origins, A_DIALECT, lowered.inserted),
        lowered.passes,
    )


def _open_brackets(parts: list[str]) -> bool:
    text = " ".join(parts)
    return any(text.count(a) > text.count(b) for a, b in ("()", "[]", "{}"))
