"""Edits of JSON that leave every byte alone that they do not mean to change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw

from ttsr_ls.errors import TtsrError


class RequestUnreadable(TtsrError):
    """The body of a request is not what its wire has there; the text says why."""


_OBJECT = msgspec.json.Decoder(dict[str, Raw])
_LIST = msgspec.json.Decoder(list[Raw])
_ENCODER = msgspec.json.Encoder()
_SCANNER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


def object_parts(raw: bytes | Raw) -> dict[str, Raw]:
    """The values of an object, each with its bytes. Raises RequestUnreadable."""
    try:
        return _OBJECT.decode(bytes(raw))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        if (found := _scanned(bytes(raw), "{")) is None:
            raise RequestUnreadable(f"it is no JSON object: {error}") from error
        return dict(found)


def list_parts(raw: bytes | Raw) -> list[Raw]:
    """The values of a list, each with its bytes. Raises RequestUnreadable."""
    try:
        return _LIST.decode(bytes(raw))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        if (found := _scanned(bytes(raw), "[")) is None:
            raise RequestUnreadable(f"it is no JSON list: {error}") from error
        return [value for _, value in found]


def joined(parts: dict[str, Raw] | list[Raw]) -> Raw:
    """Values together again, each with its own bytes."""
    try:
        return Raw(_ENCODER.encode(parts))
    except UnicodeEncodeError:  # Half a character in a key.
        assert isinstance(parts, dict), "a list has no keys"
        return Raw(b"{" + b",".join(json.dumps(key).encode() + b":" + bytes(parts[key]) for key in parts) + b"}")


def fragment(value: Any) -> Raw:
    """A new value. Characters beyond ASCII are escapes, so that half a character is one too."""
    return Raw(json.dumps(value, separators=(",", ":")).encode())


def read_object(body: bytes) -> dict[str, Any]:
    """The object of a body. Raises RequestUnreadable."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestUnreadable(f"it is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise RequestUnreadable("it is no JSON object")
    return value


def _scanned(raw: bytes, opening: str) -> list[tuple[str, Raw]] | None:
    """The keys, blank in a list, and values of what msgspec refuses: JSON of JavaScript may have half a character.

    None for what is no object, or no list.
    """
    try:
        said = raw.decode()
        at = _past_space(said, 0)
        if said[at] != opening:
            return None
        return list(_scan(said, at + 1, "}" if opening == "{" else "]"))
    except (ValueError, IndexError, StopIteration, RecursionError):
        return None


def _scan(said: str, at: int, closing: str) -> Iterator[tuple[str, Raw]]:
    at = _past_space(said, at)
    is_over = said[at] == closing
    while not is_over:
        key = ""
        if closing == "}":
            key, at = _SCANNER.raw_decode(said, _after(said, at, '"') - 1)
            at = _past_space(said, _after(said, at, ":"))
        _, end = _SCANNER.raw_decode(said, at)
        yield key, Raw(said[at:end].encode())
        at = _past_space(said, end)
        is_over = said[at] == closing
        if not is_over:
            at = _past_space(said, _after(said, at, ","))
    if _past_space(said, at + 1) != len(said):
        raise ValueError("something follows")


def _after(said: str, at: int, expected: str) -> int:
    at = _past_space(said, at)
    if said[at] != expected:
        raise ValueError(f"{expected} is expected")
    return at + 1


def _past_space(said: str, at: int) -> int:
    found = _SPACE.match(said, at)
    return at if found is None else found.end()
