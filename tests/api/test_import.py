"""What notebooks import: three names that load what they need when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

FIRST_THE_FUNCTION = """
import gen
rendering = gen.render("specs/add.yaml")
from gen.render import write
assert gen.render(gen.load("specs/add.yaml")) == rendering
assert callable(write)
"""
FIRST_THE_PACKAGE = """
from gen.render import write
import gen.render
assert gen.render("specs/add.yaml").kernel("m_tree") is not None
assert gen.render.write is write
"""
NOTHING_YET = """
import sys
before = set(sys.modules)
import gen
new = {name.partition(".")[0] for name in set(sys.modules) - before} - {"gen"}
assert new <= set(sys.stdlib_module_names), new
"""


@pytest.mark.parametrize("code", [FIRST_THE_FUNCTION, FIRST_THE_PACKAGE, NOTHING_YET])
def test_in_whichever_order(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_wrong_name_is_an_attribute_error():
    import gen

    with pytest.raises(AttributeError, match="rendr"):
        gen.rendr  # noqa: B018
