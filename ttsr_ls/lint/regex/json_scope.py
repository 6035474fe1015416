"""Tools whose arguments a condition is tested on as JSON text (spec M7), and texts in that form."""

from __future__ import annotations

import json
import re

from ttsr_ls.rules.scope import Scope
from ttsr_ls.syntax.scope.tool_names import DECODED_TOOLS

# A JSON object and each of its beginnings: what is matched while the arguments come, and when they have come. Strings
# may hold the two line ends of Unicode as they are, but no command does.
_STRING = r'(?:[^"\\\x00-\x1f\u2028\u2029]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*'
_ESCAPE_BEGUN = r"(?:\\(?:u[0-9a-fA-F]{0,3})?)?"
_CONTENT = rf'^\{{(?:"{_STRING}"|[\s\d.,:+\-eE\[\]{{}}truefalsn])*'
JSON = rf'{_CONTENT}(?:"{_STRING}{_ESCAPE_BEGUN})?$'
"""What such a text matches, as a regular expression of ECMAScript and of Python alike."""
FINISHED_JSON = rf"{_CONTENT}\}}$"
"""What only the whole object matches."""


def is_json_only(scope: Scope) -> bool:
    """Whether a scope holds only calls of tools whose arguments are not decoded."""
    names = [tool.tool for tool in scope.tools]
    if not names or scope.text or scope.thinking or scope.any_tool:
        return False
    return all(name is not None and name not in DECODED_TOOLS for name in names)


def json_call(text: str, key: str = "command") -> str:
    """The arguments of a call with one value, as the reference agent writes them; `text` may hold lone surrogates."""
    return json.dumps({key: text}, separators=(",", ":"), ensure_ascii=False)


def place_in_json_call(text: str, place: int) -> int:
    """Where `text[place:]` begins in `json_call(text)`."""
    return len(json_call(text[:place])) - 2


def is_begun_json(text: str) -> bool:
    """Whether a text is the arguments of a call in JSON, or a beginning of them. `text` must be short."""
    return re.match(JSON, text) is not None
