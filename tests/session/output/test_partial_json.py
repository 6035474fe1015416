"""The received part of an incomplete JSON object is parsed."""

from __future__ import annotations

import itertools
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.processor_time import processor_time_below
from ttsr_ls.session.output.partial_json import MAX_DEPTH, MAX_LENGTH, PartialObject

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)


def read(*pieces: str) -> PartialObject:
    partial = PartialObject()
    for piece in pieces:
        partial.feed(piece)
    return partial


@pytest.mark.parametrize(
    ("text", "value", "unfinished"),
    [
        ("", {}, None),
        ("{", {}, None),
        ('{"fi', {}, None),
        ('{"file_path"', {}, None),
        ('{"file_path":', {}, "file_path"),
        ('{"file_path": "', {"file_path": ""}, "file_path"),
        ('{"file_path": "/a/b', {"file_path": "/a/b"}, "file_path"),
        ('{"file_path": "/a/b"', {"file_path": "/a/b"}, None),
        ('{"a": "x", "b": [1, "y', {"a": "x", "b": [1, "y"]}, "b"),
        ('{"a": [1, 2', {"a": [1]}, "a"),
        ('{"a": [1, 2]', {"a": [1, 2]}, None),
        ('{"a": tr', {}, "a"),
        ('{"a": true}', {"a": True}, None),
        ('{"a": {"b": {}', {"a": {"b": {}}}, "a"),
        ('{"a": "line\\', {"a": "line"}, "a"),
        ('{"a": "line\\n', {"a": "line\n"}, "a"),
        ('{"a": "\\u00', {"a": ""}, "a"),
        ('{"a": "\\u00e9', {"a": "é"}, "a"),
        ('{"a": "\\ud83d', {"a": ""}, "a"),
        ('{"a": "\\ud83d\\ude00', {"a": "😀"}, "a"),
        ('{"a": "\\ud83d!', {"a": "\ud83d!"}, "a"),
        ('{"a": "\\ud83d"', {"a": "\ud83d"}, None),
        ('{"a": "\\ud83d\\ud83d\\ude00"', {"a": "\ud83d😀"}, None),
    ],
)
def test_a_partial_object_has_the_values_received_so_far(text: str, value: object, unfinished: str | None) -> None:
    partial = read(text)
    assert partial.value == value
    assert partial.unfinished_key == unfinished


@pytest.mark.parametrize(
    "text",
    [
        "[1]", '"text"', "7", '{"a": \\', '{"a": "\\q', '{"a": 1 2', "{,", '{"a": [}', '{"a": ]', '{"a": "\\uzzzz', "x",
        '{"a": "\\u+12a"}', '{"a": "\\u 12a"}', '{"a": "\\u1_2a"}', '{"a": "\\u\u0661\u0662\u0663\u0664"}',
    ],
)  # fmt: skip
def test_invalid_json_is_never_parsed_and_stays_invalid(text: str) -> None:
    partial = read(text, '{"b": 1}')
    assert "b" not in partial.value
    assert not partial.is_complete


def test_values_before_a_syntax_error_are_kept() -> None:
    assert read('{"file_path": "/a", "content": "x" oops').value == {"file_path": "/a", "content": "x"}


@given(OBJECTS, st.booleans(), st.lists(st.integers(0, 400), max_size=8))
def test_any_split_of_an_object_parses_to_the_object(
    value: dict[str, object], ascii_only: bool, cuts: list[int]
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    partial = read(*(text[start:end] for start, end in itertools.pairwise(places)))
    assert partial.value == value
    assert partial.is_complete
    assert partial.unfinished_key is None


@given(OBJECTS, st.integers(0, 400))
def test_a_prefix_parses_the_same_at_once_and_by_characters(value: dict[str, object], cut: int) -> None:
    text = json.dumps(value)[:cut]
    assert read(*text).value == read(text).value
    assert read(*text).unfinished_key == read(text).unfinished_key


@given(st.text('{}[]",:\\u0a1 \n-.etrufalsn'), st.integers(0, 30))
def test_feeding_any_text_does_not_raise(text: str, cut: int) -> None:
    read(text[:cut], text[cut:])


def test_deep_nesting_is_not_parsed() -> None:
    partial = read('{"a":' + "[" * 100_000)
    depth, inner = 0, partial.value["a"]
    while isinstance(inner, list) and inner:
        depth, inner = depth + 1, inner[0]
    assert depth < MAX_DEPTH


def test_overlong_arguments_are_not_parsed() -> None:
    partial = read('{"a": "')
    for _ in range(MAX_LENGTH // (1 << 20) + 2):
        partial.feed("x" * (1 << 20))
    text = partial.value["a"]
    assert isinstance(text, str)
    assert len(text) <= MAX_LENGTH


def test_feeding_a_chunk_costs_at_most_a_copy_of_its_string() -> None:
    """Parsing everything again at each chunk would take seconds for this string."""
    piece = "let value = compute(1, 2);\\n"
    partial = read('{"content": "')
    with processor_time_below(1, clock=time.thread_time):
        for _ in range(4000):
            partial.feed(piece)
