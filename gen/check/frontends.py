"""Which front end compiles which tree. Each is imported when its tree is compiled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gen.compile.base import DeviceProgram
from gen.plan import Form, Plan, Tree
from gen.render import Rendering

OUT = Path("out")
"""Where `gen render` writes, and so where diagnostics say that the kernels are."""
Progress = Callable[[str], None]


def compile_tree(
    form: Form,
    rendering: Rendering,
    plan: Plan,
    progress: Progress,
    folder: Path = OUT,
    front_end: str = "default",
    timeout: float = 120.0,
) -> DeviceProgram:
    """Compiles one form of `rendering`; `folder` is where it is said to lie, `front_end` the one of the A tree.

    `timeout`: seconds that the interpreter of the A tree may run the kernel.

    Raises CompileError.
    """
    file = rendering.kernel(form)
    assert file is not None, f"{form} was not rendered"
    path = folder / rendering.name / file.path
    if form.tree is Tree.M:
        from gen.compile import m_tree

        return m_tree.compile_rendering(file, plan, path=path, progress=progress)
    if form.tree is Tree.A:
        from gen.compile.a_tree import front_ends

        name = plan.spec.name
        return front_ends.compile(
            path,
            text=file.text,
            function=name,
            front_end=front_end,
            progress=progress,
            timeout=timeout,
        )
    from gen.compile import ascendc

    progress("compiling")
    return ascendc.compile_rendering(rendering, plan, path=path)
