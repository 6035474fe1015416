"""Fixes for problems of a test file: replacements of spans of its text."""

from __future__ import annotations

import re

from ttsr_ls.rule_tests.case import CaseFix, Replacement
from ttsr_ls.rule_tests.yaml_document import YamlMap, YamlScalar, YamlValue
from ttsr_ls.text import Span

_INDENTATION = re.compile(r"(?:^|(?<=\r))(?:[ \t]|-[ \t])*\Z", re.MULTILINE)
_MAX_INDENTATION = 200
_NEXT_LINE = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
_COMMA = re.compile(r"\s*,\s*")
_AFTER_KEY = re.compile(r"[ \t]*:")
_LINE_START = re.compile(r"(?<=[\r\n])(?=[^\r\n])")


def write(text: str, span: Span) -> CaseFix:
    """Returns the fix that writes a text at a span."""
    return CaseFix(f"Write {text[:60]}", (Replacement(span, text),))


def remove_entry(text: str, value: YamlMap, index: int) -> CaseFix | None:
    """Returns the fix that removes an entry of a map; None for the only entry, beside comments, and in rare forms."""
    if len(value.entries) < 2:
        return None
    is_flow = text.startswith("{", value.span.start)
    span = _span_in_flow(text, value, index) if is_flow else _span_in_block(text, value, index)
    title = f"Remove the key {value.entries[index][0].text[:60]}"
    return None if span is None else CaseFix(title, (Replacement(span, ""),))


def _span_in_flow(text: str, value: YamlMap, index: int) -> Span | None:
    """Returns the span of an entry with the comma before it, or for the first entry the comma after it."""
    first, second = (0, 1) if index == 0 else (index - 1, index)
    end, start = value.entries[first][1].span.end, value.entries[second][0].span.start
    if _COMMA.fullmatch(text, end, start) is None:
        return None
    return Span(value.entries[0][0].span.start, start) if index == 0 else Span(end, value.entries[index][1].span.end)


def _span_in_block(text: str, value: YamlMap, index: int) -> Span | None:
    key, last = (part.span for part in value.entries[index])
    indentation = _INDENTATION.search(text, max(0, key.start - _MAX_INDENTATION), key.start)
    if indentation is None or _AFTER_KEY.match(text, key.end) is None:
        return None
    if index + 1 < len(value.entries):
        # The next key takes the column of this one, also after the dash of a list.
        following = value.entries[index + 1][0].span.start
        return None if text[last.end : following].strip() else Span(key.start, following)
    line_start = indentation.start()
    if indentation[0].strip():
        return None
    # A block scalar ends where the next line begins.
    if last.end > line_start and text[last.end - 1 : last.end] in ("\n", "\r"):
        return Span(line_start, last.end)
    rest = _NEXT_LINE.match(text, last.end)
    return None if rest is None else Span(line_start, rest.end())


def write_as_list(text: str, key: YamlScalar, value: YamlValue) -> CaseFix | None:
    """Returns the fix that makes a value the only case of its list; None for a scalar of several lines."""
    source = text[value.span.start : value.span.end]
    between = text[key.span.end : value.span.start]
    is_on_key_line = between.strip(" \t") == ":"
    if is_on_key_line and "\n" not in source and "\r" not in source:
        return CaseFix("Write it as a list", (Replacement(Span(key.span.end, value.span.start), ":\n  - "),))
    line_start = text.rfind("\n", 0, value.span.start) + 1
    is_block = isinstance(value, YamlMap) and not source.startswith("{")
    if is_on_key_line or not is_block or text[line_start : value.span.start].strip(" "):
        return None
    lines = (value.span.start + match.start() for match in _LINE_START.finditer(source))
    indents = [Replacement(Span(start, start), "  ") for start in lines]
    return CaseFix("Write it as a list", (Replacement(Span(value.span.start, value.span.start), "- "), *indents))
