"""JSON files of other programs, read within limits; anything unexpected is treated as empty."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ttsr_ls.store.files.bounded_file import read_optional_text


def read_json_object(path: Path) -> dict[str, Any]:
    """Returns the object in a JSON file; empty without a file, or for another value."""
    text = read_optional_text(path)
    try:
        value = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def object_in(value: dict[str, Any], key: str) -> dict[str, Any]:
    """Returns the object under a key of an object; empty without one."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}
