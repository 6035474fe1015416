"""Text that was derived from a document, with the source of each of its characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import attrgetter

from msgspec import Struct

from ttsr_ls.esregex.tree.units import code_point_span
from ttsr_ls.text import Span

_start = attrgetter("start")


class MappedSegment(Struct, frozen=True):
    """A run of derived characters and its span in the document.

    Runs of equal length map character by character; otherwise the whole run maps to the whole span (an escape, a folded
    line end).
    """

    start: int
    length: int
    source: Span


class MappedText(Struct, frozen=True):
    """A text, `value`, and for each part of it the span in the document. `span` covers the text as written, with its
    quotes.
    """

    value: str
    span: Span
    segments: tuple[MappedSegment, ...]

    @staticmethod
    def verbatim(document: str, span: Span) -> MappedText:
        """Returns a part of a document, unchanged."""
        return MappedText(document[span.start : span.end], span, (MappedSegment(0, len(span), span),))

    @staticmethod
    def joined(parts: Iterable[tuple[str, Span]], span: Span) -> MappedText:
        """Returns the concatenation of derived runs, each given with its span in the document."""
        values: list[str] = []
        segments: list[MappedSegment] = []
        offset = 0
        for value, source in parts:
            if value:
                values.append(value)
                segments.append(MappedSegment(offset, len(value), source))
                offset += len(value)
        return MappedText("".join(values), span, tuple(segments))

    def source_span(self, start: int, end: int) -> Span:
        """Returns the span in the document of `value[start:end]`. An empty range maps to an empty span."""
        if not self.segments:
            return self.span
        first = self._at(start)
        begin = _inside(first, start, first.source.start)
        if end <= start:
            return Span(begin, begin)
        last = self._at(end - 1)
        return Span(begin, max(begin, _inside(last, end, last.source.end)))

    def source_span_of_units(self, units: Span, offset: int = 0) -> Span:
        """Returns the span in the document of a span in units of `to_units(value)`, after `offset` more units."""
        part = code_point_span(self.value, units, offset)
        return self.source_span(part.start, part.end)

    def value_offset(self, offset: int) -> int:
        """Returns the offset in `value` of an offset in the document. An offset between runs maps to the start of the
        next run.
        """
        for segment in self.segments:
            if offset < segment.source.end:
                inside = max(0, offset - segment.source.start)
                return segment.start + (inside if segment.length == len(segment.source) else 0)
        return len(self.value)

    def shift(self, start: int, end: int) -> int | None:
        """Returns the distance from each offset in `value[start:end]` to its offset in the document. None if the range
        is empty, or if it does not map character by character within one run.
        """
        if start < end and self.segments:
            segment = self._at(start)
            if (
                segment.length == len(segment.source)
                and segment.start <= start
                and end <= segment.start + segment.length
            ):
                return segment.source.start - segment.start
        return None

    def slice(self, start: int, end: int) -> MappedText:
        """Returns `value[start:end]` as a mapped text."""
        shift = self.shift(start, end)
        if shift is not None:
            span = Span(start + shift, end + shift)
            return MappedText(self.value[start:end], span, (MappedSegment(0, end - start, span),))
        return MappedText.joined(self.runs(start, end), self.source_span(start, end))

    def runs(self, start: int, end: int) -> Iterator[tuple[str, Span]]:
        """Yields the runs of `value[start:end]`, each with its span in the document, as `joined` takes them."""
        first = max(bisect_right(self.segments, start, key=_start) - 1, 0)
        for index in range(first, len(self.segments)):
            segment = self.segments[index]
            if segment.start >= end:
                break
            low, high = max(segment.start, start), min(segment.start + segment.length, end)
            if high - low == segment.length:
                yield self.value[low:high], segment.source
            elif segment.length == len(segment.source):
                yield self.value[low:high], Span(_inside(segment, low, 0), _inside(segment, high, 0))
            else:
                # A part that happens to be as long as the source would seem to map character by character.
                yield from ((char, segment.source) for char in self.value[low:high])

    def _at(self, offset: int) -> MappedSegment:
        index = bisect_right(self.segments, offset, key=_start) - 1
        return self.segments[max(index, 0)]


class TranslatedText(MappedText, frozen=True):
    """A text that was translated from `original`, which the author wrote in another language."""

    original: MappedText

    def original_part(self, start: int, end: int) -> str:
        """Returns the part of the original text from which `value[start:end]` was translated."""
        span = self.source_span(start, end)
        return self.original.value[self.original.value_offset(span.start) : self.original.value_offset(span.end)]


def _inside(segment: MappedSegment, offset: int, otherwise: int) -> int:
    """Returns the document offset of a derived offset; `otherwise` within a run that only maps as a whole."""
    if segment.length != len(segment.source):
        return segment.source.end if offset >= segment.start + segment.length else otherwise
    return segment.source.start + min(offset - segment.start, segment.length)
