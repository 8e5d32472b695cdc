"""``gen schema`` prints what editors need."""

from __future__ import annotations

import json
from pathlib import Path


def test_the_whole_schema_is_the_committed_file(gen):
    assert gen("schema").out == Path("specs/spec.schema.json").read_text(encoding="utf-8")


def test_the_schema_of_one_kind(gen):
    said = json.loads(gen("schema", "norm").out)
    assert said["$ref"] == "#/$defs/NormSpec"
    assert "GemmSpec" not in said["$defs"]
