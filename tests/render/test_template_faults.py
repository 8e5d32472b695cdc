"""A fault in a template names the template and its line, and is never a traceback."""

from __future__ import annotations

import pytest

from gen.errors import Diagnostic, GenError


def fault(render_text, text: str, path: str = "kernel.py", **variables: object) -> Diagnostic:
    with pytest.raises(GenError) as caught:
        render_text(text, path, **variables)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E301"
    assert diagnostic.path == "templates/kernel.jinja"
    return diagnostic


def test_an_undefined_name(render_text):
    found = fault(render_text, "a = 1\nb = {{ plan.tile }}\n")
    assert (found.line, found.source_line) == (2, "b = {{ plan.tile }}")
    assert "plan" in found.message


def test_an_undefined_attribute(render_text):
    found = fault(render_text, "a = 1\n\nb = {{ plan.tile }}\n", plan=object())
    assert found.line == 3
    assert "tile" in found.message


def test_a_syntax_error(render_text):
    assert fault(render_text, "a = 1\n{% if %}\n").line == 2


def test_an_error_raised_by_an_expression(render_text):
    found = fault(render_text, "a = {{ 1 // n }}\n", n=0)
    assert found.line == 1
    assert "ZeroDivisionError" in found.message


def test_an_included_template_that_does_not_exist(render_text):
    found = fault(render_text, 'a = 1\n{% include "b.jinja" %}\n')
    assert "b.jinja" in found.message


def test_text_that_is_not_python(render_text):
    found = fault(render_text, "a = (\n")
    assert found.line == 0
    assert "kernel.py" in found.message
