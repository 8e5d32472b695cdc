"""Spec to Plan: every decision about a kernel, made once for the three trees."""

from __future__ import annotations

from gen.plan.elementwise import plan_elementwise
from gen.plan.forms import HOW_TO_ASK, PLAIN, forms_of
from gen.plan.gemm import plan_gemm
from gen.plan.model import (
    Buffer,
    ElementwisePlan,
    Form,
    GemmPlan,
    NormPlan,
    Plan,
    Tree,
    TreePlan,
    VecInstr,
)
from gen.plan.norm import plan_norm
from gen.spec import ElementwiseSpec, GemmSpec, Spec

__all__ = [
    "HOW_TO_ASK",
    "PLAIN",
    "Buffer",
    "ElementwisePlan",
    "Form",
    "GemmPlan",
    "NormPlan",
    "Plan",
    "Tree",
    "TreePlan",
    "VecInstr",
    "forms_of",
    "plan",
]


def plan(spec: Spec) -> Plan:
    """Decides tiles, buffers, stages and distribution of `spec` for the three trees, in each form that it asks for.

    Raises GenError with every tile of the spec that is misaligned or does not fit; a form that cannot do the spec at
    all is listed in `refused` with the reason.
    """
    if isinstance(spec, ElementwiseSpec):
        return plan_elementwise(spec)
    if isinstance(spec, GemmSpec):
        return plan_gemm(spec)
    return plan_norm(spec)
