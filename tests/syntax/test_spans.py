"""All parts of a rule file's values have the span of their source."""

from __future__ import annotations

import pytest

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile


def read(text: str) -> RuleFile:
    return read_rule(text, name="rule", path="rule.md")


def written(file: RuleFile, text: MappedText, part: str) -> str:
    """Returns the source of a part of a value."""
    start = text.value.index(part)
    span = text.source_span(start, start + len(part))
    return file.text[span.start : span.end]


# the lines of `condition`, a part of its value, how that part is written, how the value is written
CONDITIONS = [
    ("condition: a.b", "b", "b", "a.b"),
    ("condition:   a.b  # c", "a.b", "a.b", "a.b"),
    ("condition: 'a.b'", "b", "b", "'a.b'"),
    ("condition: 'it''s b'", "'s", "''s", "'it''s b'"),
    ("condition: 'it''s b'", "b", "b", "'it''s b'"),
    ('condition: "a\\\\b"', "\\", "\\\\", '"a\\\\b"'),
    ('condition: "a\\\\b"', "b", "b", '"a\\\\b"'),
    ('condition: "\\x41\\u00e9\\U0001F600z"', "é", "\\u00e9", '"\\x41\\u00e9\\U0001F600z"'),
    ('condition: "\\uD83D\\uDE00z"', "😀", "\\uD83D\\uDE00", '"\\uD83D\\uDE00z"'),
    ("condition: one\n  two", "e two", "e\n  two", "one\n  two"),
    ("condition: 'one\n\n  two'", "\n", "\n\n  ", "'one\n\n  two'"),
    ('condition: "one \\\n  two"', "two", "two", '"one \\\n  two"'),
    ("condition: |\n  one\n  two", "two", "two", "|\n  one\n  two"),
    ("condition: |\n  one\n   two", " two", " two", "|\n  one\n   two"),
    ("condition: |\n  one\n  two", "e\nt", "e\n  t", "|\n  one\n  two"),
    ("condition: >-\n  one\n  two\n\n  three", "two", "two", ">-\n  one\n  two\n\n  three"),
    ("condition: >-\n  one\n  two\n\n  three", "e t", "e\n  t", ">-\n  one\n  two\n\n  three"),
    ("condition: [x, 'a b', y]\nscope: text", "x", "x", "x"),
    ("condition: &c one", "one", "one", "one"),
    ("condition: !!str 12", "12", "12", "12"),
    ("condition: 'a\tb'", "a  b", "a\tb", "'a\tb'"),
    ("condition: 'a\tb'", "b", "b", "'a\tb'"),
    ("condition: a<!-- c -->b", "ab", "a<!-- c -->b", "a<!-- c -->b"),
    ("condition: a<!-- c -->b", "b", "b", "a<!-- c -->b"),
    ("condition: \\d: b", "d: b", "d: b", "\\d: b"),
    ('x: ["\ncondition: \\d', "\\d", "\\d", "\\d"),
    ('x: ["\ncondition: "\\d', '"\\d', '"\\d', '"\\d'),
    ('x: ["\ncondition: [a, "b c"]', "a", "a", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "part", "source", "whole"), CONDITIONS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_condition_spans_map_to_the_source(lines: str, part: str, source: str, whole: str, line_end: str) -> None:
    file = read(f"---\n{lines}\n---\nBody".replace("\n", line_end))
    condition = file.fields.conditions[0]
    assert written(file, condition, part) == source.replace("\n", line_end)
    assert file.text[condition.span.start : condition.span.end].strip() == whole.replace("\n", line_end)


@pytest.mark.parametrize(
    ("scope", "tokens"),
    [
        ("scope: text, tool:edit(*.ts)", ["text", "tool:edit(*.ts)"]),
        ("scope: 'text , tool:edit(*.ts)'", ["text", "tool:edit(*.ts)"]),
        ("scope: [text, 'tool:edit(*.ts), thinking']", ["text", "tool:edit(*.ts)", "thinking"]),
        ("scope:\n  - text\n  - tool:edit(*.{a,b})", ["text", "tool:edit(*.{a,b})"]),
        ("scope: >-\n  text,\n  thinking", ["text", "thinking"]),
        ('scope: "text","thinking"', ["text", "thinking"]),
    ],
)
def test_scope_tokens_have_the_spans_of_their_source(scope: str, tokens: list[str]) -> None:
    file = read(f"---\n{scope}\ncondition: foo\n---\nBody")
    assert [file.text[token.text.span.start : token.text.span.end] for token in file.fields.scope] == tokens
    globs = [token.glob for token in file.fields.scope if token.glob is not None]
    assert all(file.text[glob.span.start : glob.span.end] == glob.value for glob in globs)


def test_keys_and_values_have_their_spans() -> None:
    file = read("---\n'scope' : [a, {b: c}]\ncondition:\n  - foo\n  - bar\nenabled: false # no\nagents:\n---\nBody")
    assert file.frontmatter is not None
    places = [
        (file.text[entry.key_span.start : entry.key_span.end], file.text[entry.value.span.start : entry.value.span.end])
        for entry in file.frontmatter.entries
    ]
    assert places == [
        ("'scope'", "[a, {b: c}]"),
        ("condition", "- foo\n  - bar"),
        ("enabled", "false"),
        ("agents", ""),
    ]


def test_the_span_of_a_missing_value_is_after_the_colon() -> None:
    file = read("---\nscope:\ncondition: foo\n---\nBody")
    assert file.frontmatter is not None
    assert file.frontmatter.entries[0].value.span.start == file.text.index(":") + 1


def test_an_alias_has_its_own_span_and_its_text_that_of_the_anchor() -> None:
    file = read("---\nbase: &b foo\ncondition: *b\n---\nBody")
    assert file.frontmatter is not None
    entry = file.frontmatter.entry("condition")
    assert entry is not None
    assert file.text[entry.value.span.start : entry.value.span.end] == "*b"
    [condition] = file.fields.conditions
    assert file.text[condition.span.start : condition.span.end] == "foo"


def test_inferred_scope_tokens_have_the_span_of_their_glob_shorthand() -> None:
    file = read("---\ncondition: ['*.rs', foo]\n---\nBody")
    edit, write = file.fields.scope
    assert (edit.inferred, write.inferred) == (True, True)
    assert (edit.glob, file.fields.shorthand_globs) == (write.glob, (edit.glob,))
    assert written(file, edit.text, "*.rs") == "*.rs"


def test_frontmatter_and_body_have_their_spans() -> None:
    file = read("<!-- c -->---\ncondition: foo\n---\n\nSay <!-- c --> so.\n")
    assert file.frontmatter is not None
    frontmatter, body = file.frontmatter, file.body
    assert file.text[frontmatter.span.start : frontmatter.span.end] == "---\ncondition: foo\n---"
    assert file.text[frontmatter.content_span.start : frontmatter.content_span.end] == "condition: foo"
    assert (body.value, written(file, body, "so.")) == ("Say  so.", "so.")
