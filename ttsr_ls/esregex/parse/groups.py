"""The constructs after an opening parenthesis, and the constructs of other dialects that authors write there."""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.names import read_group_name
from ttsr_ls.esregex.tree.nodes import LookKind
from ttsr_ls.text import Span

_CLASS_OR_ESCAPE = re.compile(r"\\.|\[\^?(?:[^\]\\]|\\.)*\]", re.DOTALL)
_WORD_IN_GROUP = re.compile(r"(?<!\\)\(\??:?\w{2}")


class CaptureOpening(Struct, frozen=True):
    """The opening of a capturing group: `(` or `(?<name>`."""

    name: str | None


class GroupOpening(Struct, frozen=True):
    """The opening of a group that captures nothing: `(?:` or `(?i-m:`. `flags` apply inside of it."""

    flags: Flags


class LookOpening(Struct, frozen=True):
    """The opening of a lookaround, such as `(?=` or `(?<!`."""

    kind: LookKind


Opening = CaptureOpening | GroupOpening | LookOpening

_UNNAMED = CaptureOpening(None)
_LOOKS = {kind.value[2:]: LookOpening(kind) for kind in LookKind}
_LOOK = re.compile(r"<?[=!]")
_MODIFIERS = re.compile(r"([A-Za-z]*+)(-?)([A-Za-z]*+)(.?)", re.DOTALL)
_KNOWN_MODIFIERS = "ims"

# Syntax of Python, PCRE, .NET and Ruby that ECMAScript does not have, and its replacement.
_FOREIGN = (
    ("P<", "(?P<name>…) is Python's; write (?<name>…)."),
    ("P=", "(?P=name) is Python's; write \\k<name>."),
    ("P>", "(?P>name) calls a group as a subroutine, which ECMAScript cannot do; repeat the group's pattern."),
    ("#", "(?#…) comments do not exist in ECMAScript; put the comment outside of the pattern."),
    (">", "Atomic groups (?>…) do not exist in ECMAScript; write (?:…), or (?=(…))\\1 to prevent backtracking."),
    ("|", "Branch reset (?|…) does not exist in ECMAScript; write (?:…|…)."),
    ("'", "(?'name'…) does not exist in ECMAScript; write (?<name>…)."),
    ("(", "Conditionals (?(…)…) do not exist in ECMAScript; write the cases as alternatives with lookaheads."),
    ("R", "Recursion (?R) does not exist in ECMAScript."),
    ("&", "Subroutine calls (?&name) do not exist in ECMAScript; repeat the group's pattern."),
    *(
        (digit, "Subroutine calls (?1) do not exist in ECMAScript; repeat the group's pattern.")
        for digit in "0123456789"
    ),
)


def read_opening(source: str, start: int, flags: Flags) -> tuple[Opening, int]:
    """Returns the kind of group that the `(` at `start` opens, and the offset of its body. Raises
    `RegexSyntaxError`.
    """
    if not source.startswith("?", start + 1):
        return _UNNAMED, start + 1
    position = start + 2
    if source.startswith(":", position):
        return GroupOpening(flags), position + 1
    if match := _LOOK.match(source, position):
        return _LOOKS[match[0]], match.end()
    if source.startswith("<", position):
        name, end = read_group_name(source, position + 1)
        return CaptureOpening(name), end
    for opener, message in _FOREIGN:
        if source.startswith(opener, position):
            raise RegexSyntaxError(message, Span(start, position + len(opener)))
    return _read_modifiers(source, start, flags)


def _read_modifiers(source: str, start: int, flags: Flags) -> tuple[Opening, int]:
    match = _MODIFIERS.match(source, start + 2)
    assert match is not None, "every part of the pattern is optional"
    added, minus, removed, after = match.groups()
    letters = added + removed
    span = Span(start, match.end())
    if not letters and not minus:
        raise RegexSyntaxError(
            "( followed by ? must be one of (?: (?= (?! (?<= (?<! (?<name> (?i:; for a literal ? write \\?.",
            Span(start, start + 2),
        )
    for index, letter in enumerate(letters):
        offset = start + 2 + index + (len(minus) if index >= len(added) else 0)
        if letter not in _KNOWN_MODIFIERS:
            raise RegexSyntaxError(
                f"There is no flag {letter} here; only i, m and s can be set in a pattern.", Span(offset, offset + 1)
            )
        if letter in letters[:index]:
            raise RegexSyntaxError(f"The flag {letter} is given twice.", Span(offset, offset + 1))
    if after == ")":
        raise RegexSyntaxError(
            f"Flags for the rest of a pattern do not exist in ECMAScript; write (?{added}{minus}{removed}:…) around "
            "the part that they apply to.",
            span,
        )
    if after != ":":
        raise RegexSyntaxError("Flags in a group must be followed by a colon, as in (?i:…).", span)
    if not letters:
        raise RegexSyntaxError("(?-:…) removes no flag; write (?:…).", span)
    return GroupOpening(_changed(flags, added, removed)), match.end()


def _changed(flags: Flags, addition: str, removed: str) -> Flags:
    def resolve(letter: str, before: bool) -> bool:
        return letter in addition or (before and letter not in removed)

    return Flags(resolve("i", flags.ignore_case), resolve("m", flags.multiline), resolve("s", flags.dot_all))


def unmatched_parenthesis_error(source: str, position: int) -> RegexSyntaxError:
    """Returns the error for a `)` at `position` that closes no group. Its message names a class that contains the
    opening one.
    """
    bracket = class_containing_opening(source, position)
    if bracket is None:
        message = "This ) closes no group; remove it, or write \\) for a literal parenthesis."
    else:
        message = (
            f"This ) closes no group: the [ at position {bracket} opens a class, and the ( after it is one of its "
            "characters. Write \\[ for a literal bracket."
        )
    return RegexSyntaxError(message, Span(position, position + 1))


def class_containing_opening(source: str, end: int) -> int | None:
    """Returns the start of the first class before `end` that contains an opening parenthesis of a group; None if there
    is none.
    """
    classes = (match for match in _CLASS_OR_ESCAPE.finditer(source, 0, end) if match[0].startswith("["))
    return next((match.start() for match in classes if _WORD_IN_GROUP.search(match[0])), None)
