"""The outline of a rule file: its keys with their items, and its body with its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from itertools import islice

from msgspec import Struct

from ttsr_ls.syntax.rule_file import Entry, ListValue, RuleFile, ScalarValue, Value
from ttsr_ls.text import Span, truncate

_MAX_LENGTH = 80
_MAX_COUNT = 500
_HEADING_OR_FENCE = re.compile(r"^(?:#{1,6}[ \t]+(\S[^\n]*)|[ \t]*(`{3,}|~{3,})[^\n]*)$", re.MULTILINE)


class RuleSymbolKind(Enum):
    """The kind of a symbol in the outline of a file."""

    KEY = "key"
    ITEM = "item"
    BODY = "body"
    HEADING = "heading"


class RuleSymbol(Struct, frozen=True):
    """A part of a rule file. `span` is all of it; `name_span` is selected when the symbol is chosen."""

    kind: RuleSymbolKind
    name: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[RuleSymbol, ...] = ()


def document_symbols(file: RuleFile) -> tuple[RuleSymbol, ...]:
    """The outline, in order of the text."""
    entries = () if file.frontmatter is None else file.frontmatter.entries[:_MAX_COUNT]
    symbols = [_entry(entry) for entry in sorted(entries, key=lambda entry: entry.key_span)]
    if file.frontmatter is not None and file.body.value:
        span = file.body.span
        first = file.body.value.split("\n", 1)[0]
        headings = tuple(islice(_headings(file), _MAX_COUNT))
        symbols.append(
            RuleSymbol(RuleSymbolKind.BODY, "body", _shown(first), span, Span(span.start, span.start), headings)
        )
    return tuple(symbols)


def _entry(entry: Entry) -> RuleSymbol:
    span = Span(entry.key_span.start, max(entry.key_span.end, entry.value.span.end))
    items = entry.value.items[:_MAX_COUNT] if isinstance(entry.value, ListValue) else ()
    children = tuple(RuleSymbol(RuleSymbolKind.ITEM, _text(item) or "item", "", item.span, item.span) for item in items)
    return RuleSymbol(RuleSymbolKind.KEY, entry.key, _text(entry.value), span, entry.key_span, children)


def _headings(file: RuleFile) -> Iterator[RuleSymbol]:
    """The headings of the body, without the lines of code blocks that look like headings."""
    fence: str | None = None
    for match in _HEADING_OR_FENCE.finditer(file.body.value):
        if match[1] is None:
            fence = match[2] if fence is None else None if match[2].startswith(fence) else fence
        elif fence is None:
            span = file.body.source_span(*match.span())
            yield RuleSymbol(RuleSymbolKind.HEADING, _shown(match[1]) or "heading", "", span, span)


def _text(value: Value) -> str:
    return _shown(value.text.value) if isinstance(value, ScalarValue) else ""


def _shown(text: str) -> str:
    return truncate(" ".join(text.split()), _MAX_LENGTH)
