"""Edits of the frontmatter: taking out items and entries, writing into quotes, reading pages."""

from __future__ import annotations

import pytest

from tests.lint.finding_page import Example, parse_page
from ttsr_ls.lint.finding import Edit
from ttsr_ls.lint.fixes.list_edits import remove_entry_lines, remove_list_item
from ttsr_ls.lint.scalars import replaced_part
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import ListValue, RuleFile
from ttsr_ls.text import LineIndex, Span


def rule(text: str) -> RuleFile:
    return read_rule(text, name="rule", path="rule.md")


def applied(text: str, edit: Edit | None) -> str | None:
    return None if edit is None else text[: edit.span.start] + edit.text + text[edit.span.end :]


@pytest.mark.parametrize(
    ("value", "index", "left"),
    [
        (" [a, b, c]", 0, " [b, c]"),
        (" [a, b, c]", 1, " [a, c]"),
        (" [a, b, c]", 2, " [a, b]"),
        (" [a]", 0, " []"),
        (" ['a',\n  'b']", 1, " ['a']"),
        ("\n  - a\n  - b\n  - c", 1, "\n  - a\n  - c"),
        ("\n  - a\n  - b # why\n  - c", 1, "\n  - a\n  - c"),
        ("\n  - a\n  - b", 1, "\n  - a"),
        ("\n- a\n- b", 0, "\n- b"),
        ("\n  - a\n  - >\n   b\n   c\n  - d", 1, "\n  - a\n  - d"),
        ("\n  - &n a\n  - *n", 0, None),
    ],
)
def test_removed_item(value: str, index: int, left: str | None) -> None:
    text = f"---\ncondition:{value}\n---\nx\n"
    file = rule(text)
    assert file.frontmatter is not None
    entry = file.frontmatter.entry("condition")
    assert entry is not None
    assert isinstance(entry.value, ListValue)
    fixed = applied(text, remove_list_item(LineIndex(text), entry.value, index))
    assert fixed == (None if left is None else f"---\ncondition:{left}\n---\nx\n")


@pytest.mark.parametrize(
    ("entries", "name", "left"),
    [
        ("name: x\ncondition: a\n", "name", "condition: a\n"),
        ("condition: a\nname: x\n", "name", "condition: a\n"),
        ("condition: a\nname:\n  - x\n  - y\nscope: text\n", "name", "condition: a\nscope: text\n"),
        ("name: x\n", "name", ""),
        ("name: |\n  x\n\n  y\ncondition: a\n", "name", "condition: a\n"),
        ("name: x\r\ncondition: a\r\n", "name", "condition: a\r\n"),
        ("{name: x, condition: a}\n", "name", None),
    ],
)
def test_removed_entry(entries: str, name: str, left: str | None) -> None:
    text = f"---\n{entries}---\nx\n"
    file = rule(text)
    assert file.frontmatter is not None
    entry = file.frontmatter.entry(name)
    assert entry is not None
    fixed = applied(text, remove_entry_lines(LineIndex(text), file.frontmatter, entry.key_span))
    assert fixed == (None if left is None else f"---\n{left}---\nx\n")


@pytest.mark.parametrize(
    ("value", "left"),
    [
        (r"any\b", r"any(?=\W)"),
        (r"'it''s any\b'", r"'it''s any(?=\W)'"),
        (r'"any\\b"', r'"any(?=\\W)"'),
        ("|\n  any\\b\n", "|\n  any(?=\\W)\n"),
        (r"[foo, 'any\b']", r"[foo, 'any(?=\W)']"),
        (r'"any\b"', None),
    ],
)
def test_replaced_part(value: str, left: str | None) -> None:
    text = f"---\ncondition: {value}\n---\nx\n"
    start = text.index("any") + 3
    end = start + (3 if "\\\\b" in value else 2)
    edit = replaced_part(rule(text), Span(start, end), r"\b", r"(?=\W)")
    assert applied(text, edit) == (None if left is None else f"---\ncondition: {left}\n---\nx\n")


def test_replaced_part_outside_of_the_frontmatter_is_none() -> None:
    text = "---\ncondition: a\n---\nany\\b\n"
    assert replaced_part(rule(text), Span(text.index("\\b"), text.index("\\b") + 2), r"\b", "x") is None


def test_parse_page_returns_sections_and_examples() -> None:
    page = parse_page(
        "# code\n\nIntro.\n\n## Bad\n\n```md a/b.md\n---\n## no heading\n---\n```\n\n````md c.md\n```\nx\n```\n````\n\n"
        "## Good\n\n```text\nno example\n```\n\n## Last\n\nEnd.\n"
    )
    assert [title for title, _ in page.sections] == ["Bad", "Good", "Last"]
    assert page.bad == (Example("a/b.md", "---\n## no heading\n---\n"), Example("c.md", "```\nx\n```\n"))
    assert page.good == ()
    assert page.sections[2] == ("Last", "End.")
