"""The conditions of `^`, `$` and `\\b`, for the backtracking matcher."""

from __future__ import annotations

from ttsr_ls.esregex.program import program as op

_LINE_TERMINATORS = frozenset("\n\r\u2028\u2029")
_NEEDS_END = (op.AT_INPUT_END, op.AT_LINE_END, op.AT_BOUNDARY, op.NOT_AT_BOUNDARY)
_WORD_UNITS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


def assertion_holds(operation: int, text: str, position: int, size: int) -> bool:
    """Returns whether the assertion instruction `operation` holds at `position` of a text that ends at `size`."""
    if operation >= op.AT_BOUNDARY:
        before = position > 0 and text[position - 1] in _WORD_UNITS
        after = position < size and text[position] in _WORD_UNITS
        return (before != after) == (operation == op.AT_BOUNDARY)
    if operation == op.AT_INPUT_START:
        return position == 0
    if operation == op.AT_INPUT_END:
        return position == size
    if operation == op.AT_LINE_START:
        return position == 0 or text[position - 1] in _LINE_TERMINATORS
    return position == size or text[position] in _LINE_TERMINATORS


def looks_ahead(operation: int) -> bool:
    """Returns whether the assertion depends on the unit after the position, so that more text may change its result at
    the end of the text."""
    return operation in _NEEDS_END
