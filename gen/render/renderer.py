"""Plan → Rendering: which template makes which file."""

from __future__ import annotations

from collections.abc import Collection

from gen.plan import Plan, Tree
from gen.render.rendering import TREES, RenderedFile, Rendering, files_of
from gen.render.template import render_template


def render(plan: Plan, trees: Collection[str] = TREES) -> Rendering:
    """Renders those of `trees` that `plan` has; raises GenError for a fault in a template."""
    files = [
        file
        for tree in TREES
        if tree in trees and tree in plan.trees
        for file in _render_tree(plan, Tree(tree))
    ]
    refused = {str(tree): reason for tree, reason in plan.refused.items()}
    return Rendering(plan.spec.name, tuple(files), refused)


def _render_tree(plan: Plan, tree: Tree) -> list[RenderedFile]:
    variables = {"plan": plan, "spec": plan.spec, "tree": plan.trees[tree]}
    return [
        render_template(template, variables, tree=tree, path=path)
        for template, path in files_of(tree, plan.spec.name, plan.spec.kind)
    ]
