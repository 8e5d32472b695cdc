from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gen.plan import plan
from gen.render import RenderedFile, Rendering, render, render_template
from gen.spec import ElementwiseSpec, GemmSpec, NormSpec, Spec

RenderText = Callable[..., RenderedFile]


@pytest.fixture
def render_text(tmp_path: Path) -> RenderText:
    """Renders the text of a template as the file `path`."""

    def run(text: str, path: str = "kernel.py", **variables: object) -> RenderedFile:
        folder = tmp_path / "templates"
        folder.mkdir(exist_ok=True)
        (folder / "kernel.jinja").write_text(text)
        return render_template("kernel", variables, tree="a_tree", path=path, folder=folder)

    return run


def specs() -> Iterator[Spec]:
    """Specs that between them reach every branch of the templates."""
    for dtype in ("float16", "bfloat16", "float32"):
        for shape in ((4096, 1024), (13243,)):
            yield _elementwise(dtype, shape, "x * sigmoid(x) * gate")
            yield _elementwise(dtype, shape, "max(abs(x) - 0.5, exp(-gate) / 3)")
    for dtype, out in (("float16", "float16"), ("bfloat16", "float32"), ("float32", "float32")):
        for transpose in (False, True):
            for m, n, k in ((1024, 1024, 1024), (1, 7, 33)):
                yield GemmSpec(
                    name="gemm", m=m, n=n, k=k, a=dtype, b=dtype, c=out, transpose_b=transpose
                )
    for dtype in ("float16", "bfloat16", "float32"):
        for rows, cols in ((4096, 1024), (130, 37)):
            for weight in (False, True):
                yield NormSpec(
                    name="norm", norm="rms", rows=rows, cols=cols, dtype=dtype, weight=weight
                )


def _elementwise(dtype: str, shape: tuple[int, ...], body: str) -> ElementwiseSpec:
    return ElementwiseSpec(
        name="elementwise",
        shape=shape,
        inputs={"x": dtype, "gate": dtype},
        output={"y": dtype},
        body=body,
    )


@pytest.fixture(scope="session")
def renderings() -> list[Rendering]:
    return [render(plan(spec)) for spec in specs()]
