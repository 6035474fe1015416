"""What the reference does with frontmatter that is not YAML: repair it, else read it line by line (semantics.md F7)."""

from __future__ import annotations

import json
import re

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, MapValue, ScalarValue, Value
from ttsr_ls.syntax.whitespace import WHITESPACE, trimmed
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.tree import camel_case

_SPACE = f"[{re.escape(WHITESPACE)}]"
_AMBIGUOUS = re.compile(
    rf"{_SPACE}*[A-Za-z_][\w-]*:{_SPACE}+([^{re.escape(WHITESPACE)}][^\n\r\u2028\u2029]*?)({_SPACE}*)", re.ASCII
)
_SPECIAL_START = "\"'[{|>!&*#"
_LINE = re.compile(rf"([\w-]+):{_SPACE}*([^\n\r\u2028\u2029]*)", re.ASCII)


def repaired(metadata: MappedText) -> MappedText | None:
    """The metadata with every plain value that holds `: ` put in quotes; None where there is no such value."""
    parts: list[tuple[str, int, int]] = []
    done = 0
    for start, end in _lines(metadata.value):
        found = _AMBIGUOUS.fullmatch(metadata.value, start, end)
        if found is None or ": " not in found[1] or found[1][0] in _SPECIAL_START:
            continue
        parts.append((metadata.value[done : found.start(1)], done, found.start(1)))
        parts.append((json.dumps(found[1], ensure_ascii=False), *found.span(1)))
        done = found.end(1)
    if not parts:
        return None
    parts.append((metadata.value[done:], done, len(metadata.value)))
    return MappedText.joined([(text, metadata.source_span(start, end)) for text, start, end in parts], metadata.span)


def read_lines(metadata: MappedText) -> tuple[Entry, ...]:
    """Every line `key: value` at column 0, its value read on its own; lists and indented lines are lost."""
    entries = []
    for start, end in _lines(metadata.value):
        found = _LINE.fullmatch(metadata.value, start, end)
        if found is not None:
            key = metadata.slice(*found.span(1))
            entries.append(Entry(key.value, camel_case(key.value), key.span, _value(metadata.slice(*found.span(2)))))
    return tuple(entries)


def _value(written: MappedText) -> Value:
    raw = trimmed(written)
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
