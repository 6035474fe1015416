"""Reader of hookify's frontmatter format, which looks like YAML and is not (docs/hookify.md).

The format has three forms of lines: `key: value` at column 0, list items (`- …`), and `key: value` below an item that
is indented by three columns or more. Other lines are skipped without a message. Values are cut from their lines with
`split` and `strip`: no escapes, no comments, no block scalars, no flow collections.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, Frontmatter, ListValue, MapValue, ScalarValue
from ttsr_ls.text import Span

_DELIMITER = "---"
_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n?|\n")
_CONTINUATION_INDENT = 3
_BOOLEANS = {"true": True, "false": False}


class HookifyBlock(Struct, frozen=True):
    """The frontmatter as hookify reads it.

    `skipped` are the lines that hookify ignores, without their indentation. `close` is the delimiter that ends the
    frontmatter: the first `---` after the opening one, anywhere in the text.
    """

    frontmatter: Frontmatter
    skipped: tuple[Span, ...]
    close: Span


def read_block(text: str) -> HookifyBlock | None:
    """Returns the frontmatter of a file; None if hookify finds none. Takes time linear in the length of the text."""
    if not text.startswith(_DELIMITER):
        return None
    close = text.find(_DELIMITER, len(_DELIMITER))
    if close < 0:
        return None
    content = Span(len(_DELIMITER), close)
    reader = _Reader(text)
    position = content.start
    while position <= content.end:
        match = _LINE.match(text, position, content.end)
        assert match is not None
        reader.read_line(match.start(), match.end())
        line_end = _LINE_END.match(text, match.end(), content.end)
        position = content.end + 1 if line_end is None else line_end.end()
    end = close + len(_DELIMITER)
    frontmatter = Frontmatter(Span(0, end), content, reader.finish(), recovered=False)
    return HookifyBlock(frontmatter, tuple(reader.skipped), Span(close, end))


class _Reader:
    """Reads line by line. `_list` is the key of the list that is open; None if no list is."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._entries: list[Entry] = []
        self._list: Entry | None = None
        self._items: list[ScalarValue | MapValue] = []
        self._item: list[Entry] = []
        self.skipped: list[Span] = []

    def read_line(self, start: int, end: int) -> None:
        line = self._stripped(start, end)
        source = self._text[line.start : line.end]
        if not source or source.startswith("#"):
            return
        indent = line.start - start
        if indent == 0 and ":" in source and not source.startswith("-"):
            self._read_key(line)
        elif source.startswith("-") and self._list is not None:
            self._close_item()
            self._read_item(self._stripped(line.start + 1, line.end))
        elif indent >= _CONTINUATION_INDENT and self._item and ":" in source:
            self._item.append(self._pair(line))
        else:
            self.skipped.append(line)

    def finish(self) -> tuple[Entry, ...]:
        self._close_list()
        return tuple(self._entries)

    def _read_key(self, line: Span) -> None:
        self._close_list()
        pair = self._pair(line)
        value = pair.value
        assert isinstance(value, ScalarValue)
        if len(value.span) == 0:
            if pair.key:
                self._list = pair
            else:
                self.skipped.append(line)
            return
        data = _BOOLEANS.get(value.text.value.lower(), value.text.value)
        self._entries.append(Entry(pair.key, pair.name, pair.key_span, ScalarValue(value.text, data, value.span)))

    def _read_item(self, item: Span) -> None:
        source = self._text[item.start : item.end]
        if ":" not in source:
            self._items.append(self._scalar(item))
        elif "," not in source:
            self._item = [self._pair(item)]
        else:
            parts = self._parts(item)
            pairs = tuple(self._pair(part) for part in parts if ":" in self._text[part.start : part.end])
            self._items.append(MapValue(pairs, item))

    def _parts(self, item: Span) -> list[Span]:
        spans = []
        start = item.start
        for part in self._text[item.start : item.end].split(","):
            spans.append(Span(start, start + len(part)))
            start += len(part) + 1
        return spans

    def _close_item(self) -> None:
        if self._item:
            span = Span(self._item[0].key_span.start, self._item[-1].value.span.end)
            self._items.append(MapValue(tuple(self._item), span))
            self._item = []

    def _close_list(self) -> None:
        self._close_item()
        if self._list is not None:
            key = self._list
            end = self._items[-1].span.end if self._items else key.value.span.end
            start = self._items[0].span.start if self._items else end
            self._entries.append(
                Entry(key.key, key.name, key.key_span, ListValue(tuple(self._items), Span(start, end)))
            )
        self._list = None
        self._items = []

    def _pair(self, span: Span) -> Entry:
        """Returns the entry of a `key: value`, split at its first colon, with the value as text."""
        colon = self._text.index(":", span.start, span.end)
        key = self._stripped(span.start, colon)
        source = self._text[key.start : key.end]
        return Entry(source, source, key, self._scalar(self._stripped(colon + 1, span.end)))

    def _scalar(self, span: Span) -> ScalarValue:
        """Returns a value without the quotes around it: all double ones at its ends, then all single ones."""
        value = self._text[span.start : span.end]
        inner = value.strip('"').strip("'")
        start = span.start + len(value) - len(value.lstrip('"').lstrip("'")) if inner else span.start
        text = MappedText.verbatim(self._text, Span(start, start + len(inner)))
        return ScalarValue(MappedText(text.value, span, text.segments), inner, span)

    def _stripped(self, start: int, end: int) -> Span:
        part = self._text[start:end]
        length = len(part.strip())
        begin = start + len(part) - len(part.lstrip()) if length else end
        return Span(begin, begin + length)
