"""Tools whose arguments are matched as JSON text (spec M7), and texts in that form."""

from __future__ import annotations

import json
import re

from ttsr_ls.rules.scope import Scope
from ttsr_ls.syntax.scope.tool_names import DECODED_TOOLS

# A JSON object and each of its prefixes: the text that is matched while arguments are streamed. Strings may contain
# the two line ends of Unicode unescaped, but no command does.
_STRING = r'(?:[^"\\\x00-\x1f\u2028\u2029]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*'
_ESCAPE_BEGUN = r"(?:\\(?:u[0-9a-fA-F]{0,3})?)?"
_CONTENT = rf'^\{{(?:"{_STRING}"|[\s\d.,:+\-eE\[\]{{}}truefalsn])*'
JSON = rf'{_CONTENT}(?:"{_STRING}{_ESCAPE_BEGUN})?$'
"""Matches an object and its prefixes. The pattern means the same in ECMAScript and in Python."""
FINISHED_JSON = rf"{_CONTENT}\}}$"
"""Matches only whole objects."""


def is_json_only(scope: Scope) -> bool:
    """Returns whether a scope admits only calls of tools whose arguments are not decoded."""
    names = [tool.tool for tool in scope.tools]
    if not names or scope.text or scope.thinking or scope.any_tool:
        return False
    return all(name is not None and name not in DECODED_TOOLS for name in names)


def json_call(text: str, key: str = "command") -> str:
    """Returns the arguments of a call with one value, as the reference agent writes them. `text` may contain lone
    surrogates.
    """
    return json.dumps({key: text}, separators=(",", ":"), ensure_ascii=False)


def offset_in_json_call(text: str, offset: int) -> int:
    """Returns the offset in `json_call(text)` of `text[offset:]`."""
    return len(json_call(text[:offset])) - 2


def is_json_prefix(text: str) -> bool:
    """Returns whether a text is a prefix of the arguments of a call in JSON. `text` must be short."""
    return re.match(JSON, text) is not None
