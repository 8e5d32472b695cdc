"""Forms that the command line names and a spec does not ask for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gen.errors import Diagnostic, GenError
from gen.plan import HOW_TO_ASK, Form, forms_of
from gen.spec import Spec


def require_asked(spec: Spec, named: Iterable[str]) -> None:
    """Raises GenError (E204) for every form among `named` that `spec` does not ask for."""
    require_among(spec.source_path or spec.name, named, forms_of(spec))


def require_among(path: str, named: Iterable[str], asked: Collection[str]) -> None:
    """As `require_asked`, for the spec at `path`, which asks for the forms `asked`."""
    missing = [Form(name) for name in named if name not in asked]
    if missing:
        raise GenError([_unasked(path, form) for form in missing])


def _unasked(path: str, form: Form) -> Diagnostic:
    message = f"the spec does not ask for {form}"
    return Diagnostic("E204", message, path, help=f"{HOW_TO_ASK[form]} in it")
