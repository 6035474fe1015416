"""Reads agents' own configuration, for the addresses of their models. Unreadable files count as empty."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ttsr_ls.bridge.wire.json_lines import parse_text
from ttsr_ls.store.files.bounded_file import read_optional_text


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file of JSON, which may have comments of whole lines; an empty one where there is none."""
    text = read_optional_text(path)
    if text is None:
        return {}
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("//"))
    return parse_text("\n".join(lines)) or {}


def read_toml(path: Path) -> dict[str, Any]:
    """The table in a file of TOML; an empty one where there is none."""
    text = read_optional_text(path)
    if text is None:
        return {}
    try:
        return tomllib.loads(text)
    except (RecursionError, ValueError):
        return {}
