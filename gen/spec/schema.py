"""JSON Schema of spec files, for editors.

With the comment ``# yaml-language-server: $schema=spec.schema.json`` on top of a spec an editor
completes the keys, shows what they mean, and marks mistakes while one types.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from gen.spec import explain
from gen.spec.models import KINDS, ATreeOptions, ChipChoice, GemmTile, NormTile

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema(kind: str | None = None) -> dict[str, Any]:
    """The schema of one kind of spec, or of all of them. KeyError when there is no such kind."""
    kinds = [kind] if kind else list(KINDS)
    classes = [KINDS[k] for k in kinds]
    _, combined = models_json_schema([(c, "validation") for c in classes])
    defs: dict[str, Any] = combined["$defs"]
    for name in kinds:
        _finish(defs[KINDS[name].__name__], KINDS[name], name)
    for part in (ATreeOptions, ChipChoice, GemmTile, NormTile):
        if part.__name__ in defs:
            _describe(defs[part.__name__], part)
    head = {"$schema": DRAFT, "title": "crosstree spec", "description": "One operator."}
    if kind:
        return {**head, "$ref": f"#/$defs/{classes[0].__name__}", "$defs": defs}
    return {**head, "oneOf": [{"$ref": f"#/$defs/{c.__name__}"} for c in classes], "$defs": defs}


def _finish(node: dict[str, Any], model: type[BaseModel], kind: str) -> None:
    _describe(node, model)
    properties: dict[str, Any] = node["properties"]
    node["properties"] = {"kind": properties.pop("kind"), **properties}
    node["properties"]["kind"].pop("default")
    node["required"] = ["kind", *node["required"]]
    for name, prop in properties.items():
        example = explain.TILE_EXAMPLES[kind] if name == "tile" else explain.EXAMPLES.get((name,))
        if example and name in ("shape", "inputs", "output", "body", "tile"):
            prop["examples"] = [_value(example)]
        if "patternProperties" in prop:
            prop["additionalProperties"] = False


def _value(example: str) -> Any:
    from gen.spec import nodes, yamltext

    root = yamltext.read(example).root
    assert root is not None
    (value,) = nodes.convert(root, [example]).data.values()
    return value


def _describe(node: dict[str, Any], model: type[BaseModel]) -> None:
    for name, text in _docstrings(model).items():
        if name in node["properties"]:
            node["properties"][name]["description"] = text
            node["properties"][name].pop("title", None)


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The docstring under each field, of the class and of its bases.

    pydantic's own ``use_attribute_docstrings`` reads the sources whenever the module is imported;
    here that happens only when somebody asks for the schema.
    """
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if cls.__module__ != model.__module__:
            continue
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
        assert isinstance(tree, ast.ClassDef)
        for field, text in zip(tree.body, tree.body[1:], strict=False):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value)):
                    found[name] = inspect.cleandoc(str(value))
    return found
