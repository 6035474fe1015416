"""Builds the values of a YAML text, with spans in the document, resolved aliases and merged maps.

Must not read the text; `nodes` does.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, ListValue, MapValue, ScalarValue, Value
from ttsr_ls.syntax.yaml.core_schema import property_name, resolve, resolve_tagged, tagged_empty
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.lexeme import Lexeme
from ttsr_ls.text import Span

MAX_ALIASED_VALUES = 20_000
"""The most values that aliases may repeat. Otherwise a page of YAML can stand for more values than memory holds."""

_KEBAB = re.compile(r"-([a-z])")
_MERGE_KEY = "<<"


class NodeProperties(Struct, frozen=True):
    """The tag and the anchor before a node, and their start."""

    tag: str | None
    anchor: str | None
    start: int


class YamlTreeBuilder:
    """Builds the values of one document. Offsets are those of the parsed text, spans those of the document."""

    __slots__ = ("_aliased", "_anchors", "text")

    def __init__(self, text: MappedText) -> None:
        self.text = text
        # The value is None while the node that has the anchor is still being read.
        self._anchors: dict[str, Value | None] = {}
        self._aliased = 0

    def start_document(self) -> None:
        """Forgets the anchors of the previous document."""
        self._anchors.clear()

    def begin_collection(self, properties: NodeProperties | None) -> None:
        """Declares the anchor of a list or mapping before its children are read, as no alias among them may mean it."""
        if properties is not None and properties.anchor is not None:
            self._anchors[properties.anchor] = None

    def finish(self, properties: NodeProperties | None, node: Lexeme | Value) -> Value:
        """Returns the value of a complete node with these properties."""
        value = self._scalar(node, properties) if isinstance(node, Lexeme) else node
        if properties is not None and properties.anchor is not None:
            self._anchors[properties.anchor] = value
        return value

    def empty_node(self, offset: int, properties: NodeProperties | None) -> Value:
        """Returns the value of a node without content, at `offset`."""
        span = self.text.source_span(offset, offset)
        data = tagged_empty(properties.tag if properties is not None else None)
        return self.finish(properties, ScalarValue(MappedText("", span, ()), data, span))

    def alias(self, name: str, start: int, end: int) -> Value:
        """Returns the value of an alias. A scalar gets the span of the alias; its text keeps the span of the anchor."""
        if name not in self._anchors:
            raise YamlError(f"a value that begins with `*` is an alias, and no `&{name}` stands before it", start)
        value = self._anchors[name]
        if value is None:
            raise YamlError(f"`&{name}` would contain itself", start)
        if isinstance(value, ScalarValue):
            return ScalarValue(value.text, value.data, self.text.source_span(start, end))
        self._aliased += _size(value, MAX_ALIASED_VALUES)
        if self._aliased > MAX_ALIASED_VALUES:
            raise YamlError("the aliases stand for too many values", start)
        return value

    def sequence(self, items: list[Value], start: int, end: int) -> Value:
        return ListValue(tuple(items), self.text.source_span(start, end))

    def mapping(self, pairs: list[tuple[Value, Value]], start: int, end: int) -> Value:
        """Returns the value of a mapping. A merge key adds the entries that the mapping does not have itself."""
        own = {_name(key) for key, _ in pairs}
        entries: list[Entry] = []
        for key, value in pairs:
            name = _name(key)
            if name == _MERGE_KEY and (merged := _merged(value)) is not None:
                for entry in merged:
                    if entry.key not in own:
                        own.add(entry.key)
                        entries.append(entry)
            else:
                entries.append(Entry(name, camel_case(name), key.span, value))
        return MapValue(tuple(entries), self.text.source_span(start, end))

    def _scalar(self, lexeme: Lexeme, properties: NodeProperties | None) -> Value:
        span = self.text.source_span(lexeme.start, lexeme.end)
        if len(lexeme.runs) == 1 and lexeme.plain:
            mapped = self.text.slice(lexeme.start, lexeme.end)
        else:
            mapped = self._mapped(lexeme, span)
        data: str | int | float | bool | None = mapped.value
        tag = properties.tag if properties is not None else None
        if lexeme.plain:
            data = resolve(mapped.value) if tag is None else resolve_tagged(mapped.value, tag)
        return ScalarValue(mapped, data, span)

    def _mapped(self, lexeme: Lexeme, span: Span) -> MappedText:
        text = self.text
        shift = text.shift(lexeme.start, lexeme.end)
        if shift is not None:
            # A scalar may be thousands of escapes, and nearly always none of its parts needs to be looked up.
            moved = ((value, Span(start + shift, end + shift)) for value, start, end in lexeme.runs)
            return MappedText.joined(moved, span)
        parts: list[tuple[str, Span]] = []
        for value, start, end in lexeme.runs:
            if value == text.value[start:end]:
                parts.extend(text.runs(start, end))
            else:
                parts.append((value, text.source_span(start, end)))
        return MappedText.joined(parts, span)


def camel_case(key: str) -> str:
    """Returns a kebab-case key in the reference agent's spelling (spec F8)."""
    return _KEBAB.sub(lambda match: match[1].upper(), key) if "-" in key else key


def _merged(value: Value) -> list[Entry] | None:
    """Returns the entries that a merge key adds; None if its value cannot be merged."""
    match value:
        case MapValue():
            return list(reversed(value.entries))
        case ListValue():
            maps = (item for item in value.items if isinstance(item, MapValue))
            return [entry for item in maps for entry in reversed(item.entries)]
        case ScalarValue():
            return None


def _name(key: Value) -> str:
    """Returns the name of a key; collections become text as in ECMAScript."""
    match key:
        case ScalarValue():
            return property_name(key.data)
        case MapValue():
            return "[object Object]"
        case ListValue():
            return ",".join(
                "" if isinstance(item, ScalarValue) and item.data is None else _name(item) for item in key.items
            )


def _size(value: Value, limit: int) -> int:
    """Returns the number of values within a value, counted up to a limit."""
    open_values = [value]
    count = 0
    while open_values and count <= limit:
        count += 1
        match open_values.pop():
            case ListValue(items=items):
                open_values.extend(items)
            case MapValue(entries=entries):
                open_values.extend(entry.value for entry in entries)
            case ScalarValue():
                pass
    return count
