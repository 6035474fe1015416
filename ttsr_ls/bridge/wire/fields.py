"""Reads fields of a provider's events, which are plain values or objects of its SDK.

Each function gives an empty value of the right type where there is none, and notes a value of a wrong type
(`malformed`). Those that begin with `expect` note a missing value, too. Objects are never turned into plain values as a
whole: those of some SDKs carry all that came before.
"""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.wire.malformed import note_missing, note_no_object, note_wrong_type
from ttsr_ls.session.output.partial_json import JsonValue

_NO_OBJECTS = (str, int, float, list)


def get_field(value: object, key: str) -> Any:
    """The value of `key`; None if it is missing."""
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, _NO_OBJECTS):
        note_no_object(key, value)
        return None
    return getattr(value, key, None)


def expect_field(value: object, key: str) -> Any:
    """The value of `key`, without which the event is of no use; None if it is missing."""
    found = get_field(value, key)
    note_missing(key, found)
    return found


def get_text(value: object, key: str) -> str:
    """The string under `key`."""
    found = value.get(key) if isinstance(value, dict) else get_field(value, key)
    if isinstance(found, str):
        return found
    note_wrong_type(key, "a string", found)
    return ""


def expect_text(value: object, key: str) -> str:
    """The string under `key`, without which the event is of no use."""
    found = get_text(value, key)
    if not found and value is not None:
        note_missing(key, get_field(value, key))
    return found


def get_integer(value: object, key: str) -> int:
    """The integer under `key`, or 0."""
    found = value.get(key) if isinstance(value, dict) else get_field(value, key)
    if isinstance(found, int):
        return found
    note_wrong_type(key, "an integer", found)
    return 0


def get_list(value: object, key: str) -> list[Any]:
    """The list under `key`."""
    found = get_field(value, key)
    if isinstance(found, list):
        return found
    note_wrong_type(key, "a list", found)
    return []


def get_object(value: object, key: str) -> dict[str, JsonValue]:
    """The JSON object under `key`."""
    found = _plain(get_field(value, key))
    if isinstance(found, dict):
        return found
    note_wrong_type(key, "an object", found)
    return {}


def parse_json_object(text: str) -> dict[str, JsonValue] | None:
    """The JSON object that a text is; None if it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def json_text(value: object) -> str:
    """A value as JSON text, with only those fields of SDK objects that the provider sent; `null` where it is none."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError, RecursionError):
        return "null"


def _plain(value: object) -> Any:
    """An SDK object as a plain value, and any other as it is not known: None. Plain values stay."""
    if value is None or isinstance(value, (dict, list, str, int, float)):
        return value
    dump = getattr(value, "model_dump", None)
    return dump(mode="json", exclude_unset=True) if callable(dump) else None
