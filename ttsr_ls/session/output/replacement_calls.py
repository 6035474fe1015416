"""The calls of VS Code's tool that replaces texts in several files at once, as one call for each file."""

from __future__ import annotations

from collections.abc import Mapping

from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.session.output.patch_calls import WriteCall

REPLACEMENT_TOOL = "multi_replace_string_in_file"


def calls_of_replacements(arguments: Mapping[str, JsonValue]) -> list[WriteCall]:
    """Returns a call for each file in which `arguments` replace texts, in the order of the files' first replacements.

    Empty if a replacement names no file, because it could then not be matched.
    """
    replacements = arguments.get("replacements")
    edits: dict[str, list[JsonValue]] = {}
    for replacement in replacements if isinstance(replacements, list) else ():
        path = replacement.get("filePath") if isinstance(replacement, dict) else None
        if not isinstance(path, str):
            return []
        edits.setdefault(path, []).append(replacement)
    return [("edit", {"path": path, "edits": of_file}) for path, of_file in edits.items()]
