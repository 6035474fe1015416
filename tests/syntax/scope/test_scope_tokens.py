"""Comma lists, and the tokens of `scope` (spec S1, S2)."""

from __future__ import annotations

import pytest

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.scope.tokens import list_tokens, scope_token, split_list
from ttsr_ls.text import Span


def text(value: str) -> MappedText:
    return MappedText.verbatim(value, Span(0, len(value)))


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("a,b", ["a", "b"]),
        (" a , b ", ["a", "b"]),
        ("a,,b,", ["a", "b"]),
        (" , ", []),
        ("f(a,b),c", ["f(a,b)", "c"]),
        ("[a,b],{c,d},e", ["[a,b]", "{c,d}", "e"]),
        ("f(a,[b),c]),d", ["f(a,[b),c])", "d"]),
        ("f(a,b", ["f(a,b"]),
        ("),a", [")", "a"]),
        ("'a,b',c", ["'a,b'", "c"]),
        ('"a,b",c', ['"a,b"', "c"]),
        ("it's,text", ["it's,text"]),
        ("'a\\',b',c", ["'a\\',b'", "c"]),
        ("'a\\\\',b", ["'a\\\\',b"]),
        ("'a(',b", ["'a('", "b"]),
        ("a b;c|d", ["a b;c|d"]),
    ],
)
def test_comma_lists_are_split_outside_of_brackets_and_quotes(value: str, parts: list[str]) -> None:
    assert [part.value for part in split_list(text(value))] == parts
    assert [value[part.span.start : part.span.end] for part in split_list(text(value))] == parts


@pytest.mark.parametrize(
    ("values", "tokens"),
    [
        (["'text',\"thinking\""], ["text", "thinking"]),
        (["text", " text", "'text'"], ["text"]),
        (["b,a", "a,c"], ["b", "a", "c"]),
        (["''", '"'], ['"']),
        (["' '"], []),
        (["'a\""], ["'a\""]),
    ],
)
def test_list_tokens_are_distinct_and_unquoted(values: list[str], tokens: list[str]) -> None:
    assert [token.value for token in list_tokens([text(value) for value in values])] == tokens


@pytest.mark.parametrize(
    ("value", "stream", "tool", "glob"),
    [
        ("text", "text", None, None),
        ("THINKING", "thinking", None, None),
        ("tool", "tool", None, None),
        ("ToolCall", "tool", None, None),
        ("tool:edit", "tool", "edit", None),
        ("Tool:Edit(*.TS)", "tool", "edit", "*.TS"),
        ("edit", "tool", "edit", None),
        ("edit(src/**)", "tool", "edit", "src/**"),
        ("tool(*.ts)", "tool", None, "*.ts"),
        ("tool:edit( )", "tool", "edit", None),
        ("tool:edit( a )", "tool", "edit", "a"),
        ("tool( )", "tool", None, None),
        ("prose", "tool", "prose", None),
        ("text(*.ts)", "tool", "text", "*.ts"),
        ("toolcall(*.ts)", "tool", "toolcall", "*.ts"),
        ("tool:tool", "tool", "tool", None),
        ("mcp__a-b_c", "tool", "mcp__a-b_c", None),
        ("tool:edit(*.ts,*.tsx)", "tool", "edit", "*.ts,*.tsx"),
        ("tool:edit((a)", "tool", "edit", "(a"),
        *[
            (invalid, None, None, None)
            for invalid in (
                "*", "tool:*", "tool:", "tool()", "tool:edit()", "tool:(*.ts)", "tool: edit", "tool:edit (*.ts)",
                "toolcall:edit", "text:foo", "tool:edit|write", "tool:mcp__a.b", "tool:edit(*.ts", "tool:edit(a)(b)",
                "tool:edit(@(a|b))", "tool:\u017fearch", "text thinking", "edit\n",
            )
        ],
    ],
)  # fmt: skip
def test_a_scope_token_is_parsed(value: str, stream: str | None, tool: str | None, glob: str | None) -> None:
    token = scope_token(text(value))
    assert (token.stream, token.tool, token.glob.value if token.glob else None) == (stream, tool, glob)
    assert not token.inferred
