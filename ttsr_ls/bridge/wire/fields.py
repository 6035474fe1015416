"""Reads fields of events: plain JSON values of any type, or objects of a provider's SDK.

Each function returns an empty value of its type for a missing or wrong value, and notes a value of a wrong type
(`malformed`). Functions named `expect_…` also note a missing value. Objects of SDKs are never converted as a whole,
because objects of some SDKs contain all earlier output.
"""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.bridge.wire.malformed import note_item_no_object, note_missing, note_no_object, note_wrong_type

_NO_OBJECTS = (str, int, float, list)
_ABSENT: JsonObject = {}
"""Stands for an expected object that is missing, which was noted: its fields are not noted as missing, too."""


def get_field(value: object, key: str) -> Any:
    """The value of `key`; None if it is missing."""
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, _NO_OBJECTS):
        note_no_object(key, value)
        return None
    return getattr(value, key, None)


def expect_field(value: object, key: str) -> Any:
    """The value of `key`, which the event needs; None if it is missing."""
    found = get_field(value, key)
    if found is None and value is not None and value is not _ABSENT:
        note_missing(key)
    return found


def get_text(value: object, key: str) -> str:
    """The string under `key`."""
    found = value.get(key) if isinstance(value, dict) else get_field(value, key)
    if isinstance(found, str):
        return found
    if found is not None:
        note_wrong_type(key, "a string", found)
    return ""


def expect_text(value: object, key: str) -> str:
    """The string under `key`, which the event needs."""
    found = get_text(value, key)
    if not found:
        expect_field(value, key)
    return found


def get_kind(value: object, key: str = "type") -> str:
    """The string under `key`, blank for any other value. For kinds: callers report unknown ones."""
    found = value.get(key) if isinstance(value, dict) else get_field(value, key)
    return found if isinstance(found, str) else ""


def get_integer(value: object, key: str) -> int:
    """The integer under `key`, or 0."""
    found = value.get(key) if isinstance(value, dict) else get_field(value, key)
    if isinstance(found, int):
        return found
    note_wrong_type(key, "an integer", found)
    return 0


def expect_integer(value: object, key: str) -> int:
    """The integer under `key`, which the event needs; 0 if it is missing."""
    expect_field(value, key)
    return get_integer(value, key)


def get_list(value: object, key: str) -> list[Any]:
    """The list under `key`."""
    found = value.get(key) if isinstance(value, dict) else get_field(value, key)
    if isinstance(found, list):
        return found
    note_wrong_type(key, "a list", found)
    return []


def get_objects(value: object, key: str) -> list[JsonObject]:
    """The JSON objects in the list under `key`."""
    found = get_list(value, key)
    objects = [item for item in found if isinstance(item, dict)]
    if len(objects) < len(found):
        note_item_no_object(key, next(item for item in found if not isinstance(item, dict)))
    return objects


def expect_objects(value: object, key: str) -> list[JsonObject]:
    """The JSON objects in the list under `key`, which the event needs."""
    found = get_objects(value, key)
    if not found:
        expect_field(value, key)
    return found


def get_object(value: object, key: str) -> JsonObject:
    """The JSON object under `key`."""
    found = value.get(key) if isinstance(value, dict) else get_field(value, key)
    if isinstance(found, dict):
        return found
    found = _plain(found)
    if isinstance(found, dict):
        return found
    note_wrong_type(key, "an object", found)
    return {}


def expect_object(value: object, key: str) -> JsonObject:
    """The JSON object under `key`, which the event needs."""
    if isinstance(value, dict) and isinstance(found := value.get(key), dict):
        return found
    found = expect_field(value, key)
    return found if isinstance(found, dict) else get_object(value, key) or _ABSENT


def get_content_text(value: object, key: str) -> str:
    """The text under `key`, which may be a string or a list of content blocks; other blocks than text are ignored."""
    found = get_field(value, key)
    if isinstance(found, str):
        return found
    return "\n".join(get_text(block, "text") for block in get_objects(value, key) if block.get("type") == "text")


def json_text(value: object) -> str:
    """Returns a value as JSON text, with only the fields of SDK objects that were sent; `null` if it is no JSON."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError, RecursionError):
        return "null"


def _plain(value: object) -> Any:
    """Returns a plain value itself, an SDK object as a plain value, and None for any other object."""
    if value is None or isinstance(value, (dict, list, str, int, float)):
        return value
    dump = getattr(value, "model_dump", None)
    return dump(mode="json", exclude_unset=True) if callable(dump) else None
