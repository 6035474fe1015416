"""Reads a YAML document into values with spans, within limits. The only module that uses PyYAML.

Only the package's events are used, so no tag constructs an object. Aliases are refused, so no document can expand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ttsr_ls.rule_tests.case import CaseFix, CaseProblem, Replacement
from ttsr_ls.text import Span

if TYPE_CHECKING:
    import yaml

MAX_CHARACTERS = 512 * 1024
"""A longer document is refused: the pure Python parser takes seconds for this length."""
MAX_VALUES = 50_000
MAX_DEPTH = 16
_STRING = "tag:yaml.org,2002:str"
_NULL = "tag:yaml.org,2002:null"
_INTEGER = "tag:yaml.org,2002:int"
_TAG = re.compile(r"(?:&\S+[ \t]+)?(!\S*[ \t]*)")


class YamlScalar(Struct, frozen=True):
    """A single value: its text, and whether YAML reads it as a string, an integer, or null."""

    text: str
    span: Span
    is_string: bool
    is_integer: bool = False
    is_null: bool = False


class YamlList(Struct, frozen=True):
    """A YAML sequence."""

    items: tuple[YamlValue, ...]
    span: Span


class YamlMap(Struct, frozen=True):
    """A mapping with its entries in order, repeated keys included."""

    entries: tuple[tuple[YamlScalar, YamlValue], ...]
    span: Span


YamlValue = YamlScalar | YamlList | YamlMap


class YamlDocument(Struct, frozen=True):
    """The value of a document, None if it is empty. `problem` is set if the document could not be read."""

    value: YamlValue | None
    problem: CaseProblem | None = None


class _Refused(Exception):
    def __init__(self, message: str, span: Span, fix: CaseFix | None = None) -> None:
        super().__init__(message)
        self.problem = CaseProblem(message, span, fix)


def read_yaml(text: str) -> YamlDocument:
    """Reads a text as one YAML document. Never raises for its argument."""
    import yaml

    if len(text) > MAX_CHARACTERS:
        return _failed(
            f"A test file has at most {MAX_CHARACTERS // 1024} KiB. Split the cases over several rules.", text, 0
        )
    try:
        return YamlDocument(_Builder(text).build(_events(text)))
    except _Refused as refused:
        return YamlDocument(None, refused.problem)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return _failed(
            f"This is not valid YAML: {error.problem or error}.", text, mark.index if mark is not None else 0
        )
    except (yaml.YAMLError, UnicodeError) as error:
        at = getattr(error, "position", None)
        reason = "a character that YAML does not allow. Write it as an escape, in quotes."
        if "\0" in text:
            reason = "NUL characters, as a file in UTF-16 has. Save it as UTF-8."
        return _failed(f"This is not valid YAML: it has {reason}", text, at if isinstance(at, int) else 0)


def _failed(message: str, text: str, at: int) -> YamlDocument:
    start = min(max(at, 0), len(text))
    return YamlDocument(None, CaseProblem(message, Span(start, min(start + 1, len(text)))))


def _events(text: str) -> Iterator[Any]:
    import yaml

    # The parser in C is thirty times as fast, but not in every build of the package.
    return iter(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


class _Builder:
    """Builds values from events, without recursion."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._length = len(text)
        self._left = MAX_VALUES
        self._open: list[tuple[Any, list[YamlValue]]] = []
        self._documents: list[YamlValue] = []

    def build(self, events: Iterator[Any]) -> YamlValue | None:
        import yaml

        resolver = yaml.resolver.Resolver()
        for event in events:
            match event:
                case yaml.DocumentStartEvent() if self._documents:
                    raise _Refused("A test file is one YAML document. Remove what follows `---`.", self._span(event))
                case yaml.AliasEvent():
                    raise _Refused("A test file has no aliases (`*name`). Write the value out.", self._span(event))
                case yaml.ScalarEvent():
                    self._add(self._scalar(event, resolver), event)
                case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                    if len(self._open) >= MAX_DEPTH:
                        raise _Refused("This is nested too deeply for a test file.", self._span(event))
                    self._open.append((event, []))
                case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                    start, values = self._open.pop()
                    span = self._span_between(start, event)
                    self._add(self._collection(start, values, span), start)
                case _:
                    pass
        return self._documents[0] if self._documents else None

    def _add(self, value: YamlValue, event: Any) -> None:
        self._left -= 1
        if self._left < 0:
            raise _Refused(f"A test file has at most {MAX_VALUES:,} values.", self._span(event))
        if event.tag is not None and event.tag != "!":
            span = self._span(event)
            tag = _TAG.match(self._text, span.start)
            fix = None if tag is None else CaseFix("Remove the tag", (Replacement(Span(*tag.span(1)), ""),))
            raise _Refused("A test file has no tags (`!name`). Remove it.", span, fix)
        if self._open:
            self._open[-1][1].append(value)
        else:
            self._documents.append(value)

    def _scalar(self, event: yaml.ScalarEvent, resolver: Any) -> YamlScalar:
        import yaml

        # Quoted scalars and block scalars are strings.
        tag = resolver.resolve(yaml.ScalarNode, event.value, (True, False)) if event.implicit[0] else _STRING
        return YamlScalar(event.value, self._span(event), tag == _STRING, tag == _INTEGER, tag == _NULL)

    def _collection(self, start: Any, values: list[YamlValue], span: Span) -> YamlValue:
        import yaml

        if isinstance(start, yaml.SequenceStartEvent):
            return YamlList(tuple(values), span)
        entries = []
        for key, value in zip(values[::2], values[1::2], strict=True):
            if not isinstance(key, YamlScalar):
                raise _Refused("A key is one word, such as `text`.", key.span)
            entries.append((key, value))
        return YamlMap(tuple(entries), span)

    def _span_between(self, start: Any, end: Any) -> Span:
        return Span(start.start_mark.index, min(max(end.end_mark.index, start.start_mark.index), self._length))

    def _span(self, event: Any) -> Span:
        return self._span_between(event, event)
