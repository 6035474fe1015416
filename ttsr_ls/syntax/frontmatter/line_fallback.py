"""Reads frontmatter that is not valid YAML as the reference agent does: repairs it, else reads it line by line (spec
F7).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, MapValue, ScalarValue, Value
from ttsr_ls.syntax.whitespace import WHITESPACE, trim_text
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.tree import camel_case
from ttsr_ls.text import Span

_SPACE = f"[{re.escape(WHITESPACE)}]"
_AMBIGUOUS = re.compile(
    rf"{_SPACE}*[A-Za-z_][\w-]*:{_SPACE}+([^{re.escape(WHITESPACE)}][^\n\r\u2028\u2029]*?)({_SPACE}*)", re.ASCII
)
_JSON_ESCAPED = re.compile(r'["\\\0-\x1f]')
_SPECIAL_START = "\"'[{|>!&*#"
_LINE = re.compile(rf"([\w-]+):{_SPACE}*([^\n\r\u2028\u2029]*)", re.ASCII)


def quote_plain_values(metadata: MappedText) -> MappedText | None:
    """Returns the metadata with every plain value that contains `: ` in quotes; None if there is no such value."""
    parts: list[tuple[str, Span]] = []
    copied_until = 0
    for line_start, line_end in _lines(metadata.value):
        match = _AMBIGUOUS.fullmatch(metadata.value, line_start, line_end)
        if match is None or ": " not in match[1] or match[1][0] in _SPECIAL_START:
            continue
        start, end = match.span(1)
        parts.extend(metadata.runs(copied_until, start))
        parts.extend(_json_parts(metadata, start, end))
        copied_until = end
    if not parts:
        return None
    parts.extend(metadata.runs(copied_until, len(metadata.value)))
    return MappedText.joined(parts, metadata.span)


def _json_parts(metadata: MappedText, start: int, end: int) -> Iterator[tuple[str, Span]]:
    """Yields a range of the metadata as a JSON string: runs with their spans."""
    yield '"', metadata.source_span(start, start)
    copied_until = start
    for match in _JSON_ESCAPED.finditer(metadata.value, start, end):
        offset = match.start()
        yield from metadata.runs(copied_until, offset)
        yield json.dumps(match[0])[1:-1], metadata.source_span(offset, offset + 1)
        copied_until = offset + 1
    yield from metadata.runs(copied_until, end)
    yield '"', metadata.source_span(end, end)


def read_lines(metadata: MappedText) -> tuple[Entry, ...]:
    """Returns every line `key: value` at column 0, with its value read separately. Lists and indented lines
    are lost.
    """
    entries = []
    for start, end in _lines(metadata.value):
        match = _LINE.fullmatch(metadata.value, start, end)
        if match is not None:
            key = metadata.slice(*match.span(1))
            entries.append(Entry(key.value, camel_case(key.value), key.span, _value(metadata.slice(*match.span(2)))))
    return tuple(entries)


def _value(mapped_text: MappedText) -> Value:
    raw = trim_text(mapped_text)
    as_written = ScalarValue(raw, raw.value, raw.span)
    try:
        value = parse_yaml(raw)
    except YamlError:
        return as_written
    match value:
        case MapValue() | ScalarValue(data=None):
            return as_written
        case _:
            return value


def _lines(text: str) -> list[tuple[int, int]]:
    lines = []
    start = 0
    while (end := text.find("\n", start)) >= 0:
        lines.append((start, end))
        start = end + 1
    lines.append((start, len(text)))
    return lines
