"""No tensor of a spec can shadow what the rendered Python uses."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

from gen.plan import plan
from gen.render import render
from gen.spec import ElementwiseSpec
from gen.spec.names import is_name, taken_by

SPECS = Path(__file__).parents[1] / "templates" / "specs.py"


def elementwise_specs() -> list[ElementwiseSpec]:
    found = importlib.util.spec_from_file_location("template_specs", SPECS)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return [s for s in module.SPECS.values() if isinstance(s, ElementwiseSpec)]


def scopes(text: str) -> Iterator[set[str]]:
    """The identifiers of each function, and of the code outside of functions."""
    waiting: list[ast.AST] = [ast.parse(text)]
    while waiting:
        scope = waiting.pop()
        names: set[str] = set()
        todo: list[ast.AST] = list(ast.iter_child_nodes(scope))
        while todo:
            node = todo.pop()
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
                waiting.append(node)
                continue
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, ast.alias):
                names.add(node.asname or node.name)
            todo += ast.iter_child_nodes(node)
        yield names


def test_every_name_of_the_rendered_python_is_reserved() -> None:
    free = set()
    for spec in elementwise_specs():
        tensors = {*spec.inputs.names, spec.output.name, spec.name}
        for file in render(plan(spec)).files:
            if not file.path.endswith(".py"):
                continue
            for names in scopes(file.text):
                if names & {*spec.inputs.names, spec.output.name}:
                    free |= {n for n in names - tensors if is_name(n) and not taken_by(n)}
    assert not free, f"a tensor could be called {sorted(free)}"
