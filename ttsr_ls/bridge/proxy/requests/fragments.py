"""Edits of JSON that leave every byte alone that they do not mean to change."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Raw

from ttsr_ls.errors import TtsrError


class RequestUnreadable(TtsrError):
    """The body of a request is not what its wire has there; the text says why."""


_OBJECT = msgspec.json.Decoder(dict[str, Raw])
_LIST = msgspec.json.Decoder(list[Raw])
_ENCODER = msgspec.json.Encoder()


def object_parts(raw: bytes | Raw) -> dict[str, Raw]:
    """The values of an object, each with its bytes. Raises RequestUnreadable."""
    try:
        return _OBJECT.decode(bytes(raw))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise RequestUnreadable(f"it is no JSON object: {error}") from error


def list_parts(raw: bytes | Raw) -> list[Raw]:
    """The values of a list, each with its bytes. Raises RequestUnreadable."""
    try:
        return _LIST.decode(bytes(raw))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise RequestUnreadable(f"it is no JSON list: {error}") from error


def joined(parts: dict[str, Raw] | list[Raw]) -> Raw:
    """Values together again, each with its own bytes."""
    return Raw(_ENCODER.encode(parts))


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
