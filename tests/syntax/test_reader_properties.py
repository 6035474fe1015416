"""Reading any file never raises, all spans are within it, and segments of equal length equal their source."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from tests.property_examples import examples
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.reader import decode, read_rule
from ttsr_ls.syntax.rule_file import Entry, ListValue, MapValue, RuleFile, ScalarValue, Value
from ttsr_ls.text import Span

PIECES = [
    "---", "---\n", "\n", "\r\n", "\r", "condition", "scope", "globs", "description", "agents", "a-b", "<<", ": ",
    ":", " ", "  ", "\t", "- ", "-", "? ", "'", '"', "''", "\\", "\\d", "\\x41", "\\u00e9", "\\uD83D\\uDE00",
    "\\\n", "[", "]", "{", "}", ", ", "|", "|-\n", ">", ">2\n", "&a ", "*a", "!t ", "!!str ", "#", " # c", "<!--",
    "-->", "%", "@", "`", "*.rs", "src/**", "tool:edit(*.ts)", "text", "1", "true", "~", "é", "😀", "\ufeff",
    "\u2028", "\x00", "\x85", "\ud800", "...",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "---\n" + "".join(pieces) + "\n---\nBody"),
)


def read(text: str) -> RuleFile:
    return read_rule(text, name="rule", path="rule.md")


def texts(file: RuleFile) -> Iterator[MappedText]:
    fields = file.fields
    yield file.body
    yield from (*fields.globs, *fields.conditions, *fields.ast_conditions, *fields.agents, *fields.shorthand_globs)
    yield from (token.text for token in fields.scope)
    yield from (token.glob for token in fields.scope if token.glob is not None)
    yield from [] if fields.question is None else [fields.question]
    yield from (value.text for value in values(file) if isinstance(value, ScalarValue))


def values(file: RuleFile) -> Iterator[Value]:
    open_values: list[Value] = [entry.value for entry in entries(file)]
    while open_values:
        value = open_values.pop()
        yield value
        match value:
            case ListValue(items=items):
                open_values.extend(items)
            case MapValue(entries=inner):
                open_values.extend(entry.value for entry in inner)


def entries(file: RuleFile) -> tuple[Entry, ...]:
    return () if file.frontmatter is None else file.frontmatter.entries


def places(file: RuleFile) -> Iterator[Span]:
    if file.frontmatter is not None:
        yield from (file.frontmatter.span, file.frontmatter.content_span)
    yield from (entry.key_span for entry in entries(file))
    yield from (value.span for value in values(file))
    yield from (problem.span for problem in file.problems)
    for text in texts(file):
        yield text.span
        yield from (piece.source for piece in text.segments)


@given(TEXTS)
@examples(600)
@example("---\n---")
@example("---\n\r---\r")
@example("---\na: &a [*a]\n---\n")
def test_all_spans_are_within_the_file_and_segments_in_order(text: str) -> None:
    file = read(text)
    assert all(0 <= place.start <= place.end <= len(text) for place in places(file))
    for mapped in texts(file):
        assert (
            "".join(mapped.value[piece.start : piece.start + piece.length] for piece in mapped.segments) == mapped.value
        )
        assert all(mapped.span.start <= piece.source.start for piece in mapped.segments)
        assert all(piece.source.end <= mapped.span.end for piece in mapped.segments)
        ends = [0, *(piece.source.end for piece in mapped.segments)]
        assert all(end <= piece.source.start for end, piece in zip(ends, mapped.segments, strict=False))


@given(st.lists(st.sampled_from([piece for piece in PIECES if piece not in ("<!--", "-->")]), max_size=25).map("".join))
@examples(400)
def test_segments_of_equal_length_equal_their_source(text: str) -> None:
    file = read(f"---\n{text}\n---\nBody")
    for value in values(file):
        if isinstance(value, ScalarValue):
            for piece in value.text.segments:
                source = file.text[piece.source.start : piece.source.end]
                derived = value.text.value[piece.start : piece.start + piece.length]
                assert piece.length != len(source) or derived == source or set(source) <= set("\n\r\t ")


@given(st.binary(max_size=200))
@examples(200)
def test_any_bytes_are_decoded_and_read_without_raising(data: bytes) -> None:
    text, problems = decode(data)
    assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in problems)
    assert bool(problems) == (not is_utf8(data) and not data.startswith(b"\xff\xfe"))
    read(text)


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@given(st.text("ab \n:'\"[]-#|>\\", max_size=60), st.text("ab \n:'\"[]-#|>\\", max_size=60))
@examples(200)
def test_the_body_does_not_change_the_frontmatter(lines: str, body: str) -> None:
    one, other = read(f"---\n{lines}\n---\nBody"), read(f"---\n{lines}\n---\n{body}")
    assert one.frontmatter == other.frontmatter
    assert one.fields == other.fields
