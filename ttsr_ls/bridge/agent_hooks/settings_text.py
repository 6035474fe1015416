"""Reads and writes the JSON text of an agent's settings without losing any of the user's content. Pure."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from enum import Enum
from functools import lru_cache
from typing import Any

from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.errors import UsageError

_MARK = "\ufeff"
_INDENT = re.compile(r'^([ \t]+)"', re.MULTILINE)
"""Finds the indentation of the members of the outermost object."""
# An unclosed string or comment matches up to the end of the text: a failing match would be retried at each quote.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*+"?|//[^\n]*+|/\*.*?(?:\*/|\Z)', re.DOTALL)
_STRING_OR_LAST_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"?|,(?=\s*[}\]])', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


class AcceptedJson(Enum):
    """The extensions of JSON that an agent accepts in its settings, as tried or read in its program."""

    STRICT = "strict"
    WITH_MARK = "a byte order mark"
    WITH_COMMENTS = "comments"
    WITH_COMMENTS_AND_COMMAS = "comments and trailing commas"

    def reads(self, text: str) -> bool:
        """Returns whether an agent that accepts this JSON reads the text."""
        match self:
            case AcceptedJson.STRICT:
                plain_text = text
            case AcceptedJson.WITH_MARK:
                plain_text = text.removeprefix(_MARK)
            case AcceptedJson.WITH_COMMENTS:
                # Standard JSON has no comments. Searching for them takes far longer than decoding.
                plain_text = text if _is_json(text) else _without_comments(text)
            case AcceptedJson.WITH_COMMENTS_AND_COMMAS:
                return not isinstance(_decoded_leniently(text), str)
        return _is_json(plain_text)


def read_settings(text: str | None) -> JsonObject:
    """Returns the settings in a text (None: there is no file), which may have comments and trailing commas.

    They are cached by text, so the caller must not change them. Raises UsageError for a text that is not a JSON object.
    """
    if text is None or _is_blank(text):
        return {}
    value = _decoded_leniently(text)
    if isinstance(value, str):
        raise UsageError(f"these settings are not JSON ({value}); correct them first")
    (settings,) = value
    if not isinstance(settings, dict) or not isinstance(settings.get("hooks", {}), dict):
        raise UsageError("these settings, or their `hooks`, are not a JSON object; correct them first")
    invalid = [event for event, entries in settings.get("hooks", {}).items() if not isinstance(entries, list)]
    if invalid:
        raise UsageError(f"`hooks.{invalid[0]}` of these settings is not a list; correct it first")
    return settings


def rewritable_settings(text: str | None, accepted_json: AcceptedJson, title: str) -> JsonObject:
    """Returns the settings in a text that can be rewritten without loss, and that the agent `title` reads.

    Raises UsageError for any other text.
    """
    settings = read_settings(text)
    if text is None or _is_blank(text):
        return settings
    if not accepted_json.reads(text):
        raise UsageError(f"{title} does not read these settings: {unread_reason(text)}; correct them first")
    if isinstance(_decoded(text.removeprefix(_MARK)), str):
        raise UsageError("these settings have comments, which would be lost; take them out first")
    repeated = _repeated_key(text.removeprefix(_MARK))
    if repeated is not None:
        raise UsageError(f"these settings have the key `{repeated}` twice in one object; remove one of them first")
    return settings


def has_same_json(first: str, other: str) -> bool:
    """Returns whether two texts of settings have the same values, in any order of keys. False if one is not JSON."""
    return _canonical(first) == _canonical(other) != ""


def _canonical(text: str) -> str:
    """Returns the values in a text as JSON with sorted keys; blank if it is not JSON, or nested too deeply."""
    value = ({},) if _is_blank(text) else _decoded(text.removeprefix(_MARK))
    if isinstance(value, str):
        return ""
    try:
        return json.dumps(value[0], sort_keys=True)
    except RecursionError:
        return ""


def unread_reason(text: str) -> str:
    """Returns why a strict JSON reader rejects a text; blank if it accepts it."""
    if text.startswith(_MARK):
        return "they begin with a byte order mark"
    found = _decoded(text)
    if not isinstance(found, str):
        return ""
    if not isinstance(_decoded(_without_comments(text)), str):
        return "they have comments"
    is_comma = not isinstance(_decoded(_without_commas(_without_comments(text))), str)
    return "they have a comma before a closing bracket" if is_comma else f"they are not JSON ({found})"


def written_settings(settings: JsonObject, before: str | None) -> str:
    """Returns the text of settings, with the indentation, line ends, and byte order mark of the text `before`."""
    match = _INDENT.search(before or "")
    text = json.dumps(settings, indent=match[1] if match else "  ", ensure_ascii=False) + "\n"
    text = _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    if before is None or _is_blank(before):
        return text
    return (_MARK if before.startswith(_MARK) else "") + (text.replace("\n", "\r\n") if "\r\n" in before else text)


def _is_blank(text: str) -> bool:
    return not text.removeprefix(_MARK).strip()


def _decoded(text: str) -> tuple[Any] | str:
    """Returns the value in a text of standard JSON, or the error in the text."""
    try:
        value = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        return str(error)
    return (value,)


def _is_json(text: str) -> bool:
    return not isinstance(_decoded(text), str)


@lru_cache(maxsize=16)
def _decoded_leniently(text: str) -> tuple[Any] | str:
    """As `_decoded`, for a text that may have a byte order mark, comments, and trailing commas.

    Cached: a command reads the same few files dozens of times, and some have megabytes.
    """
    text = text.removeprefix(_MARK)
    value = _decoded(text)
    return value if not isinstance(value, str) else _decoded(_without_commas(_without_comments(text)))


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits[:20]} is too large a number")
    return value


def _without_comments(text: str) -> str:
    return _STRING_OR_COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)


def _without_commas(text: str) -> str:
    return _STRING_OR_LAST_COMMA.sub(lambda match: match[0] if match[0].startswith('"') else "", text)


class _RepeatedKeyError(Exception):
    pass


def _repeated_key(text: str) -> str | None:
    def unique(pairs: list[tuple[str, Any]]) -> None:
        for name, count in Counter(name for name, _ in pairs).items():
            if count > 1:
                raise _RepeatedKeyError(name)

    try:
        json.loads(text, object_pairs_hook=unique)
    except _RepeatedKeyError as error:
        return str(error)
    return None
