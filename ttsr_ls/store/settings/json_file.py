"""JSON files of other programs, read within limits; anything unexpected is treated as empty."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ttsr_ls.store.files.bounded_file import read_text_if_there


def read_json_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file; empty where there is no file, or something else in it."""
    text = read_text_if_there(path)
    try:
        value = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def object_in(value: dict[str, Any], key: str) -> dict[str, Any]:
    """The object that an object has under a key; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}
