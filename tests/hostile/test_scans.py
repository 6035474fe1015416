"""Whatever a file has very many of, it is checked in time that grows with its size only."""

from __future__ import annotations

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import Encoding, LineIndex, Position

SECONDS = 2.0
"""Of processor time: several times what the slowest needs, and a fifth of what quadratic time takes."""

_MARK = "<!-- ttsr-ls: ignore[x] -->"
_RULE = "---\ncondition: foo\nscope: text\n---\n"


@pytest.mark.parametrize(
    "text",
    [
        _RULE + _MARK * 30_000,
        _RULE + f"{_MARK}\n" * 30_000,
        _RULE + "```\n<!-- x -->\n```\n" * 30_000,
        _RULE + "```\n" + "<!-- x -->\n" * 60_000,
        _RULE + f"{_MARK}\n```\n" * 25_000,
        _RULE + "`<!-- x -->` " * 30_000,
        _RULE + "`<!-- x -->`\n" * 30_000,
        _RULE + "`<!-- `\n" * 30_000 + "-->",
        _RULE + "".join("`" * (1 + n % 300) + "<!-- x -->" for n in range(5_000)),
        "---\ncondition: foo\n" + "\n".join(f"c{n}: 'a<!-- {n} -->'" for n in range(3_000)) + "\n---\nBody\n",
        "---\n# ttsr-ls: ignore[" + ", ".join(f"code{n}" for n in range(8_000)) + "]\ncondition: foo\n---\nBody\n",
    ],
    ids=[
        "on one line",
        "on lines",
        "in fences",
        "in one fence",
        "before fences",
        "in inline code",
        "in inline code on lines",
        "begun in inline code",
        "between runs of backticks",
        "in values",
        "with codes",
    ],
)
def test_many_comments(text: str) -> None:
    with processor_time_below(SECONDS):
        check_file(read_rule(text, name="rule", path="rule.md"), LintContext())


@pytest.mark.parametrize("encoding", Encoding)
def test_many_places_on_one_line(encoding: Encoding) -> None:
    index = LineIndex("é😀a" * 100_000)
    width = {Encoding.UTF8: 7, Encoding.UTF16: 4, Encoding.UTF32: 3}[encoding]
    with processor_time_below(SECONDS):
        for number in range(100_000):
            assert index.position(3 * number, encoding) == Position(0, width * number)
    assert index.position(3, encoding) == Position(0, width)


def test_lines_end_where_the_protocol_says() -> None:
    index = LineIndex("a\r\nb\rc\n\r\n\u2028\x0bd\r")
    assert [index.line_span(line).start for line in range(index.line_count)] == [0, 3, 5, 7, 9, 13]
