"""Translates character classes that are written in code points, such as emoji classes, to code units.

Reads the source of a class: a class with a range of emoji has no tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.text import Span

_CLASS = re.compile(r"\\[\s\S]|(?P<class>\[(?:[^\]\\]|\\[\s\S])*+\])|\[[\s\S]*+")
"""Finds the classes of a pattern. A match without the group is an escape outside of classes, or an unclosed bracket
with the rest of the pattern: no later bracket is closed either, and reading to the end from each would be quadratic."""

_ATOM = re.compile(
    r"\\[ux]\{(?P<braced>[0-9A-Fa-f]{1,6})\}|\\U(?P<python>[0-9A-Fa-f]{8})|(?P<pair>[\ud800-\udbff][\udc00-\udfff])"
    r"|\\u(?P<high>[dD][89abAB][0-9A-Fa-f]{2})\\u(?P<low>[dD][c-fC-F][0-9A-Fa-f]{2})|\\u(?P<four>[0-9A-Fa-f]{4})"
    r"|\\x(?P<two>[0-9A-Fa-f]{2})|\\(?P<set>[dDwWsS])|\\(?P<property>[pPc])|\\(?P<escaped>[\s\S])|(?P<plain>[\s\S])"
)
_ESCAPED = {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "b": 8, "0": 0}
_LAST_UNIT = 0xFFFF
_LAST_CHARACTER = 0x10FFFF


class _Member(Struct, frozen=True):
    """A member of a class as it is written; `character` is None for a set such as `\\s`."""

    written: str
    character: int | None
    is_foreign: bool

    def in_units(self) -> str:
        if self.is_foreign and self.character is not None:
            return f"\\u{self.character:04x}"
        # Between other members, these characters could get a special meaning.
        return f"\\{self.written}" if self.written in ("^", "-") else self.written


def has_code_point_escape(source: str) -> bool:
    r"""Returns whether a class has a code-point escape that is not ECMAScript's without `u`, such as `\u{1F600}`."""
    return any(atom.lastgroup in ("braced", "python") for atom in _ATOM.finditer(source, 1))


def class_containing(source: str, position: int) -> Span | None:
    """Returns the class of a pattern that contains the offset `position`; None if there is none."""
    for token in _CLASS.finditer(source):
        if token.start() < position < token.end():
            return Span(*token.span()) if token["class"] else None
    return None


def in_units(source: str) -> str | None:
    """Returns a class for code points as an equivalent pattern for units, with characters beyond U+FFFF as
    alternatives; None if there is no equivalent.
    """
    is_negated = source.startswith("[^")
    members = _members(source[2 if is_negated else 1 : -1])
    if members is None:
        return None
    narrow: list[str] = []
    wide: list[str] = []
    position = 0
    while position < len(members):
        first = members[position]
        is_range = position + 2 < len(members) and members[position + 1].written == "-"
        last = members[position + 2] if is_range else first
        position += 3 if is_range else 1
        if first.character is None or last.character is None:
            if is_range:
                return None
            narrow.append(first.written)
        elif not first.character <= last.character <= _LAST_CHARACTER:
            return None
        else:
            if first.character <= _LAST_UNIT:
                end = last if last.character <= _LAST_UNIT else _Member("", _LAST_UNIT, is_foreign=True)
                narrow.append(f"{first.in_units()}-{end.in_units()}" if is_range else first.in_units())
            wide += _pairs(max(first.character, _LAST_UNIT + 1), last.character)
    if not wide:
        return f"[{'^' if is_negated else ''}{''.join(narrow)}]"
    if is_negated:
        return None
    return f"(?:{'|'.join([f'[{inner}]' for inner in (''.join(narrow),) if inner] + wide)})"


def _members(inner: str) -> list[_Member] | None:
    members = []
    for atom in _ATOM.finditer(inner):
        kind, source = atom.lastgroup, atom[0]
        match kind:
            case "braced" | "python":
                members.append(_Member(source, int(atom[kind], 16), is_foreign=True))
            case "four" | "two":
                members.append(_Member(source, int(atom[kind], 16), is_foreign=False))
            case "low":
                members.append(_Member(source, _joined(int(atom["high"], 16), int(atom["low"], 16)), is_foreign=False))
            case "pair":
                members.append(_Member(source, _joined(ord(source[0]), ord(source[1])), is_foreign=False))
            case "set":
                members.append(_Member(source, None, is_foreign=False))
            case "property":
                return None
            case "escaped":
                letter = atom["escaped"]
                members.append(_Member(source, _ESCAPED.get(letter, ord(letter)), is_foreign=False))
            case _:
                members.append(_Member(source, ord(source), is_foreign=False))
    return members


def _joined(high: int, low: int) -> int:
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)


def _pairs(first: int, last: int) -> Iterator[str]:
    """Patterns that match the characters beyond U+FFFF from `first` to `last`, if there are any."""
    while first <= last:
        # 1024 consecutive characters share a first unit.
        end = min(last, first | 0x3FF)
        whole_blocks = (last + 1) & ~0x3FF
        if first & 0x3FF == 0 and whole_blocks > first:
            end = whole_blocks - 1
        (high, low), (highest, lowest) = _escaped_units(first), _escaped_units(end)
        if high != highest:
            yield f"[{high}-{highest}][{low}-{lowest}]"
        else:
            yield high + low if first == end else f"{high}[{low}-{lowest}]"
        first = end + 1


def _escaped_units(character: int) -> tuple[str, str]:
    units = to_units(chr(character))
    return f"\\u{ord(units[0]):04x}", f"\\u{ord(units[1]):04x}"
