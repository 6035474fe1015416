"""Lines of paragraphs are joined for editors and wrapped for terminals; everything else stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.ide.markdown_renderer import plain_text
from ttsr_ls.ide.paragraphs import join_lines, wrap_lines
from ttsr_ls.lint.catalogue import CATALOGUE, CatalogueEntry


@pytest.mark.parametrize(
    ("markdown", "joined"),
    [
        ("a\nb\n\nc\nd", "a b\n\nc d"),
        ("- a\n  b\n- c\n    d\n1. e\nf", "- a b\n- c d\n1. e f"),
        ("a\n```js\nx\ny\n```\nb\nc", "a\n```js\nx\ny\n```\nb c"),
        ("~~~\nx\n```\ny\n~~~\nb\nc", "~~~\nx\n```\ny\n~~~\nb c"),
        ("| a | b |\n| --- | --- |\n| c | d |", "| a | b |\n| --- | --- |\n| c | d |"),
        ("# A\nb\nc\n## D", "# A\nb c\n## D"),
        ("a  \nb\\\nc\nd", "a  \nb\\\nc d"),
        ("    code\n    more", "    code\n    more"),
        ("a\n---\nb", "a\n---\nb"),
        ("> a\n> b", "> a\n> b"),
        ("", ""),
    ],
)
def test_lines_of_a_paragraph_are_joined(markdown: str, joined: str) -> None:
    assert join_lines(markdown) == joined
    assert join_lines(joined) == joined


def test_paragraphs_and_items_are_wrapped() -> None:
    markdown = "one two three\n\n- four `five  six` seven\n\n```\na long line of code\n```\n| a long | table |"
    assert wrap_lines(markdown, 9) == (
        "one two\nthree\n\n- four\n  `five  six`\n  seven\n\n```\na long line of code\n```\n| a long | table |"
    )


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.code)
def test_pages_keep_their_words(entry: CatalogueEntry) -> None:
    page = entry.page
    for changed in (join_lines(page), wrap_lines(page, 60)):
        assert plain_text(changed).split() == plain_text(page).split()


@given(st.text(alphabet="ab `-*|#>~=\n\\1.", max_size=80), st.integers(1, 30))
def test_no_character_but_blanks_changes(markdown: str, width: int) -> None:
    for changed in (join_lines(markdown), wrap_lines(markdown, width)):
        assert "".join(changed.split()) == "".join(markdown.split())
