"""Suppression directives: the lines that they cover, and the cost of reading many of them."""

from __future__ import annotations

import pytest

from ttsr_ls.lint.suppressions.directives import MalformedDirective, SuppressionDirective, suppression_directives
from ttsr_ls.syntax.reader import read_rule


def covered(text: str) -> list[str]:
    """What each directive of a file covers."""
    found = suppression_directives(read_rule(text, name="rule", path="rule.md"))
    return [
        text[directive.area.start : directive.area.end]
        for directive in found
        if isinstance(directive, SuppressionDirective)
    ]


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("---\na: b # ttsr-ls: ignore[x]\nc: d\n---\n", ["a: b # ttsr-ls: ignore[x]"]),
        ("---\n# ttsr-ls: ignore[x]\n\n# why\na: b\nc: d\n---\n", ["a: b"]),
        ("---\r\n# ttsr-ls: ignore[x]\r\na: b\r\n---\r\n", ["a: b"]),
        ("---\n# ttsr-ls: ignore[x]\n# ttsr-ls: ignore[y]\na:\n - b\n - c\nd: e\n---\n", ["a:\n - b\n - c"] * 2),
        ("---\na:\n - b\n # ttsr-ls: ignore[x]\n - c\n---\n", [" - c"]),
        ("---\na: |\n  # ttsr-ls: ignore[x]\n---\n# ttsr-ls: ignore[x]\n", []),
        ("---\na: b\n# ttsr-ls: ignore[x]\n---\nBody.\n", ["---"]),
        ("---\na: b\n---\n<!-- ttsr-ls: ignore[x] -->\n\n```\na\nb\n```\nc\n", ["```\na\nb\n```"]),
        ("---\na: b\n---\n<!-- ttsr-ls: ignore[x] -->\n~~~\na\n", ["~~~\na\n"]),
        ("---\na: b\n---\nText. <!--\nttsr-ls: ignore[x]\n-->\n", ["Text. <!--"]),
        ("Text.\n<!-- ttsr-ls: ignore[x] -->\n", [""]),
        ("Text.\n<!-- ttsr-ls: ignore-file[x] -->\n", ["Text.\n<!-- ttsr-ls: ignore-file[x] -->\n"]),
        ("---\na: b <!-- # ttsr-ls: ignore[x] -->\n---\n", []),
        ("# ttsr-ls: ignore[x]\n", []),
    ],
)
def test_directives_cover_the_stated_lines(text: str, areas: list[str]) -> None:
    assert covered(text) == areas


def test_directives_have_the_spans_of_their_codes() -> None:
    text = "---\na: b # ttsr-ls: ignore[ one,two three ] as agreed\n---\n"
    (directive,) = suppression_directives(read_rule(text, name="rule", path="rule.md"))
    assert isinstance(directive, SuppressionDirective)
    assert [(name.code, text[name.span.start : name.span.end]) for name in directive.codes] == [
        ("one", "one"),
        ("two", "two"),
        ("three", "three"),
    ]
    assert text[directive.span.start : directive.span.end] == "# ttsr-ls: ignore[ one,two three ] as agreed"


@pytest.mark.parametrize("directive", ["ignore", "ignore[]", "ignore x", "disable[x]", "ignore-line[x]", "[x]", ""])
def test_other_forms_of_directives_are_malformed(directive: str) -> None:
    (found,) = suppression_directives(
        read_rule(f"---\na: b # ttsr-ls: {directive}\n---\n", name="rule", path="rule.md")
    )
    assert isinstance(found, MalformedDirective)


@pytest.mark.parametrize("line", ["# ttsr-ls: ignore[x]\n", "<!-- ttsr-ls: ignore[x] -->\n"])
def test_at_most_500_directives_are_read(line: str) -> None:
    found = suppression_directives(read_rule("---\na: b\n" + line * 2000 + "---\n", name="rule", path="rule.md"))
    assert [type(directive) for directive in found] == [SuppressionDirective] * 500 + [MalformedDirective]
    last = found[-1]
    assert isinstance(last, MalformedDirective)
    assert "at most 500 of these comments" in last.message


def test_at_most_1000_codes_of_directives_are_read() -> None:
    line = f"# ttsr-ls: ignore[{' '.join(['x'] * 400)}]\n"
    found = suppression_directives(read_rule("---\na: b\n" + line * 5 + "---\n", name="rule", path="rule.md"))
    assert [type(directive) for directive in found] == [SuppressionDirective] * 2 + [MalformedDirective]
