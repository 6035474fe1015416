"""YAML text into values with places, built from parse events without recursion."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

from ttsr_ls.errors import TtsrError
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, ListValue, MapValue, ScalarValue, Value
from ttsr_ls.text import Span

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CONSTANTS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


class YamlError(TtsrError):
    """The text is not YAML; `offset` is where that shows, in code points of the text."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    start: int
    is_map: bool
    anchor: str | None
    children: list[Value] = field(default_factory=list)
    keys: list[tuple[str, Span]] = field(default_factory=list)


def parse_yaml(text: MappedText) -> Value | None:
    """The value of a YAML text; None where it holds no document. Raises `YamlError`."""
    builder = _Builder(text)
    try:
        for event in yaml.parse(text.value, Loader=yaml.SafeLoader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(str(error.problem), getattr(mark, "index", 0)) from error
    except yaml.YAMLError as error:
        raise YamlError(str(error), 0) from error
    return builder.root


class _Builder:
    def __init__(self, text: MappedText) -> None:
        self.text = text
        self.root: Value | None = None
        self.open: list[_Open] = []
        self.anchors: dict[str, Value] = {}

    def take(self, event: yaml.Event) -> None:
        start, end = getattr(event.start_mark, "index", 0), getattr(event.end_mark, "index", 0)
        if isinstance(event, yaml.ScalarEvent):
            scalar = self._scalar(event, start, end)
            self._anchor(event.anchor, scalar)
            self._add(scalar)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise YamlError("Unresolved alias", start)
            self._add(self.anchors[event.anchor])
        elif isinstance(event, yaml.CollectionStartEvent):
            self.open.append(_Open(start, isinstance(event, yaml.MappingStartEvent), event.anchor))
        elif isinstance(event, yaml.CollectionEndEvent):
            closed = self.open.pop()
            span = self.text.source_span(closed.start, end)
            value: Value = self._map(closed, span) if closed.is_map else ListValue(tuple(closed.children), span)
            self._anchor(closed.anchor, value)
            self._add(value)

    def _map(self, closed: _Open, span: Span) -> MapValue:
        entries: list[Entry] = []
        for key, value in zip(closed.children[::2], closed.children[1::2], strict=True):
            name = key.text.value if isinstance(key, ScalarValue) else ""
            if name == "<<" and isinstance(value, MapValue):
                entries[:0] = value.entries
            else:
                entries.append(Entry(name, camel_case(name), key.span, value))
        return MapValue(tuple(entries), span)

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> ScalarValue:
        span = self.text.source_span(start, end)
        plain = event.style is None
        if plain and event.value == self.text.value[start:end]:
            mapped = self.text.slice(start, end)
        elif event.style in ("'", '"') and event.value == self.text.value[start + 1 : end - 1]:
            inner = self.text.slice(start + 1, end - 1)
            mapped = MappedText(inner.value, span, inner.pieces)
        else:
            mapped = MappedText.joined([(event.value, span)], span)
        return ScalarValue(mapped, resolve(event.value) if plain else event.value, span)

    def _anchor(self, anchor: str | None, value: Value) -> None:
        if anchor is not None:
            self.anchors[anchor] = value

    def _add(self, value: Value) -> None:
        if self.open:
            self.open[-1].children.append(value)
        elif self.root is None:
            self.root = value


def resolve(text: str) -> str | int | float | bool | None:
    """What a plain scalar means in the core schema of YAML 1.2 (semantics.md F6)."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text) and len(text) < 400:
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def camel_case(key: str) -> str:
    """A kebab-case key as the reference knows it (semantics.md F8)."""
    return re.sub(r"-([a-z])", lambda match: match[1].upper(), key)
