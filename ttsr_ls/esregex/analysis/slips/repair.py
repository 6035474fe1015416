"""Translates patterns that do not compile, because they are written for another dialect, into ECMAScript.

Owns the rewritings, one for each error that has one. A pattern is repaired only if the parser then accepts all of it.
"""

from __future__ import annotations

import re

from ttsr_ls.esregex.analysis.slips.doubled_backslashes import single_backslashes
from ttsr_ls.esregex.analysis.slips.wide_classes import class_containing, in_units
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.groups import class_containing_opening
from ttsr_ls.esregex.parse.parser import parse

_MAX_ROUNDS = 8
_MAX_LENGTH = 2_000
_KNOWN_FLAGS = frozenset("ims")
_LEADING_FLAGS = re.compile(r"\(\?([A-Za-z]+)\)")
_FLAGS = re.compile(r"\(\?([ims]+)\)")
_POSSESSIVE = re.compile(r"(?<=[*+?}])\+")
_OPEN_GROUP = re.compile(r"\(\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]*>)")
"""Such a parenthesis is never meant literally: its closing parenthesis is missing."""
_OPEN_CLASS = re.compile(r"\[(?:\^.|[^\\\]]-[^\\\]]|\\[wWsSdD])")
_ENDS_CALLEE = re.compile(r"(?<!\\)[\w$)\]]\Z")
_COMMENT = re.compile(r"\(\?#[^)]*\)")


def translate_from_other_dialect(source: str) -> str | None:
    """Returns an ECMAScript pattern with the meaning that `source` has in another dialect; None if none is known.

    Possessive quantifiers and atomic groups become ordinary ones, which match the same or slightly more. An
    unmatched bracket becomes a literal, because `foo(` often stands for a call. Groups that begin with `(?` are closed.
    """
    if len(source) > _MAX_LENGTH:
        return None
    group, body = _leading_flags(source)
    if (suggestion := single_backslashes(body)) is not None:
        return group + suggestion
    text = source
    for _ in range(_MAX_ROUNDS):
        flags, rest = _leading_flags(text)
        try:
            parse(rest)
        except RegexSyntaxError as error:
            fixed = _rewritten(flags, rest, error.span.start)
            if fixed is None or fixed == text:
                return None
            text = fixed
        else:
            return text if text != source else None
    return None


def close_group(source: str) -> str | None:
    """Returns `source` with its one group closed at the end; None if that does not compile, or if a call is meant.

    A parenthesis after a word belongs to a call, such as `eval(`, and one without content is literal.
    """
    if len(source) > _MAX_LENGTH:
        return None
    _, rest = _leading_flags(source)
    position = _error_position(rest)
    if position is None or not rest.startswith("(", position) or rest.startswith("(?", position):
        return None
    is_call = not rest[position + 1 :].strip() or _ENDS_CALLEE.search(rest, 0, position)
    return None if is_call or _error_position(f"{rest})") is not None else f"{source})"


def close_class(source: str) -> str | None:
    """Returns `source` with its open character class closed at the end; None if that does not compile, or if `[` may be
    a literal bracket. A class has a range, a negation, or a class escape at its start.
    """
    if len(source) > _MAX_LENGTH:
        return None
    _, rest = _leading_flags(source)
    position = _error_position(rest)
    if position is None or not _OPEN_CLASS.match(rest, position) or _error_position(f"{rest}]") is not None:
        return None
    return f"{source}]"


def remove_parenthesis(source: str) -> str | None:
    """Returns `source` without its one unmatched closing parenthesis; None if that does not compile or is empty."""
    if len(source) > _MAX_LENGTH:
        return None
    flags, rest = _leading_flags(source)
    position = _error_position(rest)
    if position is None or not rest.startswith(")", position):
        return None
    without = rest[:position] + rest[position + 1 :]
    return f"{flags}{without}" if without.strip() and _error_position(without) is None else None


def _error_position(source: str) -> int | None:
    try:
        parse(source)
    except RegexSyntaxError as error:
        return error.span.start
    return None


def _leading_flags(text: str) -> tuple[str, str]:
    group = _FLAGS.match(text)
    return ("", text) if group is None else (group[0], text[group.end() :])


def _rewritten(flags: str, rest: str, position: int) -> str | None:
    """Returns the pattern with the cause of the error at `position` rewritten; None if no rewriting is known."""
    for source, replacement in (("(?P<", "(?<"), ("(?>", "(?:")):
        if rest.startswith(source, position):
            return flags + rest[:position] + replacement + rest[position + len(source) :]
    if rest.startswith("(?P=", position) and ")" in rest[position:]:
        end = rest.index(")", position)
        name = rest[position + 4 : end]
        # Without a group of that name, `\k` would be a letter.
        return f"{flags}{rest[:position]}\\k<{name}>{rest[end + 1 :]}" if f"<{name}>" in rest[:position] else None
    if comment := _COMMENT.match(rest, position):
        return flags + rest[:position] + rest[comment.end() :]
    if possessive := _POSSESSIVE.match(rest, position):
        return flags + rest[:position] + rest[possessive.end() :]
    opening = rest.rfind("(?", 0, position + 2)
    group = None if opening < 0 else _LEADING_FLAGS.match(rest, opening)
    if group is not None and group.start() <= position < group.end():
        return _add_flags(flags, rest, group)
    wide = class_containing(rest, position)
    if wide is not None:
        units = in_units(rest[wide.start : wide.end])
        return None if units is None else flags + rest[: wide.start] + units + rest[wide.end :]
    return _escaped(flags, rest, position)


def _escaped(flags: str, rest: str, position: int) -> str | None:
    """Escapes an unmatched bracket, a quantifier without an item, or a backslash at the end; closes an open group."""
    char = rest[position : position + 1]
    bracket = class_containing_opening(rest, position) if char == ")" else None
    if bracket is not None:
        return f"{flags}{rest[:bracket]}\\{rest[bracket:]}"
    if _OPEN_GROUP.match(rest, position):
        return f"{flags}{rest})"
    is_literal = (
        (char == "(" and rest[position + 1 : position + 2] != "?")
        or char in (")", "[")
        or (char == "\\" == rest[position:])
    )
    # `**` is hardly meant literally, and a star at the start belongs to a glob.
    if is_literal or (char in ("+", "?", "*") and rest[position - 1 : position] in ("(", "|") and position > 0):
        return f"{flags}{rest[:position]}\\{rest[position:]}"
    return None


def _add_flags(flags: str, rest: str, group: re.Match[str]) -> str | None:
    """Applies flags that are set in the middle to the rest of the pattern. Drops flags that do not exist."""
    letters = "".join(letter for letter in dict.fromkeys(group[1]) if letter in _KNOWN_FLAGS)
    unknown = set(group[1]) - _KNOWN_FLAGS
    if unknown - {"u"}:
        return None  # `x` changes the meaning of blanks; the meaning of other flags is unknown.
    before, after = rest[: group.start()], rest[group.end() :]
    if not before:
        # Adds the flags to those of the preceding groups.
        together = "".join(dict.fromkeys(flags[2:-1] + letters))
        return (f"(?{together})" if together else "") + after
    if not letters:
        return flags + before + after
    if "|" in after:
        return None  # The flags also apply to the following alternatives, which one group cannot express.
    return f"{flags}{before}(?{letters}:{after})"
