"""Locates the configuration of a project in a TOML document."""

from __future__ import annotations

from collections.abc import Mapping

TABLE = ("tool", "ttsr-ls")
"""The table of the configuration in a file that other tools share, which is pyproject.toml."""


def misplaced_table(document: Mapping[str, object], *, is_shared: bool) -> tuple[tuple[str, ...], str] | None:
    """Returns the path of a table with a wrong name, which would silently be ignored, and a message about it."""
    tools = document.get(TABLE[0])
    if not isinstance(tools, Mapping):
        return None
    if not is_shared and TABLE[1] in tools:
        return TABLE, "the keys stand at the top of this file, without [tool.ttsr-ls]"
    for name in tools:
        if name != TABLE[1] and name.replace("_", "-").lower() in (TABLE[1], "ttsrls"):
            return (TABLE[0], name), f"[tool.{name}] is not read; the name is [tool.ttsr-ls]"
    return None


def table_of(document: Mapping[str, object], path: tuple[str | int, ...]) -> object:
    """Returns the value at a path of a document; None if there is none."""
    found: object = document
    for name in path:
        found = found.get(str(name)) if isinstance(found, Mapping) else None
    return found
