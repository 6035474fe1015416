"""What `^`, `$` and `\\b` ask of a place, for the backtracking matcher."""

from __future__ import annotations

from ttsr_ls.esregex import program as op

_LINE_TERMINATORS = frozenset("\n\r\u2028\u2029")
_WORD_UNITS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


def holds(operation: int, text: str, place: int) -> bool:
    """Whether the assertion that is the instruction `operation` holds at `place`."""
    if operation >= op.AT_BOUNDARY:
        before = place > 0 and text[place - 1] in _WORD_UNITS
        after = place < len(text) and text[place] in _WORD_UNITS
        return (before != after) == (operation == op.AT_BOUNDARY)
    if operation == op.AT_INPUT_START:
        return place == 0
    if operation == op.AT_INPUT_END:
        return place == len(text)
    if operation == op.AT_LINE_START:
        return place == 0 or text[place - 1] in _LINE_TERMINATORS
    return place == len(text) or text[place] in _LINE_TERMINATORS
