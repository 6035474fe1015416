"""Quotes a text for YAML, and recovers the intended text of quotes that YAML reads differently."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.syntax.yaml.flow_scalars import ESCAPES, HEX_ESCAPES

_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S]|\Z)")
_QUOTES = re.compile("''?")
_LINE_END = re.compile(r"[\r\n]")


class Escape(Struct, frozen=True):
    """An escape of a double-quoted text. `value` is its YAML value, None if YAML does not know it."""

    written: str
    value: str | None


def single_quoted(text: str) -> str | None:
    """Returns the text in single quotes; None if it has line ends, which single quotes cannot express."""
    if _LINE_END.search(text):
        return None
    return "'" + text.replace("'", "''") + "'"


def single_quoted_if_printable(text: str) -> str | None:
    """Returns the text in single quotes; None if it has a line end or another character that is not printable."""
    return single_quoted(text) if text.isprintable() else None


def with_doubled_quotes(source: str) -> str | None:
    """Returns a text in single quotes with each quote inside doubled; None for other texts, or without a change."""
    if len(source) < 3 or not source[0] == source[-1] == "'" or _LINE_END.search(source):
        return None
    doubled = f"'{_QUOTES.sub(chr(39) * 2, source[1:-1])}'"
    return None if doubled == source else doubled


def escapes(body: str) -> Iterator[Escape]:
    """Yields the escapes of the text between double quotes, in order."""
    for match in _ESCAPE.finditer(body):
        source = match[0]
        char = source[1:2]
        if char in HEX_ESCAPES:
            digits = source[2:]
            code = int(digits, 16) if digits else 0x110000
            yield Escape(source, chr(code) if code <= 0x10FFFF else None)
        elif char in ("\r", "\n"):
            yield Escape(source, "")
        else:
            yield Escape(source, ESCAPES.get(char))


def intended_pattern(body: str) -> str | None:
    r"""Returns the regular expression that the author of a double-quoted text intended, whose backslashes were not
    written for YAML.

    None if no text on one line can express it. `\\"` and `\\\\` are read as YAML reads them, every other escape as the
    regular expression reads it.
    """
    if _LINE_END.search(body):
        return None
    return _ESCAPE.sub(_meant, body)


def _meant(escape: re.Match[str]) -> str:
    source = escape[0]
    if source in ('\\"', "\\\\", "\\ "):
        return source[1:]
    if source.startswith("\\U") and len(source) == 10 and int(source[2:], 16) <= 0x10FFFF:
        return chr(int(source[2:], 16))
    return source
