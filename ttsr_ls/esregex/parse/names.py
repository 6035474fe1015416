"""Names of groups: their grammar (ECMA-262, RegExpIdentifierName)."""

from __future__ import annotations

import re
import unicodedata

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.text import Span

_PLAIN = re.compile(r"([A-Za-z_$][\w$]*+)>", re.ASCII)
_ESCAPE = re.compile(
    r"\\u(?:\{([0-9A-Fa-f]++)\}|([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})|([0-9A-Fa-f]{4}))"
)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LAST_CODE_POINT = 0x10FFFF
_MAX_SHOWN_LENGTH = 48

_START_CATEGORIES = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl"))
_PART_CATEGORIES = _START_CATEGORIES | {"Mn", "Mc", "Nd", "Pc"}
# Unicode's Other_ID_Start and Other_ID_Continue, and ZWNJ and ZWJ, which ECMAScript adds to the latter.
_START_EXTRAS = frozenset("$_\u1885\u1886\u2118\u212e\u309b\u309c")
_PART_EXTRAS = (
    _START_EXTRAS
    | frozenset("\u00b7\u0387\u19da\u200c\u200d\u30fb\uff65")
    | {chr(code) for code in range(0x1369, 0x1372)}
)
# A letter by category, which Unicode excludes from identifiers because it is reserved as syntax (Pattern_Syntax).
_NO_START = frozenset("\u2e2f")


def read_group_name(source: str, offset: int) -> tuple[str, int]:
    """Returns the name that starts at `offset`, directly after `<`, in code points, and the offset after its `>`.
    Raises `RegexSyntaxError`.
    """
    if match := _PLAIN.match(source, offset):
        return match[1], match.end()
    chars: list[str] = []
    position = offset
    while position < len(source):
        if source[position] == ">":
            if not chars:
                raise RegexSyntaxError("A group's name must not be empty.", Span(offset - 1, offset + 1))
            return "".join(chars), position + 1
        char, after = _read_char(source, position)
        if not (_is_part(char) if chars else _is_start(char)):
            raise RegexSyntaxError(_name_error(source, offset, position, char), Span(position, after))
        chars.append(char)
        position = after
    raise RegexSyntaxError("This group's name has no end; close it with >.", Span(offset - 1, len(source)))


def shortened_name(name: str) -> str:
    """Returns a name for messages, shortened if it is long."""
    return name if len(name) <= _MAX_SHOWN_LENGTH else f"{name[:_MAX_SHOWN_LENGTH]}…"


def _read_char(source: str, position: int) -> tuple[str, int]:
    if pair := _PAIR.match(source, position):
        return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), pair.end()
    if source[position] != "\\":
        return source[position], position + 1
    escape = _ESCAPE.match(source, position)
    if escape is None:
        raise RegexSyntaxError(
            "In a group's name only \\uXXXX and \\u{X…} are escapes.", Span(position, min(position + 2, len(source)))
        )
    in_braces, high, low, four = escape.groups()
    if in_braces is not None:
        digits = in_braces.lstrip("0")
        if len(digits) > 6 or int(digits or "0", 16) > _LAST_CODE_POINT:
            raise RegexSyntaxError("There is no character with this number.", Span(position, escape.end()))
        return chr(int(digits or "0", 16)), escape.end()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)), escape.end()
    return chr(int(four, 16)), escape.end()


def _is_start(char: str) -> bool:
    if char in _START_EXTRAS:
        return True
    return unicodedata.category(char) in _START_CATEGORIES and char not in _NO_START


def _is_part(char: str) -> bool:
    if char in _PART_EXTRAS:
        return True
    return unicodedata.category(char) in _PART_CATEGORIES and char not in _NO_START


def _name_error(source: str, start: int, position: int, char: str) -> str:
    if position == start and char.isdecimal():
        return "A group's name must not start with a digit."
    if source.find(">", position) < 0:
        return "This group's name has no end; close it with >."
    return "A group's name may hold only letters, digits, _ and $."
