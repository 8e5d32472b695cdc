"""crosstree: one operator spec in, the same kernel for three Ascend source trees out.

For notebooks and scripts::

    import gen

    spec = gen.load("specs/gemm.yaml")
    rendering = gen.render(spec)      # or gen.render("specs/gemm.yaml")
    verdict = gen.check(spec)

``import gen`` imports nothing else; each name loads what it needs when it is first used.

:mod:`gen.render` and :mod:`gen.check` are packages that can be called. That way ``gen.render(spec)``
and ``from gen.render import write`` both do what one expects, in whichever order they come.
"""

from __future__ import annotations

import importlib
import sys
from os import PathLike
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gen.render import Rendering
    from gen.spec import Spec

__all__ = ["__version__", "check", "load", "render"]

__version__ = "0.1.0"


def load(path: str | PathLike[str]) -> Spec:
    """The spec in a file. Raises :class:`gen.errors.GenError` with every mistake of the file."""
    from gen.spec import load as load_spec

    return load_spec(path)


class _Render(ModuleType):
    """The package gen.render."""

    def __call__(self, spec: Spec | str | PathLike[str]) -> Rendering:
        """The kernels of a spec, or of a spec file, in memory.

        Raises :class:`gen.errors.GenError`. ``gen.render.write`` puts them on disk.
        """
        from gen.plan import plan
        from gen.render import render as render_plan

        return render_plan(plan(_spec(spec)))


class _Check(ModuleType):
    """The package gen.check."""

    def __call__(self, spec: Spec | str | PathLike[str], **options: Any) -> Any:
        """The verdict on the kernels of a spec, or of a spec file; see ``gen.check.check``."""
        return importlib.import_module("gen.check").check(_spec(spec), **options)


def _spec(spec: Spec | str | PathLike[str]) -> Spec:
    return load(spec) if isinstance(spec, str | PathLike) else spec


_CALLABLE: dict[str, type[ModuleType]] = {"render": _Render, "check": _Check}


class _Package(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        # the import system binds a package to its parent this way, once it has been loaded
        if name in _CALLABLE and isinstance(value, ModuleType):
            value.__class__ = _CALLABLE[name]
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name in _CALLABLE:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
