"""The position of frontmatter, and the reading of frontmatter that is not YAML (spec F2 to F8)."""

from __future__ import annotations

from typing import Any

import pytest

from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import Frontmatter, ListValue, RuleFile, ScalarValue, Value


def read(text: str) -> RuleFile:
    return read_rule(text, name="rule", path="rule.md")


def frontmatter_of(lines: str) -> Frontmatter:
    frontmatter = read(f"---\n{lines}\n---\nBody").frontmatter
    assert frontmatter is not None
    return frontmatter


def plain(value: Value) -> Any:
    match value:
        case ScalarValue(data=data):
            return data
        case ListValue(items=items):
            return [plain(item) for item in items]
        case _:
            return {entry.key: plain(entry.value) for entry in value.entries}


def entries(lines: str) -> dict[str, Any]:
    return {entry.key: plain(entry.value) for entry in frontmatter_of(lines).entries}


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: b\n---\n Body \n", "Body"),
        ("---\na: b\n---Body", "Body"),
        ("---\na: b\n----\nBody", "-\nBody"),
        ("---\na: b\n--- \nBody", "Body"),
        ("--- \na: b\n---\nBody", "Body"),
        ("---\na: b\n---", ""),
        ("---\r\na: b\r\n---\r\nBody\r\nmore", "Body\nmore"),
        ("---\ra: b\r---\rBody\rmore", "Body\nmore"),
        ("<!-- x -->---\na: b\n---\nBody", "Body"),
        ("---\na: b\n---\nBo<!-- x\ny -->dy", "Body"),
        ("---\na: b\n---\n\x1cBody\x85\u3000", "\x1cBody\x85"),
    ],
)
def test_frontmatter_is_not_part_of_the_body(text: str, body: str) -> None:
    file = read(text)
    assert file.frontmatter is not None
    assert [entry.key for entry in file.frontmatter.entries] == ["a"]
    assert file.body.value == body


@pytest.mark.parametrize(
    "text",
    [
        "\n---\na: b\n---\nBody",
        " ---\na: b\n---\nBody",
        "\ufeff---\na: b\n---\nBody",
        "<!-- x -->\n---\na: b\n---\nBody",
        "---\na: b\n ---\nBody",
        "---\na: b\n...\nBody",
        "---\na: b\n",
        "Body",
        "",
    ],
)
def test_a_text_without_frontmatter_is_all_body(text: str) -> None:
    file = read(text)
    assert file.frontmatter is None
    assert file.body.value == text.replace("<!-- x -->", "")


@pytest.mark.parametrize("lines", ["", "\n", "# comment", "~"])
def test_empty_frontmatter_has_no_entries(lines: str) -> None:
    frontmatter = frontmatter_of(lines)
    assert (frontmatter.entries, frontmatter.recovered) == ((), False)


def test_only_one_character_after_the_opening_delimiter_is_dropped() -> None:
    file = read("---yaml\na: b\n---\nBody")
    assert file.frontmatter is not None
    assert file.frontmatter.recovered
    assert [entry.key for entry in file.frontmatter.entries] == ["a"]


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("interrupt-mode", "interruptMode"),
        ("a-b-c", "aBC"),
        ("a-B", "a-B"),
        ("a--b", "a-B"),
        ("a-1", "a-1"),
        ("-x", "X"),
    ],
)
def test_kebab_case_keys_are_named_in_camel_case(key: str, name: str) -> None:
    [entry] = frontmatter_of(f"{key}: x").entries
    assert (entry.key, entry.name) == (key, name)


def test_the_last_entry_of_a_repeated_key_is_effective() -> None:
    frontmatter = frontmatter_of("a: 1\nb: 2\na: 3")
    entry = frontmatter.entry("a")
    assert entry is not None
    assert plain(entry.value) == 3
    assert frontmatter.entry("c") is None


class TestNotYaml:
    def test_a_colon_and_a_blank_in_a_value_are_repaired(self) -> None:
        lines = "description: Note: this\ncondition:\n  - foo"
        assert entries(lines) == {"description": "Note: this", "condition": ["foo"]}
        assert not frontmatter_of(lines).recovered

    def test_the_repair_keeps_quotes_backslashes_and_tabs(self) -> None:
        assert entries('a: x: "y" \\d\tz') == {"a": 'x: "y" \\d\tz'}

    @pytest.mark.parametrize("value", ['"a": b: c', "'a': b: c", "[a]: b: c", "& a: b", "! a: b", "* a: b", "| a: b"])
    def test_values_that_begin_otherwise_than_plain_text_are_not_repaired(self, value: str) -> None:
        assert frontmatter_of(f"a: {value}").recovered

    def test_each_line_is_read_by_itself(self) -> None:
        assert entries("a: \"\\d\"\nb: [x, y]\nc: 12\nd: 'z'\ne: true # no") == {
            "a": '"\\d"',
            "b": ["x", "y"],
            "c": 12,
            "d": "z",
            "e": True,
        }

    def test_lists_over_several_lines_and_indented_keys_are_lost(self) -> None:
        assert entries('a:\n  - x\n  - y\nb: "\\d"\n  c: z\n- d') == {"a": "", "b": '"\\d"'}

    @pytest.mark.parametrize("value", ["{a: b}", "~", "null", "!x", "# x", "a: b", '"x" y', "[x", "@x"])
    def test_a_value_that_is_no_scalar_and_no_list_keeps_its_text(self, value: str) -> None:
        assert entries(f'a: {value}\nb: "\\d"')["a"] == value

    def test_tabs_stay(self) -> None:
        assert entries('a:\tx\ty\nb: "\\d"')["a"] == "x\ty"

    def test_lines_with_another_line_end_of_ecmascript_are_lost(self) -> None:
        assert entries('a: x\u2028y\nb: "\\d"') == {"b": '"\\d"'}

    def test_keys_have_only_ascii_letters(self) -> None:
        assert entries('é: x\na_b-c1: y\nb: "\\d"') == {"a_b-c1": "y", "b": '"\\d"'}
