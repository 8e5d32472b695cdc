"""Objects that take the place of what is not here: every attribute, call and operation gives another one."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any


class Absent(ModuleType):
    """Something of a library that is not here. As a decorator it gives back the function."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        child = Absent(f"{self.__name__}.{name}")
        setattr(self, name, child)
        return child

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], Absent):
            return args[0]
        return Absent(f"{self.__name__}()")

    def __getitem__(self, key: Any) -> Any:
        return Absent(f"{self.__name__}[]")

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        return None

    def __hash__(self) -> int:
        return hash(self.__name__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Absent) and other.__name__ == self.__name__

    def __str__(self) -> str:
        return self.__name__.rpartition(".")[2]


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules of `roots`, and what is below them, as absent; `prepare` fills in what is known."""

    def __init__(self, roots: Iterable[str], prepare: Callable[[ModuleType], None]) -> None:
        self._roots, self._prepare = frozenset(roots), prepare

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """As `importlib` asks."""
        if fullname.partition(".")[0] not in self._roots:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """As `importlib` asks."""
        return Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """As `importlib` asks."""
        self._prepare(module)


def install(roots: Iterable[str], prepare: Callable[[ModuleType], None]) -> None:
    """Puts the stand-ins before everything else that `import` finds."""
    sys.meta_path.insert(0, Finder(roots, prepare))
