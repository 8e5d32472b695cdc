"""Every character of a value has a place in the file, in each of YAML's ways to write a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gen.spec import load, loads, nodes, yamltext

BODY = "xx +  yy"


def places(text: str):
    document = yamltext.read(text)
    tree = nodes.convert(document.root, document.lines)
    return tree, document.lines


@pytest.mark.parametrize(
    "written",
    [
        "body: xx + yy",
        "body:   xx + yy   # with a comment",
        "body: 'xx + yy'",
        'body: "xx + yy"',
        'body: "x\\x78 + \\u0079\\\n  y"',
        'body: "xx\\n\\t+ yy"',
        "body: xx\n  + yy",
        "body: xx\n\n\n  +\n    yy",
        "body: >\n  xx\n  + yy\n",
        "body: >-\n  xx\n\n    + yy\n",
        "body: |\n  xx +\n  yy\n",
        "body: |2-  # header\n    xx +\n  yy\n",
        "{a: 1, body: xx + yy, b: 2}",
        "? body\n: xx + yy",
        "a: &anchor xx + yy\nbody: *anchor",
        "body: !!str &a 'xx + yy'",
        "body: &a\n  xx + yy",
        "body: &a\n  'xx + yy'",
        "body: &a >-\n  xx + yy",
    ],
)
def test_characters_of_a_text(written):
    tree, lines = places(written)
    value = tree.data["body"]
    assert "".join(value.split()) == "xx+yy"
    where = tree.characters[("body",)]
    assert len(where) == len(value) + 1
    for char, place in zip(value, where, strict=False):
        if not char.isspace():
            source = lines[place.line - 1][place.column - 1 :][: place.length]
            assert source == char or source in ("\\x78", "\\u0079")


def test_a_quote_inside_single_quotes_is_two_characters():
    tree, _ = places("a: 'x''y'")
    assert [(p.column, p.length) for p in tree.characters[("a",)]] == [
        (5, 1),
        (6, 2),
        (8, 1),
        (9, 1),
    ]


@given(
    st.text(alphabet="xy +\n'\"\\:#", min_size=1, max_size=30),
    st.sampled_from(["'", '"', "|", ">", None]),
)
def test_any_text_in_any_style_is_placed(value, style):
    from io import StringIO

    from ruamel.yaml import YAML
    from ruamel.yaml.nodes import MappingNode, ScalarNode

    tag = "tag:yaml.org,2002:"
    node = ScalarNode(tag + "str", value, style=style)
    root = MappingNode(tag + "map", [(ScalarNode(tag + "str", "k"), node)])
    yaml, out = YAML(), StringIO()
    yaml.serialize(root, out)
    tree, lines = places(out.getvalue())
    assert tree.data["k"] == value
    where = tree.characters[("k",)]
    for char, place in zip(value, where, strict=False):
        if not char.isspace():
            source = lines[place.line - 1][place.column - 1 :][: place.length]
            assert source in (char, char * 2, "\\" + char)


def test_a_spec_knows_where_its_fields_are():
    spec = load("specs/gemm.yaml")
    assert (spec.locate(("m",)).line, spec.locate(("m",)).column) == (4, 4)
    assert spec.locate(("tile", "m")).line == 2, "a field that is not written: the whole spec"
    diagnostic = spec.diagnostic("E201", "too large", ("m",), "make it smaller")
    assert diagnostic.path == "specs/gemm.yaml"
    assert diagnostic.source_line == "m: 1024"


def test_a_spec_without_a_file_has_no_places():
    text = "kind: gemm\nname: g\nm: 1\nn: 1\nk: 1\na: float16\nb: float16\nc: float16\n"
    spec = loads(text)
    again = type(spec)(**spec.model_dump())
    assert again == spec
    assert hash(again) == hash(spec)
    assert again.locate(("m",)) is None
    assert again.diagnostic("E201", "too large", ("m",)).line == 0
