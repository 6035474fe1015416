"""Reads a TOML text that may be unfinished. Never raises; whether the text is valid is for `toml_document` to say."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from ttsr_ls.syntax.toml.toml_tree import UNFINISHED, TomlNode, TomlPath, TomlTable, TomlTree
from ttsr_ls.text import Span

MAX_NODES = 20_000
"""The most keys and values that are read. A configuration has a few dozen."""
_MAX_DEPTH = 32

_PART = r"""[\w-]+|"(?:\\.|[^"\\\r\n])*"|'[^'\r\n]*'"""
_KEY_PART = re.compile(rf"[ \t]*({_PART})[ \t]*")
_BLANK = re.compile(r"(?:[ \t]+|#[^\r\n]*)*")
_BLANKS = re.compile(r"(?:[ \t\r\n]+|#[^\r\n]*)*")
_LINE_REST = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_SHORT_TEXT = re.compile(r""""(?:\\.|[^"\\\r\n])*"|'[^'\r\n]*'""")
_LONG_TEXT = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}' + r"|'''.*?'{3,5}", re.DOTALL)
_BARE = re.compile(r"\d{4}-\d\d-\d\d \d[^\s,\]}#]*|[^\s,\]}#]+")
_SPACES = re.compile(r"[ \t]*")
_WORD = re.compile(r"[\w-]*")
# The start of a line that is no item of a list, so that the list above it is not closed.
_STATEMENT = re.compile(
    rf"(?:{_PART})(?:[ \t]*\.[ \t]*(?:{_PART}))*[ \t]*=|\[{{1,2}}[ \t]*[A-Za-z][\w.-]*[ \t]*\]{{1,2}}"
)


