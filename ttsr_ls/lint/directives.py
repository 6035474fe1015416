"""Comments by which a rule file says which findings are meant to be silent, and what each of them covers.

    # ttsr-ls: ignore[glob-shorthand]            in the frontmatter: this line, or the next where it stands alone
    # ttsr-ls: ignore-file[shadowed-name]        in the frontmatter: the whole file
    <!-- ttsr-ls: ignore[comment-removed] -->    anywhere: the same; no agent sees it (semantics.md F3)

A line on which a key, a list item or a block of code begins stands for all of it. What follows the bracket is a reason,
for people.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct

from ttsr_ls.syntax.normalise import normalise
from ttsr_ls.syntax.rule_file import Frontmatter, ListValue, MapValue, RuleFile, ScalarValue, Value
from ttsr_ls.text import LineIndex, Span

_MARK = "ttsr-ls:"
_YAML_COMMENT = re.compile(r"(?:^|(?<=[ \t\r\n]))#[ \t]*(ttsr-ls:[^\r\n]*)", re.MULTILINE)
_HTML_COMMENT = re.compile(r"<!--[ \t\r\n]*(ttsr-ls:.*?)[ \t\r\n]*-->", re.DOTALL)
_DIRECTIVE = re.compile(r"ttsr-ls:[ \t]*(?P<verb>[\w-]*)[ \t]*\[(?P<codes>[^\]\r\n]*)\]")
_CODE = re.compile(r"[^\s,]+")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_MOST = 500
_FORM = "Write `ttsr-ls: ignore[code]`, or `ttsr-ls: ignore-file[code]` for the whole file; commas separate codes."


class Reach(Enum):
    """How much of a file a directive covers, as it is written."""

    LINE = "ignore"
    FILE = "ignore-file"


class CodeName(Struct, frozen=True):
    """A code that a directive names, and where."""

    code: str
    span: Span


class Directive(Struct, frozen=True):
    """A directive with at least one code. `span` is its comment, `codes_span` what stands in the brackets.

    It covers findings that begin within `area`.
    """

    reach: Reach
    span: Span
    codes_span: Span
    codes: tuple[CodeName, ...]
    area: Span


class Malformed(Struct, frozen=True):
    """A comment that is meant as a directive and is none; `message` says why, in full sentences."""

    span: Span
    message: str


def directives(file: RuleFile) -> tuple[Directive | Malformed, ...]:
    """The directives of a file, in order; past the first 500, comments ask for nothing."""
    if _MARK not in file.text:
        return ()
    comments = normalise(file.text).comments
    found = sorted((*_html_comments(file, comments), *_yaml_comments(file, comments)))[:_MOST]
    layout = _Layout(file, comments) if found else None
    return tuple(_read(file, layout, span, told) for span, told in found) if layout is not None else ()


def _html_comments(file: RuleFile, comments: Iterable[Span]) -> Iterator[tuple[Span, Span]]:
    """Comments with a mark, each with the span of what it tells."""
    for comment in comments:
        found = _HTML_COMMENT.fullmatch(file.text, comment.start, comment.end)
        if found is not None:
            yield comment, Span(*found.span(1))


def _yaml_comments(file: RuleFile, comments: Iterable[Span]) -> Iterator[tuple[Span, Span]]:
    """Those of the frontmatter; a `#` in a text, or in an HTML comment, begins none."""
    if file.frontmatter is None:
        return
    content = file.frontmatter.content_span
    taken = sorted((*_texts(file.frontmatter), *comments))
    for found in _YAML_COMMENT.finditer(file.text, content.start, content.end):
        # Texts do not overlap; a comment within one ends before it does.
        before = bisect_right(taken, found.start(), key=lambda span: span.start)
        if not any(found.start() < span.end for span in taken[max(0, before - 2) : before]):
            yield Span(*found.span()), Span(*found.span(1))


def _texts(frontmatter: Frontmatter) -> Iterator[Span]:
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


def _read(file: RuleFile, layout: _Layout, comment: Span, told: Span) -> Directive | Malformed:
    found = _DIRECTIVE.match(file.text, told.start, told.end)
    if found is None:
        return Malformed(comment, f"This comment names no code in brackets, so it does nothing. {_FORM}")
    verbs = {reach.value: reach for reach in Reach}
    reach = verbs.get(found["verb"])
    if reach is None:
        return Malformed(
            comment, f"`{found['verb']}` is nothing that a comment can ask for, so it does nothing. {_FORM}"
        )
    codes_span = Span(*found.span("codes"))
    codes = tuple(
        CodeName(name[0], Span(*name.span())) for name in _CODE.finditer(file.text, codes_span.start, codes_span.end)
    )
    if not codes:
        return Malformed(comment, f"The brackets are empty, so this comment does nothing. {_FORM}")
    area = Span(0, len(file.text)) if reach is Reach.FILE else layout.area(comment)
    return Directive(reach, comment, codes_span, codes, area)


class _Layout:
    """What stands on the lines of a file, as far as directives ask."""

    def __init__(self, file: RuleFile, comments: Iterable[Span]) -> None:
        self.lines = LineIndex(file.text)
        self._ends: dict[int, int] = {}
        self._next = self._next_lines(file, comments)
        for entry in () if file.frontmatter is None else file.frontmatter.entries:
            self._begins(entry.key_span, entry.value.span)
            if isinstance(entry.value, ListValue):
                for item in entry.value.items:
                    self._begins(item.span, item.span)

    def area(self, comment: Span) -> Span:
        """The line of a comment, or the next one with something on it; with all of the value that begins there."""
        first = self.lines.position(comment.start).line
        line = first if self.shares_a_line(comment) else self._next[self.lines.position(comment.end).line + 1]
        span = self.lines.line_span(line)
        return Span(span.start, max(span.end, self._ends.get(line, 0), self._end_of_code(line)))

    def shares_a_line(self, comment: Span) -> bool:
        """Whether something else stands beside a comment."""
        first = self.lines.line_span(self.lines.position(comment.start).line)
        last = self.lines.line_span(self.lines.position(comment.end).line)
        return bool((self.lines.text[first.start : comment.start] + self.lines.text[comment.end : last.end]).strip())

    def _end_of_code(self, line: int) -> int:
        """Where the block of code ends that begins on a line; 0 where none does."""
        span = self.lines.line_span(line)
        found = _FENCE.match(self.lines.text, span.start, span.end)
        if found is None:
            return 0
        close = re.compile(rf"^[ ]{{0,3}}{found[1]}[`~]*[ \t]*\r?$", re.MULTILINE).search(self.lines.text, span.end)
        return len(self.lines.text) if close is None else close.end()

    def _begins(self, at: Span, value: Span) -> None:
        line = self.lines.position(at.start).line
        self._ends[line] = max(self._ends.get(line, 0), value.end)

    def _next_lines(self, file: RuleFile, comments: Iterable[Span]) -> list[int]:
        """For each line the next, itself included, that is neither empty nor a comment; one more for the end."""
        content = Span(0, 0) if file.frontmatter is None else file.frontmatter.content_span
        passed: set[int] = set()
        for comment in comments:
            if not self.shares_a_line(comment):
                passed.update(range(self.lines.position(comment.start).line, self.lines.position(comment.end).line + 1))
        count = self.lines.line_count
        following = [count] * (count + 1)
        for line in range(count - 1, -1, -1):
            span = self.lines.line_span(line)
            written = self.lines.text[span.start : span.end].strip()
            is_comment = content.start <= span.start < content.end and written.startswith("#")
            is_passed = not written or is_comment or line in passed
            following[line] = following[line + 1] if is_passed else line
        return following
