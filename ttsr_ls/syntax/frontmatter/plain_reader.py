"""Reads the frontmatter of programs that only parse it as YAML.

The additional steps of omp (`reader`) are left out: comments and tabs stay, and a kebab-case key is another key.
Frontmatter that is not valid YAML is read line by line, as programs do whose values are written without quotes (`globs:
**/*.ts`).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.syntax.frontmatter.delimiters import split_frontmatter
from ttsr_ls.syntax.frontmatter.frontmatter import FrontmatterFailure, unread_reason
from ttsr_ls.syntax.frontmatter.line_fallback import read_lines
from ttsr_ls.syntax.line_ends import with_line_feeds
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, Frontmatter, MapValue, ScalarValue, Value
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError


class PlainFile(Struct, frozen=True):
    """A file split into its parts. If YAML failed, `failure` says why, and the values were read line by line."""

    name: str
    path: str
    text: str
    frontmatter: Frontmatter | None
    body: MappedText
    failure: FrontmatterFailure | None

    def value(self, key: str) -> Value | None:
        """Returns the effective value of a key; None if the key is not given, or has no value."""
        entry = None if self.frontmatter is None else self.frontmatter.entry(key)
        if entry is None or (isinstance(entry.value, ScalarValue) and entry.value.data is None):
            return None
        return entry.value

    def text_value(self, key: str) -> MappedText | None:
        """Returns the value of a key if it is a text, else None."""
        value = self.value(key)
        return value.text if isinstance(value, ScalarValue) and isinstance(value.data, str) else None


def read_plain(text: str, *, name: str, path: str) -> PlainFile:
    """Reads the text of a file. Never raises on content."""
    parts = split_frontmatter(with_line_feeds(text))
    if parts.metadata is None:
        return PlainFile(name, path, text, None, parts.body, None)
    entries, failure = _entries(parts.metadata)
    recovered = failure is not None and bool(entries)
    frontmatter = Frontmatter(parts.block.span, parts.metadata.span, entries, recovered)
    return PlainFile(name, path, text, frontmatter, parts.body, failure)


def _entries(metadata: MappedText) -> tuple[tuple[Entry, ...], FrontmatterFailure | None]:
    if (reason := unread_reason(metadata)) is not None:
        return (), FrontmatterFailure(reason, metadata.source_span(0, 0))
    try:
        value = parse_yaml(metadata)
    except YamlError as error:
        end = metadata.value.find("\n", error.offset)
        span = metadata.source_span(error.offset, end if end >= 0 else len(metadata.value))
        return _written_entries(read_lines(metadata)), FrontmatterFailure(str(error), span)
    if isinstance(value, MapValue):
        return _written_entries(value.entries), None
    if isinstance(value, ScalarValue) and value.data is None:
        return (), None
    return (), FrontmatterFailure("it is no map of keys to values", value.span)


def _written_entries(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Returns the entries under their keys as written: only omp reads `always-apply` as `alwaysApply`."""
    return tuple(entry if entry.name == entry.key else replace(entry, name=entry.key) for entry in entries)
