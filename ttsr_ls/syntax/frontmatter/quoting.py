"""How a text is written in quotes, and what was meant by quotes that YAML reads otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.syntax.yaml.flow_scalars import ESCAPES, HEX_ESCAPES

_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S]|\Z)")
_LINE_END = re.compile(r"[\r\n]")


class Escape(Struct, frozen=True):
    """An escape of a double-quoted text. `value` is what YAML makes of it, None where YAML does not know it."""

    written: str
    value: str | None


def single_quoted(text: str) -> str | None:
    """The text in single quotes; None where it has line ends, which those cannot hold."""
    if _LINE_END.search(text):
        return None
    return "'" + text.replace("'", "''") + "'"


def escapes(body: str) -> Iterator[Escape]:
    """The escapes of what stands between double quotes, in order."""
    for found in _ESCAPE.finditer(body):
        written = found[0]
        char = written[1:2]
        if char in HEX_ESCAPES:
            digits = written[2:]
            code = int(digits, 16) if digits else 0x110000
            yield Escape(written, chr(code) if code <= 0x10FFFF else None)
        elif char in ("\r", "\n"):
            yield Escape(written, "")
        else:
            yield Escape(written, ESCAPES.get(char))


def meant_pattern(body: str) -> str | None:
    """The regular expression that was meant by a double-quoted text whose backslashes were not written for YAML.

    None where no line of text can say it. `\\\\"` and `\\\\\\\\` are taken as YAML has them, every other escape as the
    regular expression has it.
    """
    if _LINE_END.search(body):
        return None
    return _ESCAPE.sub(_meant, body)


def _meant(escape: re.Match[str]) -> str:
    written = escape[0]
    if written in ('\\"', "\\\\", "\\ "):
        return written[1:]
    if written.startswith("\\U") and len(written) == 10 and int(written[2:], 16) <= 0x10FFFF:
        return chr(int(written[2:], 16))
    return written
