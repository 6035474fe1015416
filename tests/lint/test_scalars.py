"""The scalar at a span is found in few steps, also in long lists and next to aliases."""

from __future__ import annotations

import pytest

from tests.counted_calls import count_calls
from ttsr_ls.lint.scalars import scalar_at
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue
from ttsr_ls.text import Span


def read(frontmatter: str) -> RuleFile:
    return read_rule(f"---\n{frontmatter}---\nSay so.\n", name="r", path="r.md")


def value_at(file: RuleFile, text: str) -> str | None:
    start = file.text.index(text)
    scalar = scalar_at(file, Span(start, start + len(text)))
    return None if scalar is None else file.text[scalar.span.start : scalar.span.end]


@pytest.mark.parametrize("value", ["one", "two", "three", "four", "five", "six", "seven"])
def test_each_scalar_is_found_in_lists_and_mappings_and_next_to_aliases(value: str) -> None:
    file = read("a: one\nb: [two, &x three]\nc: [*x, four, {k: &y five, l: *x, m: six}, *y]\nd:\n  - - seven\n")
    assert str(value_at(file, value)).endswith(value)


def test_scalar_at_returns_none_outside_of_scalars() -> None:
    file = read("condition: [one, two]\n")
    for text in ("condition", "one, two", "[", "Say"):
        assert value_at(file, text) is None
    assert scalar_at(read_rule("no frontmatter", name="r", path="r.md"), Span(0, 1)) is None


def test_the_scalars_of_a_long_list_are_found_in_few_steps() -> None:
    count = 1_000
    file = read("condition:\n" + "".join(f"  - x{number}y\n" for number in range(count)))
    spans = [Span(start := file.text.index(f"x{number}y"), start + len(f"x{number}y")) for number in range(count)]
    found: list[ScalarValue | None] = []
    calls = count_calls(lambda: found.extend([scalar_at(file, span) for span in spans]))
    assert [scalar.span if scalar else None for scalar in found] == spans
    assert calls < 100 * count, "some 500 for each scalar when all were looked at"