def parse_toml(text: str) -> TomlTree:
    """Returns the tree of a text."""
    parser = _Parser(text)
    parser.document()
    return TomlTree(tuple(parser.nodes), tuple(parser.tables), parser.root, parser.unclosed)


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 1 if text.startswith("\ufeff") else 0
        self.nodes: list[TomlNode] = []
        self.tables: list[TomlTable] = []
        self.root: dict[str, Any] = {}
        self.unclosed: Span | None = None

    def document(self) -> None:
        table: dict[str, Any] = self.root
        path: TomlPath = ()
        while len(self.nodes) < MAX_NODES:
            self._skip(_BLANKS)
            if self.at >= len(self.text):
                return
            if self.text[self.at] == "[":
                table, path = self._header()
            else:
                self._entry(table, path, 0)
            self._skip(_LINE_REST)

    def _header(self) -> tuple[dict[str, Any], TomlPath]:
        start = self.at
        is_list = self.text.startswith("[[", start)
        self.at += 2 if is_list else 1
        parts = self._parts()
        table: Any = self.root
        path: TomlPath = ()
        for number, (name, span) in enumerate(parts):
            is_last = number == len(parts) - 1
            inner = table.setdefault(name, [] if is_last and is_list else {})
            path = (*path, name)
            if isinstance(inner, list):
                if is_last and is_list:
                    inner.append({})
                path = (*path, max(len(inner) - 1, 0))
                inner = inner[-1] if inner else UNFINISHED
            self.nodes.append(TomlNode(path, span, None, is_header=True))
            # A key that already has another value keeps it, and the entries below this header are dropped.
            table = inner if isinstance(inner, dict) else {}
        line_end = _LINE_REST.match(self.text, self.at)
        self.tables.append(TomlTable(path, line_end.end() if line_end is not None else self.at))
        return table, path

    def _entry(self, table: dict[str, Any], path: TomlPath, depth: int) -> None:
        """Reads a key and its value."""
        parts = self._parts()
        if not parts:
            return
        for name, span in parts[:-1]:
            path = (*path, name)
            self.nodes.append(TomlNode(path, span, None))
            inner = table.setdefault(name, {})
            table = inner if isinstance(inner, dict) else {}
        name, span = parts[-1]
        path = (*path, name)
        if not self.text.startswith("=", self.at):
            self.nodes.append(TomlNode(path, span, None))
            return
        self.at += 1
        self._skip(_SPACES)
        node_index = len(self.nodes)
        start = self.at
        value = self._value(path, depth)
        self.nodes.insert(node_index, TomlNode(path, span, Span(start, self.at)))
        if value is not UNFINISHED:
            table.setdefault(name, value)

    def _parts(self) -> list[tuple[str, Span]]:
        parts: list[tuple[str, Span]] = []
        while (match := _KEY_PART.match(self.text, self.at)) is not None and len(parts) < _MAX_DEPTH:
            name = match[1]
            parts.append((str(_decoded(name)) if name[0] in "\"'" else name, Span(*match.span(1))))
            self.at = match.end()
            if not self.text.startswith(".", self.at):
                break
            self.at += 1
        return parts

    def _value(self, path: TomlPath, depth: int) -> object:
        opener = self.text[self.at : self.at + 1]
        if opener and opener in "\"'":
            return self._text(opener)
        if opener == "[" and depth < _MAX_DEPTH:
            return self._list(path, depth + 1)
        if opener == "{" and depth < _MAX_DEPTH:
            return self._inline_table(path, depth + 1)
        match = _BARE.match(self.text, self.at)
        if match is None:
            return UNFINISHED
        self.at = match.end()
        return _decoded(match[0])

    def _text(self, quote: str) -> object:
        is_long = self.text.startswith(quote * 3, self.at)
        match = (_LONG_TEXT if is_long else _SHORT_TEXT).match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            return _decoded(match[0])
        self._record_unclosed(3 if is_long else 1)
        if is_long:
            self.at = len(self.text)
            return UNFINISHED
        word = _WORD.match(self.text, self.at + 1)
        self.at = word.end() if word is not None else self.at + 1
        return UNFINISHED

    def _list(self, path: TomlPath, depth: int) -> list[object]:
        start = self.at
        self.at += 1
        items: list[object] = []
        index = 0
        while len(self.nodes) < MAX_NODES:
            before = self.at
            self._skip(_BLANKS)
            char = self.text[self.at : self.at + 1]
            is_new_line = "\n" in self.text[before : self.at] or "\r" in self.text[before : self.at]
            if not char or char == "}" or (is_new_line and _STATEMENT.match(self.text, self.at)):
                self._record_unclosed(1, start)
                if char:
                    self.at = before  # The blanks belong to what follows.
                return items
            if char in ",]":
                self.at += 1
                if char == "]":
                    return items
                continue
            item = self.at
            node_index = len(self.nodes)
            value = self._value((*path, index), depth)
            self.at = max(self.at, item + 1)
            span = Span(item, self.at)
            self.nodes.insert(node_index, TomlNode((*path, index), span, span))
            items.append(value)
            index += 1
        return items

    def _inline_table(self, path: TomlPath, depth: int) -> dict[str, Any]:
        start = self.at
        self.at += 1
        table: dict[str, Any] = {}
        while len(self.nodes) < MAX_NODES:
            self._skip(_BLANK)
            char = self.text[self.at : self.at + 1]
            if not char or char in "\r\n]":
                self._record_unclosed(1, start)
                return table
            if char in ",}":
                self.at += 1
                if char == "}":
                    return table
                continue
            before = self.at
            self._entry(table, path, depth)
            self.at = max(self.at, before + 1)
        return table

    def _record_unclosed(self, length: int, start: int | None = None) -> None:
        start = self.at if start is None else start
        if self.unclosed is None:
            self.unclosed = Span(start, start + length)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()


def _decoded(source: str) -> object:
    """The value that a text, a number, a date or a boolean is; `UNFINISHED` where it is none of these."""
    if len(source) > 1 and source[0] == source[-1] and "\\" not in source and source[:2] not in ('""', "''"):
        return source[1:-1] if source[0] in "\"'" else _plain(source)
    return _plain(source)


def _plain(source: str) -> object:
    if source in ("true", "false"):
        return source == "true"
    try:
        return tomllib.loads(f"x = {source}")["x"]
    except (RecursionError, ValueError):
        return UNFINISHED
