"""Output on a terminal: colours only on request, and no control characters of files."""

from __future__ import annotations

import io

import pytest

from ttsr_ls.cli.printing.snippet import code_excerpt
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, painted_text, palette_for, printable
from ttsr_ls.text import LineIndex, Span


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "coloured"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours(stream: io.StringIO, environment: dict[str, str], coloured: bool) -> None:
    styled = palette_for(stream, environment).paint("x", TextStyle.ERROR)
    assert painted_text(styled) == ("\x1b[1;31mx\x1b[0m" if coloured else "x")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 日本 😀", "plain é 日本 😀"),
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[31m\x07\x7f\x9b", "\\x1b[31m\\x07\\x7f\\x9b"),
        ("\u202ex\u2066", "\\u202ex\\u2066"),
        ("\ud800", "\\ud800"),
        ("\r", "\\x0d"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_only_our_own_colours_pass() -> None:
    forged = "\x1b[1;31mred\x1b[0m"
    shown = painted_text(forged + Palette(True).paint(forged, TextStyle.GOOD))
    assert shown == "\\x1b[1;31mred\\x1b[0m\x1b[32m\\x1b[1;31mred\\x1b[0m\x1b[0m"


def test_one_line() -> None:
    assert one_line("a\n\tb") == "a\\n\\tb"


@pytest.mark.parametrize(
    ("text", "span", "lines"),
    [
        ("ab\ncd\n", Span(3, 5), ("    2 | cd", "      | ^^")),
        ("ab\ncd\n", Span(0, 4), ("    1 | ab", "      | ^^…")),
        ("ab", Span(2, 2), ("    1 | ab", "      |   ^")),
        ("", Span(0, 0), ("    1 |", "      | ^")),
        ("日本 x", Span(3, 4), ("    1 | 日本 x", "      |      ^")),
        ("\tx", Span(1, 2), ("    1 |     x", "      |     ^")),
        ("\x1bx", Span(1, 2), ("    1 | \\x1bx", "      |     ^")),
        ("ab\r\ncd", Span(1, 2), ("    1 | ab", "      |  ^")),
    ],
)
def test_excerpt(text: str, span: Span, lines: tuple[str, str]) -> None:
    assert code_excerpt(LineIndex(text), span) == lines


def test_an_excerpt_of_a_long_line_is_truncated_around_the_span() -> None:
    line, carets = code_excerpt(LineIndex("a" * 5000 + "b" + "a" * 5000), Span(5000, 5001))
    assert len(line) < 140
    assert line[carets.index("^")] == "b"
