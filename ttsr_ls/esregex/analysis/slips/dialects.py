"""Finds syntax of other dialects that compiles in ECMAScript with another meaning, with the ECMAScript equivalent.

Reads the source of a pattern, because the intended meaning is not part of its tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.analysis.slips.copied_code import copied_code
from ttsr_ls.esregex.analysis.slips.wide_classes import has_code_point_escape, in_units
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.text import Span

_POSIX = {
    "alpha": "A-Za-z", "digit": "0-9", "alnum": "A-Za-z0-9", "upper": "A-Z", "lower": "a-z", "space": "\\s",
    "blank": " \\t", "punct": "!-\\/:-@\\[-`{-~", "xdigit": "0-9A-Fa-f", "word": "\\w", "cntrl": "\\x00-\\x1f\\x7f",
    "print": "\\x20-\\x7e", "graph": "\\x21-\\x7e",
}  # fmt: skip
_POSIX_NAME = "|".join(_POSIX)
_POSIX_MEMBER = re.compile(rf"\[:({_POSIX_NAME}):\]")

START, END = "(?<![\\s\\S])", "(?![\\s\\S])"
"""The start and the end of the text under any flags. Without `m`, they mean the same as `^` and `$`."""

# The meaning of an escape in its dialect, and its equivalent in ECMAScript; None if there is none.
_ESCAPES: dict[str, tuple[str, str | None]] = {
    "A": ("the start of the text", START),
    "Z": ("the end of the text", END),
    "z": ("the end of the text", END),
    "h": ("a blank or tab", "[ \\t]"),
    "H": ("anything but a blank or tab", "[^ \\t]"),
    "R": ("a line end", "(?:\\r\\n|\\n|\\r)"),
    "e": ("the escape character", "\\x1b"),
    "a": ("the bell character", "\\x07"),
    "N": ("anything but a line end", "."),
    "K": ("the start of the reported match", None),
    "X": ("a character with its marks", None),
    "G": ("the end of the last match", None),
    "Q": ("the start of literal text", None),
    "E": ("the end of literal text", None),
}
_MEMBERS: dict[str, tuple[str, str | None]] = {
    "h": ("a blank or tab", " \\t"),
    "e": ("the escape character", "\\x1b"),
    "a": ("the bell character", "\\x07"),
}
_PLAIN_LETTERS = frozenset("gijlmoqyCFIJLMOTUVY")

# In this order: longer constructs that begin with a backslash, other escapes, classes, and counts.
_TOKEN = re.compile(
    rf"(?P<property>\\[pP]\{{\^?[\w=]+\}})"
    r"|(?P<hex>\\(?:x|u)\{(?P<digits>[0-9A-Fa-f]{1,6})\})"
    r"|(?P<python>\\U(?P<eight>[0-9A-Fa-f]{8}))"
    r"|(?P<quote>\\Q(?P<quoted>.*?)(?:\\E|$))"
    r"|(?P<escape>\\[\s\S])"
    rf"|(?P<posix>\[(?P<not>\^?)(?P<members>(?:[^\]\\\[]|\\.)*\[:(?:{_POSIX_NAME}):\]"
    rf"(?:\[:(?:{_POSIX_NAME}):\]|[^\]\\\[]|\\.)*)\])"
    rf"|(?P<bare>\[:(?P<name>{_POSIX_NAME}):\])"
    r"|(?P<class>\[(?:[^\]\\]|\\[\s\S])*\])"
    r"|(?<=[^(|])(?P<counts>\{,(?P<most>\d{1,9})\})",
    re.DOTALL,
)
_QUANTIFIERS = frozenset("*+?{")
_CLASS_PROPERTY = re.compile(r"(?<!\\)(?:\\\\)*(\\[pP]\{\^?[\w=]+\})")
_CLASS_ESCAPE = re.compile(r"\\([\s\S])")


class ForeignConstruct(Struct, frozen=True):
    """A construct of another dialect: the intended meaning, the actual meaning, and a `replacement` with the intended
    meaning, None if there is none.

    Its span is in units of the pattern. `is_guess` is true if the author may have intended the actual meaning.
    """

    span: Span
    meant: str
    means: str
    replacement: str | None
    is_guess: bool = False


class UselessEscape(Struct, frozen=True):
    """A backslash before a letter that has no meaning in any common dialect."""

    span: Span
    letter: str


def foreign_syntax(source: str) -> Iterator[ForeignConstruct | UselessEscape]:
    """The constructs of other regular-expression dialects in a pattern, in order."""
    pasted_code = copied_code(source)
    if pasted_code is not None:
        yield ForeignConstruct(
            Span(0, len(source)), pasted_code.meant, pasted_code.means, pasted_code.pattern, is_guess=True
        )
        return
    for token in _TOKEN.finditer(source):
        span = Span(*token.span())
        match token.lastgroup:
            case "property":
                meant = "a class of Unicode characters"
                yield ForeignConstruct(span, meant, f"the letter {token[0][1]} and the text in braces", None)
            case "hex":
                yield _code_point(span, token[0][1], token["digits"], source[span.end : span.end + 1] in _QUANTIFIERS)
            case "python":
                yield _code_point(span, "U", token["eight"], source[span.end : span.end + 1] in _QUANTIFIERS)
            case "quote":
                literal = "".join("\\" + unit if unit in "\\^$.*+?()[]{}|/" else unit for unit in token["quoted"])
                yield ForeignConstruct(
                    span, "literal text", "the letters Q and E, and an expression between them", literal
                )
            case "escape":
                yield from _escape(span, token[0][1], _ESCAPES)
            case "posix":
                yield _posix(span, token["not"], token["members"])
            case "bare":
                members = _POSIX[token["name"]]
                replacement = members if members in ("\\s", "\\w") else f"[{members}]"
                means = "one of the characters in the brackets"
                yield ForeignConstruct(span, "a class of characters", means, replacement, is_guess=True)
            case "class" if has_code_point_escape(token[0]):
                meant = "a class of characters by their numbers"
                yield ForeignConstruct(span, meant, "one of the letters and digits in the brackets", in_units(token[0]))
            case "class":
                for inner in _CLASS_PROPERTY.finditer(token[0]):
                    position = Span(*inner.span(1)).shifted(span.start)
                    yield ForeignConstruct(
                        position, "a class of Unicode characters", "one of these characters as it stands", None
                    )
                for inner in _CLASS_ESCAPE.finditer(token[0]):
                    yield from _escape(Span(*inner.span()).shifted(span.start), inner[1], _MEMBERS)
            case "counts":
                most = token["most"]
                yield ForeignConstruct(span, f"at most {most} times", "the characters as they stand", f"{{0,{most}}}")
            case _:
                pass


def _escape(
    span: Span, letter: str, known: dict[str, tuple[str, str | None]]
) -> Iterator[ForeignConstruct | UselessEscape]:
    if letter in known:
        meant, replacement = known[letter]
        yield ForeignConstruct(span, meant, f"the letter {letter}", replacement)
    elif letter in _PLAIN_LETTERS or letter in _ESCAPES:
        yield UselessEscape(span, letter)


def _code_point(span: Span, letter: str, digits: str, is_repeated: bool) -> ForeignConstruct:
    number = int(digits, 16)
    units = to_units(chr(number)) if number <= 0x10FFFF else ""
    replacement = "".join(f"\\u{ord(unit):04x}" for unit in units) or None
    if is_repeated and len(units) == 2:
        replacement = f"(?:{replacement})"
    if letter == "U":
        return ForeignConstruct(span, f"the character U+{number:04X}", "the letter U and the digits", replacement)
    times = "0" if int(digits, 16) == 0 else digits.lstrip("0")
    means = f"the letter {letter}, {times} times" if digits.isdecimal() else f"the letter {letter} and the braces"
    return ForeignConstruct(span, f"the character U+{number:04X}", means, replacement)


def _posix(span: Span, negation: str, members: str) -> ForeignConstruct:
    source = _POSIX_MEMBER.sub(lambda member: _POSIX[member[1]], members)
    shorthand = source in ("\\s", "\\w") and not negation
    replacement = source if shorthand else f"[{negation}{source}]"
    return ForeignConstruct(
        span, "a class of characters", "one of the characters in the brackets, and then a ]", replacement
    )
