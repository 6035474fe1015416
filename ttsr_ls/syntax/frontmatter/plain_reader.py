"""Reading the frontmatter of programs that do to it nothing but YAML.

omp's own steps (`reader`) are left out: comments stay, tabs stay, kebab-case keys are other keys. What is no YAML is
read line by line all the same, as the programs do whose values are written without quotes (`globs: **/*.ts`).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.syntax.frontmatter.delimiters import split
from ttsr_ls.syntax.frontmatter.frontmatter import Failure, why_unread
from ttsr_ls.syntax.frontmatter.line_fallback import read_lines
from ttsr_ls.syntax.line_ends import with_line_feeds
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, Frontmatter, MapValue, ScalarValue, Value
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError


class PlainFile(Struct, frozen=True):
    """A file cut into its parts. `failure` tells why YAML failed; its values were then read line by line."""

    name: str
    path: str
    text: str
    frontmatter: Frontmatter | None
    body: MappedText
    failure: Failure | None

    def value(self, key: str) -> Value | None:
        """The value that counts for a key; None where it is not given, or given without one."""
        entry = None if self.frontmatter is None else self.frontmatter.entry(key)
        if entry is None or (isinstance(entry.value, ScalarValue) and entry.value.data is None):
            return None
        return entry.value

    def text_value(self, key: str) -> MappedText | None:
        """The value of a key where it is a text, else None."""
        value = self.value(key)
        return value.text if isinstance(value, ScalarValue) and isinstance(value.data, str) else None


def read_plain(text: str, *, name: str, path: str) -> PlainFile:
    """Read the text of a file; never raises on what it says."""
    parts = split(with_line_feeds(text))
    if parts.metadata is None:
        return PlainFile(name, path, text, None, parts.body, None)
    entries, failure = _entries(parts.metadata)
    recovered = failure is not None and bool(entries)
    frontmatter = Frontmatter(parts.block.span, parts.metadata.span, entries, recovered)
    return PlainFile(name, path, text, frontmatter, parts.body, failure)


def _entries(metadata: MappedText) -> tuple[tuple[Entry, ...], Failure | None]:
    if (reason := why_unread(metadata)) is not None:
        return (), Failure(reason, metadata.source_span(0, 0))
    try:
        value = parse_yaml(metadata)
    except YamlError as error:
        end = metadata.value.find("\n", error.offset)
        span = metadata.source_span(error.offset, end if end >= 0 else len(metadata.value))
        return _as_written(read_lines(metadata)), Failure(str(error), span)
    if isinstance(value, MapValue):
        return _as_written(value.entries), None
    if isinstance(value, ScalarValue) and value.data is None:
        return (), None
    return (), Failure("it is no map of keys to values", value.span)


def _as_written(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Keys are what they are written as: that `always-apply` is `alwaysApply` is omp's doing."""
    return tuple(entry if entry.name == entry.key else replace(entry, name=entry.key) for entry in entries)
