"""Text that was derived from a document, and still knows where each of its characters came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import attrgetter

from msgspec import Struct

from ttsr_ls.text import Span


class MappedSegment(Struct, frozen=True):
    """A run of derived characters and the span of the document that it stands for.

    Runs of equal length map character by character; otherwise the run as a whole maps to the whole span
    (an escape, a folded line end).
    """

    start: int
    length: int
    source: Span


class MappedText(Struct, frozen=True):
    """`value`, and for each part of it the span in the document; `span` is all of it as written, with its quotes."""

    value: str
    span: Span
    segments: tuple[MappedSegment, ...]

    @staticmethod
    def verbatim(document: str, span: Span) -> MappedText:
        """The part of a document as it stands there."""
        return MappedText(document[span.start : span.end], span, (MappedSegment(0, len(span), span),))

    @staticmethod
    def joined(parts: Iterable[tuple[str, Span]], span: Span) -> MappedText:
        """Derived runs, each with the span that it stands for, one after the other."""
        values: list[str] = []
        pieces: list[MappedSegment] = []
        offset = 0
        for value, source in parts:
            if value:
                values.append(value)
                pieces.append(MappedSegment(offset, len(value), source))
                offset += len(value)
        return MappedText("".join(values), span, tuple(pieces))

    def source_span(self, start: int, end: int) -> Span:
        """The span of the document from which `value[start:end]` came; an empty range maps to an empty span."""
        if not self.segments:
            return self.span
        first = self._at(start)
        begin = _inside(first, start, first.source.start)
        if end <= start:
            return Span(begin, begin)
        last = self._at(end - 1)
        return Span(begin, max(begin, _inside(last, end, last.source.end)))

    def value_offset(self, offset: int) -> int:
        """The offset in `value` of a place in the document; of one between runs, that of the next run."""
        for piece in self.segments:
            if offset < piece.source.end:
                inside = max(0, offset - piece.source.start)
                return piece.start + (inside if piece.length == len(piece.source) else 0)
        return len(self.value)

    def slice(self, start: int, end: int) -> MappedText:
        """`value[start:end]` as a mapped text of its own."""
        return MappedText.joined(self.runs(start, end), self.source_span(start, end))

    def runs(self, start: int, end: int) -> Iterator[tuple[str, Span]]:
        """The runs of `value[start:end]`, each with the span that it stands for, to be joined with others."""
        first = max(bisect_right(self.segments, start, key=_start) - 1, 0)
        for index in range(first, len(self.segments)):
            piece = self.segments[index]
            if piece.start >= end:
                break
            low, high = max(piece.start, start), min(piece.start + piece.length, end)
            if high - low == piece.length:
                yield self.value[low:high], piece.source
            elif piece.length == len(piece.source):
                yield self.value[low:high], Span(_inside(piece, low, 0), _inside(piece, high, 0))
            else:
                # Character by character, lest a part that happens to be as long as the source seems to map one to one.
                yield from ((char, piece.source) for char in self.value[low:high])

    def _at(self, offset: int) -> MappedSegment:
        index = bisect_right(self.segments, offset, key=_start) - 1
        return self.segments[max(index, 0)]


_start = attrgetter("start")


def _inside(piece: MappedSegment, offset: int, otherwise: int) -> int:
    """The document offset of a derived offset in a piece that maps one to one, else `otherwise`."""
    if piece.length != len(piece.source):
        return piece.source.end if offset >= piece.start + piece.length else otherwise
    return piece.source.start + min(offset - piece.start, piece.length)
