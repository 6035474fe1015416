"""Scalars of the frontmatter as written: their quotes, and how changed text is inserted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import Enum
from typing import TypeVar

from ttsr_ls.lint.finding import Edit
from ttsr_ls.syntax.rule_file import Entry, ListValue, RuleFile, ScalarValue, Value
from ttsr_ls.text import Span

_Part = TypeVar("_Part", Entry, Value)


class ScalarStyle(Enum):
    """The style in which a scalar is written."""

    PLAIN = "without quotes"
    SINGLE = "in single quotes"
    DOUBLE = "in double quotes"
    BLOCK = "as a block"


def style_of(file: RuleFile, scalar: ScalarValue) -> ScalarStyle:
    """Returns the style in which a scalar is written in its file."""
    match file.text[scalar.span.start : scalar.span.start + 1]:
        case "'":
            return ScalarStyle.SINGLE
        case '"':
            return ScalarStyle.DOUBLE
        case "|" | ">":
            return ScalarStyle.BLOCK
        case _:
            return ScalarStyle.PLAIN


def scalar_at(file: RuleFile, span: Span) -> ScalarValue | None:
    """Returns the scalar of the frontmatter that contains a span."""
    entry = None if file.frontmatter is None else _containing(file.frontmatter.entries, span)
    value = None if entry is None else entry.value
    while value is not None and not isinstance(value, ScalarValue):
        if isinstance(value, ListValue):
            value = _containing(value.items, span)
        else:
            entry = _containing(value.entries, span)
            value = None if entry is None else entry.value
    return value


def _containing(parts: Sequence[_Part], span: Span) -> _Part | None:
    """Returns the last part whose value contains a span."""
    index = bisect_right(parts, span.start, key=lambda part: _value_of(part).span.start) - 1
    if index >= 0 and _value_of(parts[index]).span.covers(span):
        return parts[index]
    # Parts are in the order of the text, except those of an alias, which have the spans of its anchor.
    return next((part for part in reversed(parts) if _value_of(part).span.covers(span)), None)


def _value_of(part: Entry | Value) -> Value:
    return part.value if isinstance(part, Entry) else part


def replaced_part(file: RuleFile, span: Span, source: str, replacement: str) -> Edit | None:
    """Returns an edit that replaces the part of a scalar at `span` by `replacement`, escaped for the scalar's quotes.

    `source` is the value of that part. None if the file has something else at `span`, or if the replacement needs other
    quotes. The replacement must not contain text that ends a plain scalar (`: `, ` #`, brackets in a list).
    """
    scalar = scalar_at(file, span)
    if scalar is None:
        return None
    match style_of(file, scalar):
        case ScalarStyle.PLAIN | ScalarStyle.BLOCK:
            before, after = source, replacement
        case ScalarStyle.SINGLE:
            before, after = source.replace("'", "''"), replacement.replace("'", "''")
        case ScalarStyle.DOUBLE:
            before, after = _escaped(source), _escaped(replacement)
    if file.text[span.start : span.end] != before:
        return None
    return Edit(span, after)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
