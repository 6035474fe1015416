"""A parsed settings file: values with spans. Parsing never raises. The known settings are not listed here."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.syntax.line_ends import line_rest
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Entry, MapValue, ScalarValue, Value
from ttsr_ls.syntax.settings_locations import OTHER_PROGRAMS, SettingsFormat
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.text import Span, shared_line_index

MAX_LENGTH = 256 * 1024
"""Longer settings, in characters, are not read: no user writes so many."""

BROKEN = "broken-settings"
"""The code of the only problem that reading finds."""

_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"{_TEXT}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(rf"{_TEXT}|,(?=\s*[}}\]])")
_END_OF_VALUES = re.compile(r"\s*[}\]]")


class SettingsFile(Struct, frozen=True):
    """A settings file. `root` is None if the file is not valid in its format; then there is a problem."""

    path: str
    text: str
    format: SettingsFormat
    root: MapValue | None
    problems: tuple[Problem, ...]

    @property
    def is_of_another_program(self) -> bool:
        """True if the file belongs to another program, such as `.claude/settings.json`, which omp reads too."""
        return PurePath(self.path).parent.name in OTHER_PROGRAMS

    def line_of(self, value: Value) -> int:
        """Returns the line on which a value of the file begins, counted from 1."""
        return shared_line_index(self.text).position(value.span.start).line + 1

    def entry(self, *keys: str) -> Entry | None:
        """Returns the entry at the end of a path of keys. Of several entries with one key, the last one is
        effective.
        """
        found_entry: Entry | None = None
        value: Value | None = self.root
        for key in keys:
            found_entry = member(value, key)
            if found_entry is None:
                return None
            value = found_entry.value
        return found_entry


def member(value: Value | None, key: str) -> Entry | None:
    """Returns the effective entry of a map for a key with exactly this spelling; None if there is none, or if `value`
    is no map.
    """
    if not isinstance(value, MapValue):
        return None
    return next((entry for entry in reversed(value.entries) if entry.key == key), None)


def read_settings(text: str, path: str, settings_format: SettingsFormat) -> SettingsFile:
    """Parses the text of a settings file. An empty file has no settings, and no problem."""
    try:
        root = _root(text, settings_format)
    except _BrokenError as error:
        return SettingsFile(path, text, settings_format, None, (Problem(BROKEN, str(error), error.span),))
    return SettingsFile(path, text, settings_format, root, ())


class _BrokenError(Exception):
    """The text is not valid in the format of the file. The message says why, `span` where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


# Cached because a check reads the settings of a project as a file, and again for each folder of rules.
@lru_cache(2)
def _root(text: str, settings_format: SettingsFormat) -> MapValue:
    if len(text) > MAX_LENGTH:
        raise _BrokenError(f"This file is longer than {MAX_LENGTH} characters and not read.", Span(0, 0))
    try:
        value = parse_yaml(MappedText.verbatim(_to_yaml(text, settings_format), Span(0, len(text))))
    except YamlError as error:
        raise _BrokenError(
            f"This settings file is not {settings_format.value}: {error}.", line_rest(text, error.offset)
        ) from error
    match value:
        case MapValue():
            return value
        case ScalarValue(data=None) if settings_format is SettingsFormat.YAML:
            return MapValue((), value.span)
        case _:
            raise _BrokenError("Settings must be a mapping of keys to values.", value.span)


def _to_yaml(text: str, settings_format: SettingsFormat) -> str:
    """Returns a text of the same length that YAML reads as the same values. Raises `_BrokenError` for a text that YAML
    accepts and its own format does not."""
    text = text.replace("\r\n", " \n").replace("\r", "\n")
    if settings_format is SettingsFormat.YAML:
        return text
    if settings_format is SettingsFormat.JSON_WITH_COMMENTS:
        for extra in (_COMMENT, _LAST_COMMA):
            text = extra.sub(lambda match: match[0] if match[0].startswith('"') else _blanked(match[0]), text)
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        reason, offset = _json_reason(text, error)
        raise _BrokenError(
            f"This settings file is not {settings_format.value}: {reason}.", line_rest(text, offset)
        ) from error
    except (RecursionError, ValueError) as error:
        raise _BrokenError(
            f"This settings file is not {settings_format.value} that could be read.", Span(0, 0)
        ) from error
    # JSON has tabs only between values, where YAML does not always accept them.
    return text.replace("\t", " ")


def _json_reason(text: str, error: json.JSONDecodeError) -> tuple[str, int]:
    """Returns why a text is not JSON, and the offset of the error: the same with every version of Python."""
    is_at_comma = text.startswith(",", error.pos)
    comma = error.pos if is_at_comma else len(text[: error.pos].rstrip()) - 1
    if text.startswith(",", comma) and _END_OF_VALUES.match(text, comma + 1):
        return "nothing follows this comma", comma
    return error.msg, error.pos


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
