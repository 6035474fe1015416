"""Line ends become line feeds, and keep their exact positions up to a limit."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.processor_time import processor_time_below
from ttsr_ls.syntax.frontmatter.normalise import normalise
from ttsr_ls.syntax.frontmatter.plain_reader import read_plain
from ttsr_ls.syntax.line_ends import LINE_END_LIMITS, LineEndLimits, with_line_feeds
from ttsr_ls.syntax.reader import read_rule

SECONDS = 1.0
"""Of processor time; each took two to three times that."""

_TEXTS = st.lists(st.sampled_from(["\r", "\n", "\r\n", "a", "<!--", "-->"]), max_size=15).map("".join)


@given(_TEXTS, st.sampled_from([0, 6, 100]), st.sampled_from([1, 4]))
def test_all_line_ends_become_line_feeds(text: str, exact: int, coarse: int) -> None:
    limits = LineEndLimits(exact, coarse)
    normalised = normalise(text, limits).text
    plain = with_line_feeds(text, limits)
    expected = re.sub("\r\n?", "\n", text)
    assert plain.value == expected
    assert normalised.value == re.sub("<!--.*?-->", "", expected, flags=re.DOTALL)
    for mapped in (normalised, plain):
        for position, char in enumerate(mapped.value):
            source = mapped.source_span(position, position + 1)
            written = re.sub("\r\n?", "\n", text[source.start : source.end])
            assert char in written
            assert len(written) == 1 or source.end > exact


@pytest.mark.parametrize("line", ["\r", "\r\n", "a\r\n", "<!-- a -->\r\n"])
@pytest.mark.parametrize("read", [read_rule, read_plain])
def test_a_file_of_line_ends_is_read_quickly(line: str, read: Callable[..., object]) -> None:
    text = "---\ncondition: foo\n---\n" + line * (900_000 // len(line))
    with processor_time_below(SECONDS):
        read(text, name="r", path="r.md")


def test_frontmatter_beyond_exact_positions_is_not_read_and_reported() -> None:
    text = "---\r\ncondition: foo\r\n<!--" + "a" * LINE_END_LIMITS.exact + "-->\r\nscope: text\r\n---\r\nBody\r\n"
    file = read_rule(text, name="r", path="r.md")
    assert file.frontmatter is not None
    assert not file.frontmatter.entries
    assert any(f"ends after {LINE_END_LIMITS.exact} characters" in problem.message for problem in file.problems)
    plain = read_plain(text.replace("<!--", "# "), name="r", path="r.md")
    assert plain.failure is not None
