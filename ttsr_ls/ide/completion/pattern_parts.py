"""Completion of regular expressions, after a backslash and after `(?`."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.ide.completion.completion import Completion, CompletionKind
from ttsr_ls.text import Span

_ESCAPES = {
    "b": "A word boundary: the edge of a run of letters, digits and `_`.",
    "B": "A position that is no word boundary.",
    "d": "A digit.",
    "D": "Anything but a digit.",
    "s": "White space, line ends too.",
    "S": "Anything but white space.",
    "w": "A letter from a to z, a digit, or `_`.",
    "W": "Anything but a letter from a to z, a digit, or `_`.",
    "n": "A line end.",
    "t": "A tab.",
}
_DETAILS = {
    "b": "word boundary",
    "B": "no word boundary",
    "d": "digit",
    "D": "no digit",
    "s": "white space",
    "S": "no white space",
    "w": "letter, digit or _",
    "W": "no letter, digit or _",
    "n": "line end",
    "t": "tab",
}
_GROUPS = {
    "?:": ("group without capture", "A group that is not captured."),
    "?=": ("followed by", "Matches only where the pattern follows."),
    "?!": ("not followed by", "Matches only where the pattern does not follow."),
    "?<=": ("preceded by", "Matches only behind the pattern."),
    "?<!": ("not preceded by", "Matches only where the pattern does not precede."),
    "?i)": ("ignores case", "Ignores case. Only at the start of a condition."),
    "?m)": ("^ and $ at each line", "`^` and `$` match at each line. Only at the start of a condition."),
    "?s)": (". matches line ends", "`.` matches line ends too. Only at the start of a condition."),
}


def complete_pattern(typed: str, offset: int, following: str = "") -> Iterator[Completion]:
    """Yields the completions after `typed`, the beginning of a condition; none if that is plain text.

    `following` is the text after the cursor: editors add the closing parenthesis when one is opened, and a completion
    with a closing parenthesis replaces it.
    """
    backslashes = len(typed) - len(typed.rstrip("\\"))
    if backslashes % 2:
        for letter, documentation in _ESCAPES.items():
            label = f"\\{letter}"
            yield Completion(
                CompletionKind.PATTERN, label, label, Span(offset - 1, offset), documentation, detail=_DETAILS[letter]
            )
        return
    start = typed.rfind("(")
    opened = typed[start + 1 :] if start >= 0 and not typed[:start].endswith("\\") else None
    if opened is None or opened not in ("", "?", "?<"):
        return
    is_first = not typed[:start].strip("'\" ")
    for group, (detail, documentation) in _GROUPS.items():
        is_closed = group.endswith(")")
        if is_first or not is_closed:
            end = offset + 1 if is_closed and following.startswith(")") else offset
            text, span = f"({group}", Span(offset - len(opened) - 1, end)
            yield Completion(CompletionKind.PATTERN, text, text, span, documentation, detail=detail)
