"""Problems of comments, which the reference agent deletes before parsing (spec F3)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ttsr_ls.syntax.inspection.code_spans import code_spans
from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.keys import PATTERN_KEY
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span

_IN_EXAMPLE = (
    "This comment is deleted from the rule, in code too, so the agent never sees this part of the example. Describe "
    "it, or write it so that it is not `<!-- … -->`."
)
_FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*\n)*?(?: {0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE)


def inspect_comments(file: InspectedFile) -> Iterator[Problem]:
    """Reports comments whose deletion removes part of a value, or of an example in the body.

    A comment on lines of its own is meant to be hidden from the agent. A comment that begins or ends in code is an
    accident, and may remove whole sections.
    """
    if not file.normalised.comments or file.frontmatter is None:
        return
    content = file.frontmatter.content_span
    patterns = _Ranges([value.span for key, value in file.scalars() if key.name == PATTERN_KEY])
    fences, inline = _fences(file.text), _InlineCode(file)
    in_examples: list[Span] = []
    for comment in file.normalised.comments:
        if content.start <= comment.start < content.end:
            if _shares_a_line(file, comment):
                yield _comment_in_value(file, comment, patterns)
        elif comment.start >= content.end:
            yield from _comment_in_body(file, comment, fences, inline, in_examples)
    if in_examples:
        # One message for all, because a rule with one such example often has more.
        details = f" The same happens to {len(in_examples) - 1:,} more below." if len(in_examples) > 1 else ""
        yield Problem("comment-removed", f"{_IN_EXAMPLE}{details}", in_examples[0])


class _InlineCode:
    """The inline code of a file. Each line is parsed when it is first needed."""

    def __init__(self, file: InspectedFile) -> None:
        self._inspected = file
        self._lines: dict[int, _Ranges] = {}
        # Most files have comments without code; a hostile one has a hundred thousand of them.
        self._has_code = "`" in file.text

    def covers(self, offset: int) -> bool:
        """Returns whether the offset is within inline code."""
        if not self._has_code:
            return False
        line = self._inspected.line_of(offset)
        if line.start not in self._lines:
            spans = code_spans(self._inspected.source_text(line))
            self._lines[line.start] = _Ranges([span.shifted(line.start) for span in spans])
        return self._lines[line.start].around(Span(offset, offset)) is not None


def _comment_in_body(
    file: InspectedFile, comment: Span, fences: _Ranges, inline: _InlineCode, in_examples: list[Span]
) -> Iterator[Problem]:
    """Reports a comment that removes sections. Adds a comment within an example to `in_examples`."""
    last = comment.end - 1
    first_fence, last_fence = fences.around(comment), fences.around(Span(last, comment.end))
    begins_in_code = first_fence is not None or inline.covers(comment.start)
    ends_in_code = last_fence is not None or inline.covers(last)
    if not (begins_in_code or ends_in_code):
        return
    last_line = file.line_number(last)
    if first_fence == last_fence and (first_fence is not None or file.line_number(comment.start) == last_line):
        in_examples.append(comment)
        return
    message = (
        f"Everything from this `<!--` to the `-->` in line {last_line} is deleted from the rule, {len(comment):,} "
        "characters: `<!--` and `-->` count in code as well. Describe the comment, or write `<! --`."
    )
    line_end = file.line_of(comment.start).end
    yield Problem("comment-removed", message, Span(comment.start, max(line_end, comment.start + 1)))


class _Ranges:
    """Spans that do not overlap. The search takes logarithmic time, as a file can have many spans and comments."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans)

    def around(self, comment: Span) -> Span | None:
        """Returns the span that begins before a comment and ends after its start."""
        number = bisect_left(self._spans, comment.start, key=lambda span: span.start)
        span = self._spans[number - 1] if number else None
        return span if span is not None and comment.start < span.end else None


def _comment_in_value(file: InspectedFile, comment: Span, patterns: _Ranges) -> Problem:
    message = (
        "This comment is deleted before the frontmatter is read, in quotes too, and the value continues without it."
    )
    pattern = patterns.around(comment)
    source = file.source_text(comment)
    if pattern is None or comment.end > pattern.end or "\n" in source or "\r" in source:
        return Problem("comment-removed", message, comment)
    message += " Write `<!-[-]` to match the beginning of a comment."
    return Problem("comment-removed", message, comment, source.replace("<!--", "<!-[-]", 1))


def _shares_a_line(file: InspectedFile, comment: Span) -> bool:
    first, last = file.line_of(comment.start), file.line_of(comment.end)
    return first.start < comment.start or comment.end < last.end


def _fences(text: str) -> _Ranges:
    """The blocks of code of a file."""
    return _Ranges([Span(*match.span()) for match in _FENCE.finditer(text.replace("\r", "\n"))])
