"""Decides whether a tried text can be the arguments of a tool whose arguments are matched as JSON."""

from __future__ import annotations

import json
import re

from ttsr_ls.syntax.scope.tool_names import DECODED_TOOLS

# Only the beginning is checked: the text may be a part of the arguments.
_OBJECT = re.compile(r'\s*\{\s*(?:"|\}|\Z)')
_MAX_EXAMPLE_LENGTH = 80
_COMMAND_TOOL = "bash"


def json_arguments_note(tool: str | None, text: str) -> str | None:
    """A note that `text` is tried as it is, although calls of `tool` are matched as JSON.

    None if these are not matched as JSON, or if `text` looks like an object.
    """
    if tool is None or not text or tool.strip().lower() in DECODED_TOOLS or _OBJECT.match(text):
        return None
    note = f"the text was tried as it is, but an agent streams the arguments of {tool} as a JSON object"
    if tool.strip().lower() != _COMMAND_TOOL:
        return f"{note}: write the whole object, with its quotes and escapes."
    example = json.dumps({"command": text}, ensure_ascii=False, separators=(",", ":"))
    if len(example) > _MAX_EXAMPLE_LENGTH:
        example = '{"command":"…"}'
    return f"{note}: write {example}."
