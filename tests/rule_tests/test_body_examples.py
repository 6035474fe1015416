"""Which blocks of a rule's body are examples, and of what."""

from __future__ import annotations

import pytest

from ttsr_ls.rule_tests.body_examples import MAX_EXAMPLES, body_examples
from ttsr_ls.rules.stream import Source


def found(body: str) -> list[tuple[str, str, bool]]:
    return [(str(example.case.kind), example.case.text.strip(), example.is_marked) for example in body_examples(body)]


@pytest.mark.parametrize("title", ["Bad", "bad:", "❌ Bad", "Avoid", "Bad example", "Don't", "WRONG", "**Bad**"])
def test_headings_for_bad_examples(title: str) -> None:
    assert found(f"## {title}\n\n```ts\nx\n```\n") == [("invalid", "x", False)]


@pytest.mark.parametrize("title", ["Good", "✅ Good", "Use", "Good examples:", "Correct code"])
def test_headings_for_good_examples(title: str) -> None:
    assert found(f"## {title}\n\n```ts\nx\n```\n") == [("valid", "x", False)]


@pytest.mark.parametrize(
    "title",
    ["Examples", "Why bad code is bad", "Good and bad", "Use of types", "When to avoid it", "Not good", "Background"],
)
def test_other_headings_begin_no_examples(title: str) -> None:
    assert found(f"## {title}\n\n```ts\nx\n```\n") == []


def test_a_heading_applies_to_all_blocks_up_to_the_next_heading() -> None:
    body = "# Bad\n```\na\n```\ntext\n### Deeper\n~~~\nb\n~~~\n# Good\n```\nc\n```\n# Notes\n```\nd\n```\n"
    assert found(body) == [("invalid", "a", False), ("invalid", "b", False), ("valid", "c", False)]


@pytest.mark.parametrize("label", ["**Bad**", "**Bad:**", "Bad:", "❌ Bad:", "__Bad__"])
def test_a_label_applies_only_to_the_next_block(label: str) -> None:
    assert found(f"{label}\n\n```\na\n```\n\n```\nb\n```\n") == [("invalid", "a", False)]


def test_block_marks_override_headings() -> None:
    body = "```ts ttsr:fires\na\n```\n# Bad\n```ts title=x ttsr:silent\nb\n```\n``` ttsr:fires\nc\n```\n"
    assert found(body) == [("invalid", "a", True), ("valid", "b", True), ("invalid", "c", True)]


def test_a_block_mark_can_name_the_stream() -> None:
    (tool, text) = body_examples("```ts ttsr:fires path=src/a.ts\na\n```\n```ttsr:silent source=text tool=\nb\n```\n")
    assert (tool.case.stream.source, tool.case.stream.path, tool.case.language) == (Source.TOOL, "src/a.ts", "ts")
    assert (text.case.stream.source, text.case.language) == (Source.TEXT, "")


def test_fences_inside_of_longer_fences_are_text() -> None:
    assert found("# Bad\n````md\n```\nx\n```\n````\n") == [("invalid", "```\nx\n```", False)]
    assert found("# Bad\n```\nx\n") == [], "a block that is not closed is no example"
    assert found("# Bad\n```\n\n```\n") == [], "an empty block is none either"


def test_examples_have_the_spans_of_their_opening_fences() -> None:
    body = "x\r\n# Bad\r\n```ts\r\na\r\nb\r\n```\r\n"
    (example,) = body_examples(body)
    assert body[example.case.span.start : example.case.span.end] == "```ts"
    assert example.case.text == "a\nb\n"


def test_the_number_of_examples_in_a_body_is_limited() -> None:
    assert len(body_examples("``` ttsr:fires\nx\n```\n" * 1_000)) == MAX_EXAMPLES
