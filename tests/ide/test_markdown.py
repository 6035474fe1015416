"""Texts of rule files in Markdown."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.markdown import escape_markdown


@pytest.mark.parametrize("text", ["json_rpc.py", "a__b_1", "über_all", "a_b_c"])
def test_underscores_within_a_word_need_no_escape(text: str) -> None:
    assert escape_markdown(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_a_", "\\_a\\_"),
        ("__init__.py", "\\_\\_init\\_\\_.py"),
        ("a_-_b", "a\\_-\\_b"),
        ("a_ _b", "a\\_ \\_b"),
        ("a_*b*", "a\\_\\*b\\*"),
        ("`<a>` & [b] | ~c~ \\", "\\`\\<a\\>\\` \\& \\[b\\] \\| \\~c\\~ \\\\"),
    ],
)
def test_special_characters_are_escaped(text: str, expected: str) -> None:
    assert escape_markdown(text) == expected
