"""Reads fields of a provider's events, which are plain values or objects of its SDK.

Each function gives an empty value of the right type where there is none: what is missing and what makes no sense are
the same. Objects are never turned into plain values as a whole: those of some SDKs carry all that came before.
"""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.session.output.partial_json import JsonValue


def get_field(value: object, key: str) -> Any:
    """The value of `key`; None if it is missing."""
    return value.get(key) if isinstance(value, dict) else getattr(value, key, None)


def get_text(value: object, key: str) -> str:
    """The string under `key`."""
    found = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
    return found if isinstance(found, str) else ""


def get_integer(value: object, key: str) -> int:
    """The integer under `key`, or 0."""
    found = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
    return found if isinstance(found, int) else 0


def get_list(value: object, key: str) -> list[Any]:
    """The list under `key`."""
    found = get_field(value, key)
    return found if isinstance(found, list) else []


def get_object(value: object, key: str) -> dict[str, JsonValue]:
    """The JSON object under `key`."""
    found = _plain(get_field(value, key))
    return found if isinstance(found, dict) else {}


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
