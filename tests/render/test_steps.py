"""A step covers the lines that its template text became, whatever the formatter made of them."""

from __future__ import annotations

import pytest

from gen.errors import GenError
from gen.render import STEPS, RenderedFile, Rendering
from gen.render.formatting import format_ascendc, format_python


def lines_of(file: RenderedFile, step: str) -> list[str]:
    return [
        line.strip()
        for number, line in enumerate(file.text.splitlines(), start=1)
        if step in file.steps_at(number)
    ]


def test_a_step_leaves_no_trace_in_the_text(render_text):
    with_step = render_text('a = 1\n{% step "load" %}\nb = 2\n{% endstep %}\nc = 3\n')
    without = render_text("a = 1\nb = 2\nc = 3\n")
    assert with_step.text == without.text == "a = 1\nb = 2\nc = 3\n"
    assert lines_of(with_step, "load") == ["b = 2"]


def test_a_call_that_black_breaks_belongs_to_its_step_down_to_the_bracket(render_text):
    names = ", ".join(f"a_rather_long_argument_{i}" for i in range(6))
    file = render_text(f'x = 0\n{{% step "store" %}}\ncopy({names})\n{{% endstep %}}\ny = 0\n')
    stored = lines_of(file, "store")
    assert stored[0] == "copy("
    assert stored[-1] == ")"
    assert len(stored) == 8


def test_the_bracket_of_one_step_is_not_taken_by_the_next(render_text):
    names = ", ".join(f"a_rather_long_argument_{i}" for i in range(6))
    file = render_text(
        f'{{% step "load" %}}\ncopy({names})\n{{% endstep %}}\n'
        '{% step "compute" %}\ny = 0\n{% endstep %}\n'
    )
    assert lines_of(file, "compute") == ["y = 0"]


def test_statements_that_clang_format_joins_keep_their_step(render_text):
    file = render_text(
        'void f() {\n{% step "load" %}\n  copy(a,\n    b);\n{% endstep %}\n  add(a);\n}\n',
        path="kernel.asc",
    )
    assert lines_of(file, "load") == ["copy(a, b);"]


def test_steps_nest_and_the_outer_one_comes_first(render_text):
    file = render_text(
        '{% step "launch" %}\ndef f(a):\n    {% step "load" %}\n    b = a\n    {% endstep %}\n'
        "    return b\n{% endstep %}\n"
    )
    assert file.steps_at(2) == ("launch", "load")
    assert lines_of(file, "launch") == ["def f(a):", "b = a", "return b"]


def test_quotes_parentheses_and_commas_that_black_changes_move_no_step(render_text):
    file = render_text(
        "print(('one'),)\n{% step \"store\" %}\nx = ('it\\'s', 0XAB,)\n{% endstep %}\nreturn_ = 1\n"
    )
    assert lines_of(file, "store")[0] == "x = ("
    assert lines_of(file, "store")[-1] == ")"
    assert "return_ = 1" not in lines_of(file, "store")


def test_a_step_without_code_is_dropped(render_text):
    assert render_text('a = 1\n{% step "load" %}\n{% endstep %}\n').steps == ()


def test_a_step_that_nobody_knows_is_refused_at_its_line(render_text):
    with pytest.raises(GenError) as caught:
        render_text('a = 1\n{% step "lod" %}\n{% endstep %}\n')
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.path == "templates/kernel.jinja"
    assert diagnostic.line == 2
    assert '"lod"' in diagnostic.message
    assert "load" in diagnostic.message


def test_every_rendered_file_is_as_its_formatter_leaves_it(renderings: list[Rendering]):
    for rendering in renderings:
        for file in rendering.files:
            again = format_python if file.path.endswith(".py") else format_ascendc
            if file.path.endswith((".py", ".asc", ".h")):
                assert again(file.text) == file.text, (rendering.name, file.path)


def test_every_span_lies_in_its_file_and_nests(renderings: list[Rendering]):
    for rendering in renderings:
        for file in rendering.files:
            lines = file.text.splitlines()
            enclosing = [(1, len(lines))]
            for span in file.steps:
                assert span.step in STEPS
                while span.first_line > enclosing[-1][1]:
                    enclosing.pop()
                first, last = enclosing[-1]
                assert first <= span.first_line <= span.last_line <= last, (file.path, span)
                assert lines[span.first_line - 1].strip()
                assert lines[span.last_line - 1].strip()
                enclosing.append((span.first_line, span.last_line))


def test_every_kernel_loads_computes_and_stores(renderings: list[Rendering]):
    for rendering in renderings:
        for tree in {file.tree for file in rendering.files}:
            kernel = rendering.kernel(tree)
            assert kernel is not None
            steps = {span.step for span in kernel.steps}
            assert {"launch", "allocate", "load", "store"} <= steps, (rendering.name, tree)
            assert steps & {"compute", "accumulate"}
