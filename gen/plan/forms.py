"""Which forms a spec asks for, and how the others of a tree follow from the plain one."""

from __future__ import annotations

from collections.abc import Callable

from gen.chips import Chip
from gen.plan.limits import too_large
from gen.plan.model import Form, Tree, TreePlan
from gen.spec import Spec

HOW_TO_ASK = {
    Form.A_AUTO: "write `a_tree: {auto_sync: true}`",
    Form.M_MANUAL: "write `sync: manual`",
}
"""What a spec says to get a form beside those that every spec has."""
PLAIN = (Form.A, Form.M, Form.ASCENDC)
"""The forms that every spec has."""


def forms_of(spec: Spec) -> tuple[Form, ...]:
    """The forms that `spec` asks for, in the order of `Form`."""
    asked = {Form.A_AUTO: spec.a_tree.auto_sync, Form.M_MANUAL: spec.sync == "manual"}
    return tuple(form for form in Form if asked.get(form, True))


def of_forms(
    spec: Spec,
    chips: dict[Tree, Chip],
    plan: Callable[[Form, Chip], TreePlan],
    refused: dict[Form, str],
) -> tuple[dict[Form, TreePlan], dict[Form, str]]:
    """The plans of every form that `spec` asks for, and why the others of them are refused.

    What a tree cannot do is refused in each of its forms. The plain forms are known to fit.
    """
    forms = forms_of(spec)
    reasons = {f: reason for f in forms if (reason := refused.get(f) or refused.get(Form(f.tree)))}
    plans = {f: plan(f, chips[f.tree]) for f in forms if f not in reasons}
    large = {
        f: f"{reason}; use a smaller tile" for f, p in plans.items() if (reason := too_large(p))
    }
    kept = {f: p for f, p in plans.items() if f not in large}
    return kept, {f: (reasons | large)[f] for f in forms if f not in kept}
