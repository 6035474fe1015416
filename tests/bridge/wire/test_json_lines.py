"""Lines of JSON are read as Python's `json` reads them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.bridge.wire.json_lines import parse_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


def read_by_json(line: bytes) -> object:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def assert_read_alike(line: bytes) -> None:
    read, expected = parse_object(line), read_by_json(line)
    # NaN is not equal to itself.
    assert repr(read) == repr(expected) if expected is not None else isinstance(read, str)


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), st.booleans())
def test_objects_are_read_as_by_json(value: dict[str, object], ascii_only: bool) -> None:
    assert_read_alike(json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass"))


@given(st.dictionaries(st.text(max_size=4), VALUES, min_size=1, max_size=4), st.integers(0, 200), st.binary(max_size=3))
def test_damaged_objects_are_read_as_by_json(value: dict[str, object], at: int, put: bytes) -> None:
    line = json.dumps(value).encode()
    assert_read_alike(line[:at] + put + line[at + len(put) :])


@pytest.mark.parametrize(
    "line",
    [
        rb'{"a": "\ud83d"}',
        rb'{"\udc00": 1}',
        b'{"a": NaN, "b": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": 1, "a": 2}',
        b'{"a": ' + b"9" * 100 + b"}",
        b'{"a": ' + b"9" * 10_000 + b"}",
        b'{"a": "\xff"}',
        b'{"a": "\xed\xa0\x80"}',
        b'\xef\xbb\xbf{"a": 1}',
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        '{"a": 1}'.encode("utf-16"),
        b"[1]",
        b"{",
    ],
)
def test_odd_lines_are_read_as_by_json(line: bytes) -> None:
    assert_read_alike(line)
