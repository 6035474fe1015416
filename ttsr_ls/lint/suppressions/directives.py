"""Parses the comments by which a rule file suppresses findings, and determines the part of the file each one covers.

    # ttsr-ls: ignore[glob-shorthand]            in the frontmatter: this line, or the next where it stands alone
    # ttsr-ls: ignore-file[shadowed-name]        in the frontmatter: the whole file
    <!-- ttsr-ls: ignore[comment-removed] -->    anywhere: the same; no agent sees it (spec F3)

A line on which a key, a list item or a code block begins stands for all of it. The text after the bracket is a reason
for readers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import Struct

from ttsr_ls.syntax.frontmatter.normalise import normalise
from ttsr_ls.syntax.rule_file import Frontmatter, ListValue, MapValue, RuleFile, ScalarValue, Value
from ttsr_ls.text import Encoding, LineIndex, Span

_MARK = "ttsr-ls:"
_YAML_COMMENT = re.compile(r"(?:^|(?<=[ \t\r\n]))#[ \t]*(ttsr-ls:[^\r\n]*)", re.MULTILINE)
_HTML_COMMENT = re.compile(r"<!--[ \t\r\n]*(ttsr-ls:.*?)[ \t\r\n]*-->", re.DOTALL)
_DIRECTIVE = re.compile(r"ttsr-ls:[ \t]*(?P<verb>[\w-]*)[ \t]*\[(?P<codes>[^\]\r\n]*)\]")
_CODE = re.compile(r"[^\s,]+")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
MAX_DIRECTIVES = 500
"""How many comments of a file are read as directives. The next one is reported, and the others have no effect."""
MAX_CODES = 1_000
"""How many codes all directives of a file may name together."""
_FORM = "Write `ttsr-ls: ignore[code]`, or `ttsr-ls: ignore-file[code]` for the whole file; commas separate codes."
_TOO_MANY = (
    f"A file has at most {MAX_DIRECTIVES} of these comments, with {MAX_CODES:,} codes in all: this comment and those "
    "after it have no effect. Suppress the findings of the whole file with `ignore-file`, or in ttsr-ls.toml."
)


class CodeName(Struct, frozen=True):
    """A code in a directive, with its span."""

    code: str
    span: Span


class SuppressionDirective(Struct, frozen=True):
    """A directive with at least one code.

    `span` is its comment, `codes_span` the content of the brackets. It covers findings that begin within `area`.
    """

    span: Span
    codes_span: Span
    codes: tuple[CodeName, ...]
    area: Span


class MalformedDirective(Struct, frozen=True):
    """An invalid directive; `message` says why, in full sentences."""

    span: Span
    message: str


def suppression_directives(file: RuleFile) -> tuple[SuppressionDirective | MalformedDirective, ...]:
    """Returns the directives of a file, in order, up to the first that exceeds a limit; that one is a
    `MalformedDirective`.
    """
    if _MARK not in file.text:
        return ()
    comments = normalise(file.text).comments
    found = sorted((*_html_comments(file, comments), *_yaml_comments(file, comments)))
    return tuple(_within_limits(file, _Layout(file, comments), found)) if found else ()


def _within_limits(
    file: RuleFile, layout: _Layout, found: Iterable[tuple[Span, Span]]
) -> Iterator[SuppressionDirective | MalformedDirective]:
    codes = 0
    for count, (span, content) in enumerate(found):
        directive = _read(file, layout, span, content)
        codes += len(directive.codes) if isinstance(directive, SuppressionDirective) else 0
        if count == MAX_DIRECTIVES or codes > MAX_CODES:
            yield MalformedDirective(span, _TOO_MANY)
            return
        yield directive


def _html_comments(file: RuleFile, comments: Iterable[Span]) -> Iterator[tuple[Span, Span]]:
    """Yields the HTML comments that are directives, each with the span of its content."""
    for comment in comments:
        match = _HTML_COMMENT.fullmatch(file.text, comment.start, comment.end)
        if match is not None:
            yield comment, Span(*match.span(1))


def _yaml_comments(file: RuleFile, comments: Iterable[Span]) -> Iterator[tuple[Span, Span]]:
    """Yields the YAML comments that are directives. A `#` in a scalar, or in an HTML comment, begins none."""
    if file.frontmatter is None:
        return
    content = file.frontmatter.content_span
    excluded = sorted((*_scalar_spans(file.frontmatter), *comments))
    for match in _YAML_COMMENT.finditer(file.text, content.start, content.end):
        # Scalars do not overlap, but a scalar may contain an HTML comment, so the last two spans are tested.
        before = bisect_right(excluded, match.start(), key=lambda span: span.start)
        if not any(match.start() < span.end for span in excluded[max(0, before - 2) : before]):
            yield Span(*match.span()), Span(*match.span(1))


def _scalar_spans(frontmatter: Frontmatter) -> Iterator[Span]:
    pending: list[Value] = [entry.value for entry in frontmatter.entries]
    while pending:
        value = pending.pop()
        match value:
            case ScalarValue():
                yield value.span
            case ListValue():
                pending.extend(value.items)
            case MapValue():
                pending.extend(entry.value for entry in value.entries)


def _read(file: RuleFile, layout: _Layout, comment: Span, content: Span) -> SuppressionDirective | MalformedDirective:
    match = _DIRECTIVE.match(file.text, content.start, content.end)
    if match is None:
        return MalformedDirective(comment, f"This comment names no code in brackets, so it has no effect. {_FORM}")
    if match["verb"] not in ("ignore", "ignore-file"):
        return MalformedDirective(
            comment, f"`{match['verb']}` is not an action of a comment, so the comment has no effect. {_FORM}"
        )
    codes_span = Span(*match.span("codes"))
    codes = tuple(
        CodeName(name[0], Span(*name.span())) for name in _CODE.finditer(file.text, codes_span.start, codes_span.end)
    )
    if not codes:
        return MalformedDirective(comment, f"The brackets are empty, so this comment has no effect. {_FORM}")
    area = Span(0, len(file.text)) if match["verb"] == "ignore-file" else layout.area(comment)
    return SuppressionDirective(comment, codes_span, codes, area)


class _Layout:
    """The layout of a file's lines, which determines the lines that a directive covers."""

    def __init__(self, file: RuleFile, comments: Iterable[Span]) -> None:
        self.lines = LineIndex(file.text)
        self._ends: dict[int, int] = {}
        self._trimmed: dict[int, Span] = {}
        self._closes: dict[str, tuple[int, int, int]] = {}
        """The last search for the end of a code block, by its fence: the offset of its start, and the span it found."""
        self._next = self._next_lines(file, comments)
        for entry in () if file.frontmatter is None else file.frontmatter.entries:
            self._add_extent(entry.key_span, entry.value.span)
            if isinstance(entry.value, ListValue):
                for item in entry.value.items:
                    self._add_extent(item.span, item.span)

    def area(self, comment: Span) -> Span:
        """Returns the line of a comment, or the next line that is not empty, with the whole value that begins there."""
        first = self._line(comment.start)
        line = first if self.shares_a_line(comment) else self._next[self._line(comment.end) + 1]
        span = self.lines.line_span(line)
        return Span(span.start, max(span.end, self._ends.get(line, 0), self._end_of_code(line)))

    def shares_a_line(self, comment: Span) -> bool:
        """Returns whether there is other text on the lines of a comment."""
        first = self._trimmed_line(self._line(comment.start))
        last = self._trimmed_line(self._line(comment.end))
        return first.start < comment.start or comment.end < last.end

    def _line(self, offset: int) -> int:
        return self.lines.position(offset, Encoding.UTF32).line

    def _trimmed_line(self, line: int) -> Span:
        """Returns a line without the blanks around it. Cached, because one line can have very many comments."""
        known_span = self._trimmed.get(line)
        if known_span is None:
            span = self.lines.line_span(line)
            text = self.lines.text[span.start : span.end]
            known_span = Span(span.end - len(text.lstrip()), span.start + len(text.rstrip()))
            self._trimmed[line] = known_span
        return known_span

    def _end_of_code(self, line: int) -> int:
        """Returns the end of the block of code that begins on a line; 0 if none does."""
        span = self.lines.line_span(line)
        match = _FENCE.match(self.lines.text, span.start, span.end)
        if match is None:
            return 0
        known = self._closes.get(match[1])
        if known is None or not known[0] <= span.end <= known[1]:
            close = re.compile(rf"^[ ]{{0,3}}{match[1]}[`~]*[ \t]*\r?$", re.MULTILINE).search(self.lines.text, span.end)
            # A search that begins between the start of this search and its result finds the same result.
            known = (span.end, *((len(self.lines.text),) * 2 if close is None else close.span()))
            self._closes[match[1]] = known
        return known[2]

    def _add_extent(self, span: Span, value: Span) -> None:
        line = self._line(span.start)
        self._ends[line] = max(self._ends.get(line, 0), value.end)

    def _next_lines(self, file: RuleFile, comments: Iterable[Span]) -> list[int]:
        """Returns for each line the next one, itself included, that is neither empty nor a comment; one more entry is
        for the end of the file.
        """
        content = Span(0, 0) if file.frontmatter is None else file.frontmatter.content_span
        passed: set[int] = set()
        for comment in comments:
            if not self.shares_a_line(comment):
                passed.update(range(self._line(comment.start), self._line(comment.end) + 1))
        count = self.lines.line_count
        following = [count] * (count + 1)
        for line in range(count - 1, -1, -1):
            span = self.lines.line_span(line)
            source = self.lines.text[span.start : span.end].strip()
            is_comment = content.start <= span.start < content.end and source.startswith("#")
            is_passed = not source or is_comment or line in passed
            following[line] = following[line + 1] if is_passed else line
        return following
