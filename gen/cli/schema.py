"""``gen schema``."""

from __future__ import annotations

import json

from gen.cli.exits import Exit
from gen.spec.schema import schema


def print_schema(kind: str | None) -> Exit:
    """Prints the schema of one kind of spec, or of all."""
    print(json.dumps(schema(kind), indent=2, ensure_ascii=False))
    return Exit.CLEAN
