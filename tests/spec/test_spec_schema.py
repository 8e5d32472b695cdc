"""The JSON Schema says to editors what the loader says to users."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gen.spec.models import KEYS, KINDS
from gen.spec.schema import schema


def test_the_committed_schema_is_the_one_of_the_models():
    committed = json.loads(Path("specs/spec.schema.json").read_text(encoding="utf-8"))
    assert committed == schema(), "run: gen schema > specs/spec.schema.json"


def test_shipped_specs_name_the_schema():
    for path in Path("specs").glob("*.yaml"):
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        assert first == "# yaml-language-server: $schema=spec.schema.json"


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_key_is_described(kind):
    whole = schema(kind)
    node = whole["$defs"][KINDS[kind].__name__]
    assert next(iter(node["properties"])) == "kind"
    assert set(node["properties"]) == set(KEYS[kind])
    assert node["additionalProperties"] is False
    for name, part in node["properties"].items():
        assert part.get("description"), name
    for name, part in whole["$defs"].items():
        if name != "DType":
            assert all(p.get("description") for p in part["properties"].values()), name


@pytest.mark.parametrize("kind", list(KINDS))
def test_required_keys_are_those_that_the_loader_misses(kind):
    from gen.errors import GenError
    from gen.spec import loads

    with pytest.raises(GenError) as caught:
        loads(f"kind: {kind}\n")
    missed = {d.message.split("`")[1] for d in caught.value.diagnostics}
    node = schema(kind)["$defs"][KINDS[kind].__name__]
    assert {"kind", *missed} == set(node["required"])
