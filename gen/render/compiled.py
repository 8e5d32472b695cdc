"""Compiled templates from one run to the next: compiling takes longer than rendering."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from gen.cache import content_key, keep, recall
from gen.render import steps


class CompiledTemplates(BytecodeCache):
    """Keeps the code of templates by content; the step tag is part of what made it."""

    def load_bytecode(self, bucket: Bucket) -> None:
        code = recall("templates", _key(bucket))
        if code is not None:
            bucket.load_bytecode(BytesIO(code))

    def dump_bytecode(self, bucket: Bucket) -> None:
        keep("templates", _key(bucket), bucket.bytecode_to_string())


def _key(bucket: Bucket) -> str:
    return content_key(bucket.key, bucket.checksum, _step_tag())


@cache
def _step_tag() -> str:
    return Path(steps.__file__).read_text(encoding="utf-8")
