"""Reads the answers of a scripted model from YAML (docs/agent.md). Error messages name the line."""

from __future__ import annotations

import math
import re

from msgspec import Struct

from ttsr_ls.errors import TtsrError
from ttsr_ls.session.history.usage import MAX_TOKENS, Usage
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, ListValue, MapValue, ScalarValue, Value
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.text import Span

MAX_LENGTH = 1024 * 1024
"""The longest script that is read, in characters."""

_MAX_PAUSE = 600.0

_COUNTS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_tokens",
    "cache_write": "cache_write_tokens",
}

ScriptValue = None | bool | int | float | str | list["ScriptValue"] | dict[str, "ScriptValue"]


class ScriptError(TtsrError):
    """A script that cannot be read; the text says where and why."""


class SayText(Struct, frozen=True):
    """Prose as a list of deltas."""

    deltas: tuple[str, ...]


class ThinkText(Struct, frozen=True):
    """Thinking as a list of deltas, with the `signature` that the provider checks."""

    deltas: tuple[str, ...]
    signature: str


class CallTool(Struct, frozen=True):
    """The model calls `tool` with these arguments."""

    tool: str
    arguments: dict[str, ScriptValue]


class PauseStream(Struct, frozen=True):
    """The stream pauses for a number of seconds."""

    seconds: float


class FailStream(Struct, frozen=True):
    """The provider reports an error, and no more comes."""

    message: str


class ReportUsage(Struct, frozen=True):
    """The provider reports the tokens of the answer."""

    usage: Usage


ScriptLine = SayText | ThinkText | CallTool | PauseStream | FailStream | ReportUsage


class Script(Struct, frozen=True):
    """The answers of a scripted model in their order, and those of its judge."""

    answers: tuple[tuple[ScriptLine, ...], ...]
    judge: tuple[tuple[ScriptLine, ...], ...]


def read_script(text: str) -> Script:
    """Parses a YAML text as a script. Raises ScriptError."""
    if len(text) > MAX_LENGTH:
        raise ScriptError(f"A script has at most {MAX_LENGTH} characters.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    reader = _Reader(text)
    try:
        root = parse_yaml(MappedText.verbatim(text, Span(0, len(text))))
    except YamlError as error:
        raise ScriptError(f"Line {reader.line(error.offset)}: this is not YAML: {error}.") from error
    return reader.script(root)


class _Reader:
    """Converts YAML values with their positions to lines of a script."""

    def __init__(self, text: str) -> None:
        self._text = text

    def line(self, offset: int) -> int:
        return self._text.count("\n", 0, offset) + 1

    def script(self, root: Value) -> Script:
        entries = {entry.key: entry for entry in self._map(root, "A script")}
        for entry in entries.values():
            if entry.key not in ("answers", "judge"):
                raise self._error(entry.key_span, f"a script has `answers` and `judge`, not `{entry.key}`")
        if "answers" not in entries:
            raise self._error(root.span, "a script needs `answers`")
        return Script(*(self._answers(entries.get(key)) for key in ("answers", "judge")))

    def _answers(self, entry: Entry | None) -> tuple[tuple[ScriptLine, ...], ...]:
        if entry is None:
            return ()
        return tuple(self._answer(answer) for answer in self._list(entry.value, f"`{entry.key}`"))

    def _answer(self, value: Value) -> tuple[ScriptLine, ...]:
        if isinstance(value, ScalarValue):
            return (SayText(self._deltas(value)),)
        return tuple(self._part(part) for part in self._list(value, "An answer"))

    def _part(self, value: Value) -> ScriptLine:
        entries = {entry.key: entry.value for entry in self._map(value, "A part of an answer")}
        match sorted(entries):
            case ["text"]:
                return SayText(self._deltas(entries["text"]))
            case ["thinking"]:
                return ThinkText(self._deltas(entries["thinking"]), "c2NyaXB0")
            case ["signature", "thinking"]:
                return ThinkText(self._deltas(entries["thinking"]), self._string(entries["signature"]))
            case ["tool"]:
                return CallTool(self._string(entries["tool"]), {})
            case ["arguments", "tool"]:
                given_arguments = self._map(entries["arguments"], "`arguments`")
                arguments = {entry.key: self._plain(entry.value) for entry in given_arguments}
                return CallTool(self._string(entries["tool"]), arguments)
            case ["pause"]:
                return PauseStream(self._seconds(entries["pause"]))
            case ["error"]:
                return FailStream(self._string(entries["error"]))
            case ["usage"]:
                return ReportUsage(self._usage(entries["usage"]))
        name = "`text`, `thinking` (with `signature`), `tool` (with `arguments`), `pause`, `error` or `usage`"
        raise self._error(value.span, f"a part of an answer is {name}")

    def _deltas(self, value: Value) -> tuple[str, ...]:
        """Returns the deltas of a text: its words, or the items of a list."""
        if isinstance(value, ListValue):
            return tuple(self._string(item) for item in value.items)
        return tuple(split_words(self._string(value)))

    def _seconds(self, value: Value) -> float:
        data = value.data if isinstance(value, ScalarValue) else None
        if isinstance(data, bool) or not isinstance(data, int | float) or not 0 <= data <= _MAX_PAUSE:
            raise self._error(value.span, f"a pause is a number of seconds, at most {_MAX_PAUSE:g}")
        return float(data)

    def _usage(self, value: Value) -> Usage:
        counts: dict[str, int] = {}
        for entry in self._map(value, "`usage`"):
            data = entry.value.data if isinstance(entry.value, ScalarValue) else None
            if entry.key not in _COUNTS:
                raise self._error(entry.key_span, f"`usage` has {', '.join(f'`{key}`' for key in _COUNTS)}")
            if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= MAX_TOKENS:
                raise self._error(entry.value.span, "a number of tokens is needed here")
            counts[_COUNTS[entry.key]] = data
        return Usage(**counts)

    def _string(self, value: Value) -> str:
        if not isinstance(value, ScalarValue) or not isinstance(value.data, str):
            raise self._error(value.span, "a text is needed here (in quotes where it looks like something else)")
        return value.data

    def _plain(self, value: Value) -> ScriptValue:
        match value:
            case ScalarValue():
                if isinstance(value.data, float) and not math.isfinite(value.data):
                    raise self._error(value.span, "JSON has no such number")
                return value.data
            case ListValue():
                return [self._plain(item) for item in value.items]
            case MapValue():
                return {entry.key: self._plain(entry.value) for entry in value.entries}

    def _map(self, value: Value, kind: str) -> tuple[Entry, ...]:
        if not isinstance(value, MapValue):
            raise self._error(value.span, f"{kind} is a mapping of keys to values")
        return value.entries

    def _list(self, value: Value, kind: str) -> tuple[Value, ...]:
        if not isinstance(value, ListValue):
            raise self._error(value.span, f"{kind} is a list")
        return value.items

    def _error(self, span: Span, message: str) -> ScriptError:
        return ScriptError(f"Line {self.line(span.start)}: {message}.")


def split_words(text: str) -> list[str]:
    """Splits a text into words, each with the white space before it; the last also has the white space at the end."""
    return re.findall(r"\s*\S+(?:\s+\Z)?|\s+\Z", text)
