"""Translates regular expressions between dialects: flags, omp's treatment of a condition, and several
patterns as one.
"""

from __future__ import annotations

import re

from ttsr_ls.convert.portable_rule import ConversionError
from ttsr_ls.syntax.fields import is_file_glob
from ttsr_ls.syntax.whitespace import WHITESPACE

_FLAG_GROUP = re.compile(r"\(\?([ims]+)\)")
# `<!--` begins an HTML comment, but in a pattern it can also be a part of a lookbehind, `(?<!--)`.
_TOKEN = re.compile(r"\\?(?:\(\?)?<!--|\\[\s\S]|[\s\S]")
_INVISIBLE = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029"}
# Named groups and backreferences, which change their meaning in a pattern with other groups.
_NAMED_GROUP = re.compile(r"(?<!\\)(?:\\\\)*\(\?<([^=!>]+)>")
_REFERENCE = re.compile(r"(?<!\\)(?:\\\\)*\\[1-9k]")


def split_flags(condition: str) -> tuple[str, str]:
    """Returns the letters of a condition's flag group, and the pattern after it."""
    group = _FLAG_GROUP.match(condition)
    if group is None:
        return "", condition
    return "".join(sorted(set(group[1]))), condition[group.end() :]


def with_flags(letters: str, pattern: str) -> str:
    """Returns a condition with a flag group, if it needs one."""
    return f"(?{letters}){pattern}" if letters else pattern


def as_omp_condition(condition: str) -> str:
    """Returns an equivalent condition that omp does not change or misread.

    omp trims conditions, replaces tabs, deletes comments, and reads some conditions as file globs (spec F3, F5, N1,
    C1).
    """
    letters, pattern = split_flags(condition)
    pattern = _visible(pattern)
    is_trimmed = pattern == pattern.strip(WHITESPACE)
    if not is_trimmed or not pattern or is_file_glob(with_flags(letters, pattern)):
        pattern = f"(?:{pattern})"
    return with_flags(letters, pattern)


def joined_conditions(conditions: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """Returns one pattern for all conditions, its flags, and notes about it.

    Raises `ConversionError` if backreferences would refer to other groups.
    """
    parts = [split_flags(condition) for condition in conditions]
    if len(parts) == 1:
        return parts[0][1], parts[0][0], ()
    if any(_REFERENCE.search(pattern) for _, pattern in parts) and any("(" in pattern for _, pattern in parts):
        raise ConversionError(
            "Its conditions refer to groups (`\\1`, `\\k<name>`), which would be other groups in one joined pattern. "
            "Make a rule of each condition."
        )
    notes = []
    names = [name for _, pattern in parts for name in _NAMED_GROUP.findall(pattern)]
    if len(set(names)) < len(names):
        notes.append("Several groups of the joined pattern have the same name: Node.js 23 is needed.")
    shared = parts[0][0]
    if all(letters == shared for letters, _ in parts):
        return "|".join(f"(?:{pattern})" for _, pattern in parts), shared, tuple(notes)
    pattern = "|".join(f"(?{letters}:{pattern})" for letters, pattern in parts)
    notes.append(
        "The conditions have different flags, so the joined pattern has flags in groups: Node.js 23 is needed."
    )
    return pattern, "", tuple(notes)


def _visible(pattern: str) -> str:
    """Returns the pattern on one line, without text that omp would change before it compiles the pattern."""
    parts: list[str] = []
    in_class = False
    for match in _TOKEN.finditer(pattern):
        fragment = match[0]
        if fragment == "[":
            in_class = True
        elif fragment == "]":
            in_class = False
        if fragment[-1] in _INVISIBLE:
            fragment = _INVISIBLE[fragment[-1]]
        elif fragment.endswith("<!--"):
            is_look = fragment.startswith("(?") and not in_class
            fragment = "(?<!(?:)--" if is_look else fragment.replace("\\<", "<").replace("<", "\\x3c")
        parts.append(fragment)
    return "".join(parts)
