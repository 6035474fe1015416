"""The parts of conditions and AST patterns that are coloured."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ttsr_ls.ide.semantic_tokens.rule_tokens import rule_tokens
from ttsr_ls.ide.semantic_tokens.token_kind import TokenKind
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import Span

SHORT = {
    "L": TokenKind.LITERAL,
    "E": TokenKind.ESCAPE,
    "C": TokenKind.CHARACTER_CLASS,
    "A": TokenKind.ANCHOR,
    "G": TokenKind.GROUP,
    "N": TokenKind.CAPTURE_NAME,
    "O": TokenKind.QUANTIFIER,
    "|": TokenKind.ALTERNATION,
    "V": TokenKind.METAVARIABLE,
}


def shown(text: str, path: str = "/p/.omp/rules/a.md", area: Span | None = None) -> list[str]:
    letters = {kind: letter for letter, kind in SHORT.items()}
    tokens = rule_tokens(read_rule(text, name="a", path=path), area)
    assert all(first.span.end <= second.span.start for first, second in pairwise(tokens))
    return [f"{letters[token.kind]}:{text[token.span.start : token.span.end]}" for token in tokens]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("'ab+c'", ["L:ab", "O:+", "L:c"]),
        (r"'^\bfoo\.x$'", ["A:^", r"A:\b", "L:foo", r"E:\.", "L:x", "A:$"]),
        ("'(?im)a|bb'", ["G:(?im)", "L:a", "|:|", "L:bb"]),
        ("'(?:a(?=b))(?<!c)'", ["G:(?:", "L:a", "G:(?=", "L:b", "G:)", "G:)", "G:(?<!", "L:c", "G:)"]),
        (
            r"'(?<word>\w{2,3}?)\k<word>\1'",
            ["G:(?<", "N:word", "G:>", r"C:\w", "O:{2,3}?", "G:)", r"N:\k<word>", r"N:\1"],
        ),
        (r"'[^a-z\]\d]*.'", ["C:[^a-z", r"E:\]", r"E:\d", "C:]", "O:*", "C:."]),
        ("'a''b'", ["L:a''b"]),
        (r'"\\bx\\u0041"', [r"A:\\b", "L:x", r"E:\\u0041"]),
        ("😀+", ["L:😀", "O:+"]),
        ("'(?:|a)'", ["G:(?:", "|:|", "L:a", "G:)"]),
        ("'(unclosed'", []),
        ("'*.ts'", []),
    ],
)
def test_tokens_of_a_condition(written: str, expected: list[str]) -> None:
    assert shown(f"---\ncondition: {written}\n---\nx\n") == expected


def test_tokens_of_ast_patterns_and_conditions_in_any_order() -> None:
    text = "---\nastCondition:\n  - 'f($A, $$$REST, $$$, $lower)'\ncondition: [a, b*]\n---\n$B\n"
    assert shown(text) == ["V:$A", "V:$$$REST", "V:$$$", "L:a", "L:b", "O:*"]


def test_tokens_of_a_block_scalar_have_source_positions() -> None:
    assert shown("---\ncondition: |-\n  ab+\n  c\n---\nx\n") == ["L:ab", "O:+", "L:\n  c"]


def test_only_tokens_in_the_requested_range_are_returned() -> None:
    text = "---\ncondition: [aa+, b*]\n---\nx\n"
    position = text.index("b*")
    assert shown(text, area=Span(position, position + 1)) == ["L:b"]


def test_the_trigger_of_pi_ttsr_is_read_under_its_flags() -> None:
    text = "---\ntrigger: a.b\nflags: s\n---\nx\n"
    assert shown(text, "/p/.pi/rules/a.md") == ["L:a", "C:.", "L:b"]


def test_files_of_other_dialects_have_no_tokens() -> None:
    assert (
        shown("---\nname: a\nenabled: true\nevent: bash\npattern: a+\n---\nx\n", "/p/.claude/hookify.a.local.md") == []
    )


def test_a_file_of_many_long_patterns_has_a_bounded_number_of_tokens() -> None:
    text = "---\ncondition:\n" + "".join(f"  - '{'a+' * 1000}{number}'\n" for number in range(30)) + "---\nx\n"
    assert 10_000 < len(shown(text)) <= 20_000
