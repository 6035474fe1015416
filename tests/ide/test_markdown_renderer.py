"""Markdown becomes plain text where an editor shows nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttsr_ls.ide.markdown_renderer import plain_text
from ttsr_ls.syntax.keys import KEYS
from ttsr_ls.syntax.pi.keys import PI_KEYS


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("**`scope`**: text", "scope: text"),
        ("a *file glob*, 2 * 3 * 4, `*.rs` and **two\nlines**", "a file glob, 2 * 3 * 4, *.rs and two\nlines"),
        ("# Title\n\nwords", "Title\n\nwords"),
        ("a \\*b\\* \\| c", "a *b* | c"),
        ("`` `a` ``", "`a`"),
        ("``a`b``", "a`b"),
        ("see [the page](https://x.y/z)", "see the page"),
        ("x\n\n```yaml\na: **b**\n```\n\ny", "x\n\n    a: **b**\n\ny"),
        ("| a | b |\n| --- | :-: |\n| `x|y` | z |", "a  b\nx|y  z"),
        ("---", "---"),
        ("- `a` one", "- a one"),
        ("unclosed `code and **strong", "unclosed `code and **strong"),
    ],
)
def test_marks_are_left_out_and_words_are_kept(markdown: str, expected: str) -> None:
    assert plain_text(markdown) == expected


def test_documentation_of_keys_has_no_marks_left() -> None:
    for key in (*KEYS, *PI_KEYS):
        text = plain_text(key.documentation)
        prose = [line for line in text.split("\n") if not line.startswith("    ")]
        assert not any("`" in line or line.startswith(("|", "#")) for line in prose), key.name
        assert not any(f"{mark}{word}" in text for mark in ("**", " *") for word in ("regular", "file glob", "How"))


@given(st.text("`*[]()|\\# -a\n~", max_size=60))
@settings(deadline=None)
def test_any_text_becomes_text(markdown: str) -> None:
    assert isinstance(plain_text(markdown), str)
