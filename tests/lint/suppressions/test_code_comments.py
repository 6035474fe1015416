"""Comments in code that silence rules."""

from __future__ import annotations

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.lint.suppressions.code_comments import code_suppressions
from ttsr_ls.text import LineIndex


def silenced(text: str, rule: str = "r") -> list[int]:
    index = LineIndex(text)
    suppressions = code_suppressions(text, index)
    return (
        []
        if suppressions is None
        else [line for line in range(index.line_count) if suppressions.suppresses(rule, line)]
    )


@pytest.mark.parametrize(
    "comment",
    [
        "# {}",
        "// {}",
        "/* {} */",
        " * {}",
        "-- {}",
        ";; {}",
        "% {}",
        "<!-- {} -->",
        "{{- {} -}}",
        "(* {} *)",
        "#{}",
        "#   {}",
    ],
)
def test_comments_of_every_language_suppress_rules(comment: str) -> None:
    written = comment.format("ttsr-ls: ignore[a, r] why")
    assert silenced(f"x\ny {written}\nz") == [1]
    assert silenced(f"x\n{written}\n\nz\nz") == [3]


@pytest.mark.parametrize(
    "text",
    ["ttsr-ls: ignore[r]", "# ttsr-ls: ignore", "# ttsr-ls: ignore[]", "# ttsr-ls: ignored[r]",
     "# ttsr-ls:\n# ignore[r]", "# ttsr-ls: ignore[other]", "# ttsr-ls: ignore[r", "x = ' ttsr-ls: ignore[r]'"],
)  # fmt: skip
def test_malformed_comments_suppress_nothing(text: str) -> None:
    assert silenced(f"{text}\nx") == []


def test_several_comments_above_a_line_add_up() -> None:
    text = "# ttsr-ls: ignore[a]\n# ttsr-ls: ignore[r]\nx\n"
    assert silenced(text) == silenced(text, "a") == [2]


def test_ignore_file_covers_every_line() -> None:
    assert silenced("x\n# ttsr-ls: ignore-file[r]\ny") == [0, 1, 2]


def test_a_comment_at_the_end_of_the_file_covers_nothing() -> None:
    assert silenced("x\n# ttsr-ls: ignore[r]") == []


@pytest.mark.parametrize(
    "text",
    ["# ttsr-ls: ignore[r] " * 50_000, "# ttsr-ls: ignore[r]\n" * 50_000, "#" * 1_000_000 + "ttsr-ls: ignore[r]"],
)
def test_hostile_files_take_bounded_time(text: str) -> None:
    with processor_time_below(1.0):
        silenced(text)
