"""Converts a frontmatter value to a number as ECMAScript does in comparisons (ECMA-262, ToNumber)."""

from __future__ import annotations

import math
import re

from ttsr_ls.syntax.rule_file import ListValue, MapValue, ScalarValue, Value
from ttsr_ls.syntax.whitespace import WHITESPACE

_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_PREFIXED = re.compile(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")
_INFINITY = {"Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf}


def to_number(value: Value) -> float:
    """Returns the number of a value; not-a-number if it has none."""
    match value:
        case ScalarValue(data=data):
            return _scalar(data)
        case ListValue(items=()):
            return 0.0
        case ListValue(items=(only,)):
            # A list is text first: `[true]` is "true", which is no number, while `true` is 1.
            is_truth = isinstance(only, ScalarValue) and isinstance(only.data, bool)
            return math.nan if is_truth else to_number(only)
        case ListValue() | MapValue():
            return math.nan


def _scalar(data: str | int | float | bool | None) -> float:
    if data is None:
        return 0.0
    return _text(data.strip(WHITESPACE)) if isinstance(data, str) else _float(data)


def _text(text: str) -> float:
    if not text:
        return 0.0
    if text in _INFINITY:
        return _INFINITY[text]
    if _PREFIXED.fullmatch(text):
        return _float(int(text, 0))
    return float(text) if _DECIMAL.fullmatch(text) else math.nan


def _float(number: int | float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
