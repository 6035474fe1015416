"""Renders parts of patterns and texts for messages: on one line, short, in backticks."""

from __future__ import annotations

import re

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", "`": "'"}


def code(units: str, max_length: int) -> str:
    """Returns units in backticks, with invisible characters as escapes; a long text is shortened."""
    cut = _PAIR.sub(_character, units if len(units) <= max_length else units[: max_length - 1] + "…")
    return f"`{''.join(_visible(unit) for unit in cut)}`"


def _character(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _visible(unit: str) -> str:
    if unit in _NAMED:
        return _NAMED[unit]
    return unit if unit.isprintable() else f"\\u{ord(unit):04x}"
