"""Plan → Rendering: which template makes which file."""

from __future__ import annotations

from collections.abc import Collection

from gen.plan import Form, Plan
from gen.render.rendering import FORMS, RenderedFile, Rendering, files_of
from gen.render.template import render_template


def render(plan: Plan, trees: Collection[str] = FORMS) -> Rendering:
    """Renders those forms among `trees` that `plan` has; raises GenError for a fault in a template."""
    wanted = [form for form in Form if form in trees]
    files = [file for form in wanted if form in plan.trees for file in _render_form(plan, form)]
    refused = {str(form): plan.refused[form] for form in wanted if form in plan.refused}
    unasked = [str(f) for f in wanted if f not in plan.trees and f not in plan.refused]
    return Rendering(plan.spec.name, tuple(files), refused, tuple(unasked))


def _render_form(plan: Plan, form: Form) -> list[RenderedFile]:
    variables = {"plan": plan, "spec": plan.spec, "tree": plan.trees[form]}
    return [
        render_template(template, variables, tree=form, path=path)
        for template, path in files_of(form, plan.spec.name, plan.spec.kind)
    ]
