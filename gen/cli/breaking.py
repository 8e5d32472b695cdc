"""``gen break``: one statement of a rendered kernel goes wrong, and what the model says to that."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from gen.cache import require_cache
from gen.cli.exits import Exit
from gen.cli.forms import require_asked
from gen.cli.guard import print_json
from gen.cli.run import progress
from gen.cli.terminal import stdout_console
from gen.errors import GenError
from gen.plan import Form
from gen.score.breaking import Choice, broken, mutants_of
from gen.show.breaking import mutant_json, show, show_list, to_json
from gen.spec import load

T = TypeVar("T")

#: Explicit flags first: they are what there is to see.
_ORDER = (Form.A, Form.ASCENDC, Form.M)
_NOT_HERE = frozenset({"E203", "E401"})


def break_spec(path: str, form: Form | None, choice: Choice, *, as_json: bool) -> Exit:
    """Shows one mutant; of the first form that can be run, unless `form` says which."""
    spec = load(path)
    require_asked(spec, [form] if form else [])
    require_cache()
    with progress(spec.name) as report:
        found = _first(form, lambda f: broken(spec, f, choice, report))
    if as_json:
        print_json(to_json(found))
    else:
        show(found, stdout_console())
    return Exit.CLEAN


def list_mutants(path: str, form: Form | None, *, as_json: bool) -> Exit:
    """Lists every mutant without running one."""
    spec = load(path)
    require_asked(spec, [form] if form else [])
    require_cache()
    with progress(spec.name):
        chosen, mutants = _first(form, lambda f: (f, mutants_of(spec, f)[0].mutants))
    if as_json:
        print_json({"tree": str(chosen), "mutants": [mutant_json(m) for m in mutants]})
    else:
        show_list(spec.name, chosen, mutants, stdout_console())
    return Exit.CLEAN


def _first(form: Form | None, make: Callable[[Form], T]) -> T:
    """Of the tree that was asked for, or the first that is neither refused nor without its compiler."""
    if form is not None:
        return make(form)
    *others, last = _ORDER
    for one in others:
        try:
            return make(one)
        except GenError as error:
            if any(d.code not in _NOT_HERE for d in error.diagnostics):
                raise
    return make(last)
