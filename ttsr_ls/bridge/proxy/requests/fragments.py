"""Decodes and encodes single levels of JSON, so that an edit of one value keeps the bytes of all others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw

from ttsr_ls.errors import TtsrError
from ttsr_ls.typed_values import json_decoder


class RequestUnreadable(TtsrError):
    """The body of a request is not valid for its API. The message says why."""


_OBJECT = json_decoder(dict[str, Raw])
_LIST = json_decoder(list[Raw])
_ENCODER = msgspec.json.Encoder()
_SCANNER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


def object_parts(raw: bytes | Raw) -> dict[str, Raw]:
    """Decodes a JSON object, but not its values: each keeps its exact bytes. Raises RequestUnreadable."""
    try:
        return _OBJECT.decode(bytes(raw))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        if (found := _scanned(bytes(raw), "{")) is None:
            raise RequestUnreadable(f"it is no JSON object: {error}") from error
        return dict(found)


def list_parts(raw: bytes | Raw) -> list[Raw]:
    """Decodes a JSON list, but not its values: each keeps its exact bytes. Raises RequestUnreadable."""
    try:
        return _LIST.decode(bytes(raw))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        if (found := _scanned(bytes(raw), "[")) is None:
            raise RequestUnreadable(f"it is no JSON list: {error}") from error
        return [value for _, value in found]


def encoded_parts(parts: dict[str, Raw] | list[Raw]) -> Raw:
    """Encodes a JSON object or list. Its values are already JSON and are written byte for byte."""
    try:
        return Raw(_ENCODER.encode(parts))
    except UnicodeEncodeError:  # A key has a lone surrogate.
        assert isinstance(parts, dict), "a list has no keys"
        return Raw(b"{" + b",".join(json.dumps(key).encode() + b":" + bytes(parts[key]) for key in parts) + b"}")


def encoded_value(value: Any) -> Raw:
    """Encodes a value as JSON in ASCII. A lone surrogate is written as an escape, too."""
    return Raw(json.dumps(value, separators=(",", ":")).encode())


def read_object(body: bytes) -> dict[str, Any]:
    """Decodes the JSON object in the body of a request. Raises RequestUnreadable."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestUnreadable(f"it is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise RequestUnreadable("it is no JSON object")
    return value


def _scanned(raw: bytes, opener: str) -> list[tuple[str, Raw]] | None:
    """Returns the keys (blank in a list) and values of JSON that msgspec rejects: JavaScript writes lone surrogates.

    None if `raw` is not an object or list with this `opener`.
    """
    try:
        source = raw.decode()
        position = _past_space(source, 0)
        if source[position] != opener:
            return None
        return list(_scan(source, position + 1, "}" if opener == "{" else "]"))
    except (ValueError, IndexError, StopIteration, RecursionError):
        return None


def _scan(source: str, position: int, closer: str) -> Iterator[tuple[str, Raw]]:
    position = _past_space(source, position)
    is_over = source[position] == closer
    while not is_over:
        key = ""
        if closer == "}":
            key, position = _SCANNER.raw_decode(source, _after(source, position, '"') - 1)
            position = _past_space(source, _after(source, position, ":"))
        _, end = _SCANNER.raw_decode(source, position)
        yield key, Raw(source[position:end].encode())
        position = _past_space(source, end)
        is_over = source[position] == closer
        if not is_over:
            position = _past_space(source, _after(source, position, ","))
    if _past_space(source, position + 1) != len(source):
        raise ValueError("something follows")


def _after(source: str, position: int, expected_text: str) -> int:
    position = _past_space(source, position)
    if source[position] != expected_text:
        raise ValueError(f"{expected_text} is expected")
    return position + 1


def _past_space(source: str, position: int) -> int:
    match = _SPACE.match(source, position)
    return position if match is None else match.end()
