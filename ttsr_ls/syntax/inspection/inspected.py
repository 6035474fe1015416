"""The input of the inspections: a parsed file, and the failure of parsing it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from ttsr_ls.syntax.frontmatter.frontmatter import FrontmatterFailure
from ttsr_ls.syntax.frontmatter.normalise import NormalisedText
from ttsr_ls.syntax.keys import Key, find_key
from ttsr_ls.syntax.rule_file import Entry, Fields, Frontmatter, ListValue, ScalarValue
from ttsr_ls.text import Encoding, LineIndex, Span


class InspectedFile(Struct, frozen=True, dict=True):
    """A parsed file. `failure` says why YAML failed or its result is unusable; None if the file was read completely."""

    name: str
    text: str
    normalised: NormalisedText
    frontmatter: Frontmatter | None
    fields: Fields
    failure: FrontmatterFailure | None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the frontmatter; none where there is none."""
        return self.frontmatter.entries if self.frontmatter is not None else ()

    @cached_property
    def known_entries(self) -> tuple[tuple[Key, Entry], ...]:
        """The entries of the frontmatter with a known key, in the order of the file."""
        return tuple((key, entry) for entry in self.entries if (key := find_key(entry.name)) is not None)

    @cached_property
    def _lines(self) -> LineIndex:
        return LineIndex(self.text)

    @cached_property
    def _trimmed_lines(self) -> dict[int, Span]:
        """The cache of `line_of`: one long line can have thousands of values."""
        return {}

    def scalars(self) -> Iterator[tuple[Key, ScalarValue]]:
        """Yields the scalars that are the value of a known key, or an item of its list."""
        for key, entry in self.known_entries:
            match entry.value:
                case ScalarValue():
                    yield key, entry.value
                case ListValue(items=items):
                    yield from ((key, item) for item in items if isinstance(item, ScalarValue))

    def source_text(self, span: Span) -> str:
        """Returns the text of the file at a span."""
        return self.text[span.start : span.end]

    def line_number(self, offset: int) -> int:
        """Returns the number of the line of an offset, from 1."""
        return self._lines.position(offset, Encoding.UTF32).line + 1

    def line_of(self, offset: int) -> Span:
        """Returns the line of an offset, without its end and the blanks around it; empty for a blank line."""
        number = self._lines.position(offset, Encoding.UTF32).line
        span = self._trimmed_lines.get(number)
        if span is None:
            line = self._lines.line_span(number)
            source = self.source_text(line)
            span = Span(line.end - len(source.lstrip()), max(line.start + len(source.rstrip()), line.start))
            self._trimmed_lines[number] = span
        return span
