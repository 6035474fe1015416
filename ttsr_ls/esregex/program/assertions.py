"""What `^`, `$` and `\\b` ask of a place, for the backtracking matcher."""

from __future__ import annotations

from ttsr_ls.esregex.program import program as op

_LINE_TERMINATORS = frozenset("\n\r\u2028\u2029")
_NEEDS_END = (op.AT_INPUT_END, op.AT_LINE_END, op.AT_BOUNDARY, op.NOT_AT_BOUNDARY)
_WORD_UNITS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


def holds(operation: int, text: str, place: int, size: int) -> bool:
    """Whether the assertion that is the instruction `operation` holds at `place` of a text that ends at `size`."""
    if operation >= op.AT_BOUNDARY:
        before = place > 0 and text[place - 1] in _WORD_UNITS
        after = place < size and text[place] in _WORD_UNITS
        return (before != after) == (operation == op.AT_BOUNDARY)
    if operation == op.AT_INPUT_START:
        return place == 0
    if operation == op.AT_INPUT_END:
        return place == size
    if operation == op.AT_LINE_START:
        return place == 0 or text[place - 1] in _LINE_TERMINATORS
    return place == size or text[place] in _LINE_TERMINATORS


def looks_ahead(operation: int) -> bool:
    """Whether what follows `place` decides, so that at the end of the text the answer may change with more text."""
    return operation in _NEEDS_END
