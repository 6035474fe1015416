"""The tree of a TOML text has the values of `tomllib` with their spans, also for unfinished texts."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.processor_time import processor_time_below
from ttsr_ls.syntax.toml.toml_parser import parse_toml

TEXTS = (
    'select = ["all", "x"]\n[severity]\na-b = "info" # why\n[[overrides]]\npaths = [\n  "a", # one\n  \'b\',\n]\n',
    '"a.b".c = 2020-01-01 07:00:00\nx = [1, [2.5], {a = 1, b = {c = true}}]\ny = """\na"b"""" # c\nz=\'\'\'\'q\'\'\'\n',
    "\ufeffa = -31\r\n[t.u]\r\nd = inf\r\n[[t.v]]\r\n[t.v.w]\r\ne = 1979-05-27\r\n[[t.v]]\r\n",
    "[tool.ttsr-ls]\nignore = []\n"
    "[tool.ttsr-ls.severity]\n'x' = \"\\u00e9\"\nempty = {}\n[[a]]\n[[a.b]]\n[[a.b]]\nc = ''\n",
)


@pytest.mark.parametrize("text", TEXTS)
def test_toml_values_equal_those_of_the_standard_library(text: str) -> None:
    tree = parse_toml(text)
    assert tree.data == tomllib.loads(text.removeprefix("\ufeff"))
    assert tree.unclosed is None


@pytest.mark.parametrize("text", TEXTS)
def test_each_toml_value_is_at_the_span_of_its_node(text: str) -> None:
    tree = parse_toml(text)
    for node in tree.nodes:
        if node.value is not None:
            data: object = tree.data
            for name in node.path:
                data = data[name]  # type: ignore[index]
            assert tomllib.loads(f"x = {text[node.value.start : node.value.end]}")["x"] == data
        assert text[node.key.start : node.key.end].strip("\"'") == str(node.path[-1]) or isinstance(node.path[-1], int)


@given(st.sampled_from(TEXTS), st.data())
def test_parsing_unfinished_toml_never_raises(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    again = data.draw(st.integers(cut, len(text)))
    torn = text[:cut] + data.draw(st.text("[]{}\"'=.,# \n\ra", max_size=4)) + text[again:]
    tree = parse_toml(torn)
    for node in tree.nodes:
        assert 0 <= node.key.start <= node.key.end <= len(torn)
        assert node.value is None or node.key.start <= node.value.start <= node.value.end <= len(torn)
    try:
        values = tomllib.loads(torn.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return
    assert tree.data == values


@pytest.mark.parametrize(
    ("text", "unclosed"),
    [
        ("a = [1,\nb = 2\n", 4),
        ("a = [1,\n[b]\n", 4),
        ("a = 'x\nb = 1", 4),
        ('a = """x\nb = 1', 4),
        ("a = {b = 1\nc = 1", 4),
        ("a = [{b = ['x", 11),
    ],
)
def test_an_unclosed_toml_bracket_is_located_and_later_lines_are_read(text: str, unclosed: int) -> None:
    tree = parse_toml(text)
    assert tree.unclosed is not None
    assert tree.unclosed.start == unclosed
    assert ("b" in tree.data or "c" in tree.data) == (text.count("\n") > 0 and '"""' not in text)


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 200_000,
        "a = " + "{a=" * 80_000,
        "a = [" + "1," * 100_000,
        "a.b = 1\n" * 30_000,
        '"' * 200_000,
        "[a" * 90_000,
    ],
)
def test_hostile_toml_texts_are_parsed_quickly(text: str) -> None:
    with processor_time_below(1.0):
        parse_toml(text)
