"""Converts values to a form that providers accept: text without lone surrogates, arguments that are JSON objects, names
and ids.

The output of models and tools is arbitrary, and a provider refuses a whole request because of one invalid value.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container
from typing import Any

from ttsr_ls.escaping import well_formed

MAX_NAME_LENGTH = 64
"""The shortest of the limits of the providers, of names of tools and of ids of calls alike."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NOT_IN_NAME = re.compile(r"[^A-Za-z0-9_-]")


_WHITESPACE = " \t\n\r"
"""The white space of JSON."""


def is_blank(text: str) -> bool:
    """Returns whether a text is only whitespace, which Anthropic refuses as a block."""
    return not text.strip()


def json_value(text: str) -> Any:
    """Returns the JSON value of a text. Raises ValueError if it is invalid, or if providers do not accept it: NaN,
    1e999, depth.
    """
    try:
        stripped = text.strip(_WHITESPACE)
        value, end = _DECODER.raw_decode(stripped)
        if end != len(stripped):
            raise ValueError("has more after its end")
        if text.isascii() and "\\u" not in text:
            return value  # It contains no surrogates.
        plain_text = json.dumps(value, ensure_ascii=False)
        fixed_text = well_formed(plain_text)
        return value if fixed_text is plain_text or fixed_text == plain_text else json.loads(fixed_text)
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def json_object(text: str) -> dict[str, Any]:
    """Returns the JSON object of a text; a blank one is empty, because calls without arguments stream nothing. Raises
    ValueError.
    """
    if is_blank(text):
        return {}
    value = json_value(text)
    if not isinstance(value, dict):
        raise ValueError("is not an object")
    return value


def tool_name(name: str) -> str:
    """Returns `name` as a valid tool name."""
    return _NOT_IN_NAME.sub("_", name)[:MAX_NAME_LENGTH] or "tool"


class CallIds:
    """Assigns each call of a conversation a unique id: its own if possible, else a generated one.

    The id depends only on the calls before it, so that a longer conversation begins with the same bytes.
    """

    __slots__ = ("_made", "_used", "_used_before")

    def __init__(self, before: CallIds | None = None) -> None:
        self._used_before: Container[str] = () if before is None else before._used
        self._used: set[str] = set()
        self._made: int = 0 if before is None else before._made

    def branch(self) -> CallIds:
        """Returns an object that continues this one without changing it; this one must not change meanwhile."""
        assert not self._used_before, "a branch cannot be branched: it would lose the ids from before it"
        return CallIds(self)

    def unique(self, wanted_id: str, prefix: str) -> str:
        """Returns `wanted_id`, or `prefix` with a number if `wanted_id` is no valid id, or another call's."""
        call_id = wanted_id if _ID.fullmatch(wanted_id) else ""
        while not call_id or call_id in self._used or call_id in self._used_before:
            self._made += 1
            call_id = f"{prefix}{self._made}"
        self._used.add(call_id)
        return call_id


def _reject_constant(constant: str) -> Any:
    raise ValueError(f"has {constant}")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"has {text[:40]}")
    return value


_DECODER = json.JSONDecoder(parse_constant=_reject_constant, parse_float=_finite)
