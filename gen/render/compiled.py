"""Compiled templates from one run to the next: compiling takes longer than rendering."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from gen.cache import content_key, keep, recall


class CompiledTemplates(BytecodeCache):
    """Keeps the code of templates by content; this package is part of what made it."""

    def load_bytecode(self, bucket: Bucket) -> None:
        code = recall("templates", _key(bucket))
        if code is not None:
            bucket.load_bytecode(BytesIO(code))

    def dump_bytecode(self, bucket: Bucket) -> None:
        keep("templates", _key(bucket), bucket.bytecode_to_string())


def _key(bucket: Bucket) -> str:
    return content_key(bucket.key, bucket.checksum, _makers())


@cache
def _makers() -> str:
    """The sources that decide what Jinja compiles: tags, filters and options of the environment."""
    package = sorted(Path(__file__).parent.glob("*.py"))
    return "".join(source.read_text(encoding="utf-8") for source in package)
