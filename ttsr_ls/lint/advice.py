"""Extracts the advice of a rule's body: good examples in code blocks, and code that it recommends instead of other
code.

Only code that is marked as good counts: by the heading or the line above a block, by a comment in it, by the header of
a table's column, or by a sentence that contrasts it with other code. Unmarked code is no advice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.lint.limits import LINT_LIMITS, LintLimits
from ttsr_ls.rule_tests.body_examples import FIRES
from ttsr_ls.text import Span

_MAX_EXAMPLES = 40
_FENCE = re.compile(r"[ \t]{0,8}(`{3,}|~{3,})[ \t]*([\w#+-]*)")
_HEADING = re.compile(r"#{1,6}[ \t]+(.*)")
_GOOD = re.compile(
    r"(?i)✅|✔|👍|\b(?:good|correct|right|preferred|prefer|recommended|instead|better|safer|alternatives?|fixed|valid|"
    r"allowed|use)\b|正确|推荐|建议|改用"
)
_BAD = re.compile(
    r"(?i)❌|✗|✘|🚫|👎|\b(?:bad|wrong|incorrect|unclear|unsafe|avoid|never|not|don'?t|invalid|forbidden|before|anti-?patterns?|violat\w+|"
    r"instead of|rather than|no|without|smell\w*|broken|legacy|old|discouraged|banned|flagged|triggers?|blocked)\b"
    r"|错误|禁止|避免|不要|反例"
)
_COMMENT = re.compile(r"[ \t]*(?://|#|--|/\*|<!--|;|%)[ \t]*(.*)")
_REMARK = re.compile(r"[ \t](?://|#|--(?=[ \t])|/\*)[ \t]*(\S.*)")
"""A comment after code on the same line. Two hyphens before a letter are an option of a command."""
_PASSING = re.compile(r"(?i)(?<=\S)[ \t]+(?:no|without|before)\b")
"""Words that do not mark code as bad unless a remark begins with them: `# works without a server`."""
_CODE = r"`([^`\n]{2,120})`"
_NEUTRAL = r"[^.`\n;]{0,24}?"
_OTHERS = r"(?:(?:,|,? or|,? and)[ \t]`[^`\n]{1,120}`){0,3}"
_CONTRASTS = (
    re.compile(
        rf"(?i)\b(?:use|prefer|write|call|run){_NEUTRAL}{_CODE}{_OTHERS}{_NEUTRAL}"
        r"\b(?:instead|rather than|over|in place of)\b"
    ),
    re.compile(rf"(?i)\binstead of{_NEUTRAL}`[^`\n]+`,?{_NEUTRAL}\b(?:use|prefer|write|call)\b{_NEUTRAL}{_CODE}"),
    re.compile(rf"(?i)\breplace{_NEUTRAL}`[^`\n]+`{_NEUTRAL}\b(?:with|by){_NEUTRAL}{_CODE}"),
    re.compile(rf"`[^`\n]+`[ \t]*(?:→|->|=>)[ \t]*{_CODE}"),
)
_NEGATED = re.compile(r"(?i)\b(?:not|never|don'?t|no longer|avoid|only|unless|except|when|if)\b")
_SENTENCE_END = re.compile(r"[.!?]\s+")
_CELL = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*")
_IN_CODE = re.compile(_CODE)


class Advice(Struct, frozen=True):
    """Code that the rule recommends, at `span` of the body.

    `language` is that of its block, "" if unknown. `code` is without comments, `full` with them; both have the length
    of the span.
    """

    code: str
    full: str
    span: Span
    language: str

    def lines(self) -> Iterator[Advice]:
        """Yields the lines of the advice, without their line ends."""
        start = 0
        for line in self.full.split("\n"):
            end = start + len(line)
            span = Span(self.span.start + start, self.span.start + end)
            yield Advice(self.code[start:end], line, span, self.language)
            start = end + 1


class _Line(Struct, frozen=True):
    text: str
    start: int


def advice_in(body: str, limits: LintLimits = LINT_LIMITS) -> tuple[Advice, ...]:
    """Returns the advice of a body, in text order, at most forty items."""
    body = body[: limits.body]
    advices = sorted([*_blocks(body), *_sentences(body)], key=lambda advice: advice.span)
    return tuple(advices[:_MAX_EXAMPLES])


def _blocks(body: str) -> Iterator[Advice]:
    """Yields the code blocks, or parts of them, that are marked as good."""
    heading: bool | None = None
    lead: bool | None = None
    fence: str | None = None
    language, lines = "", list[_Line]()
    for line in _lines(body):
        match = _FENCE.match(line.text)
        if fence is not None:
            if match and match[1].startswith(fence) and not match[2]:
                yield from _parts(lines, language, heading if lead is None else lead)
                fence, lead = None, None
            else:
                lines.append(line)
        elif match:
            fence, language, lines = match[1], match[2].lower(), []
            if FIRES in line.text:
                lead = False
        elif (title := _HEADING.match(line.text)) is not None:
            heading, lead = _mark(title[1]), None
        elif line.text.strip():
            lead = _lead_mark(line.text)


def _parts(lines: list[_Line], language: str, is_good: bool | None) -> Iterator[Advice]:
    """Yields the runs of good lines of a block. A comment alone on a line marks the lines below it, any other comment
    its own line.
    """
    run: list[_Line] = []
    mark = is_good
    for line in lines:
        comment = _COMMENT.fullmatch(line.text)
        comment_mark = _mark(comment[1]) if comment else None
        if comment_mark is not None:
            yield from _advice(run, language)
            run, mark = [], comment_mark
            continue
        remark = _REMARK.search(line.text)
        line_mark = _mark(_PASSING.sub("", remark[1])) if remark and not comment else None
        if (mark if line_mark is None else line_mark) is True:
            run.append(line)
        else:
            yield from _advice(run, language)
            run = []
    yield from _advice(run, language)


def _advice(run: list[_Line], language: str) -> Iterator[Advice]:
    full = "\n".join(line.text for line in run)
    if full.strip():
        code = "\n".join(_without_comment(line.text) for line in run)
        yield Advice(code, full, Span(run[0].start, run[0].start + len(full)), language)


def _without_comment(line: str) -> str:
    if _COMMENT.fullmatch(line):
        return " " * len(line)
    remark = _REMARK.search(line)
    return line if remark is None else line[: remark.start()] + " " * (len(line) - remark.start())


def _sentences(body: str) -> Iterator[Advice]:
    """Yields code that a sentence, or a column of a table, recommends instead of other code."""
    columns: list[bool | None] = []
    before: _Line | None = None
    for line in _prose(body):
        if line.text.count("|") > 1:
            if before is not None and _RULE.fullmatch(line.text):
                columns = [_mark(cell) for cell in _CELL.split(before.text)]
            elif columns:
                yield from _cells(line, columns)
        else:
            columns = []
            yield from _contrasts(line)
        before = line


def _cells(line: _Line, columns: list[bool | None]) -> Iterator[Advice]:
    start = line.start
    for cell, is_good in zip(_CELL.split(line.text), columns, strict=False):
        if is_good:
            for match in _IN_CODE.finditer(cell):
                yield _inline(match, start)
        start += len(cell) + 1


def _contrasts(line: _Line) -> Iterator[Advice]:
    for pattern in _CONTRASTS:
        for match in pattern.finditer(line.text):
            sentence = line.text[: match.start()].rpartition(". ")[2] + match[0]
            if not _NEGATED.search(re.sub(r"`[^`]*`", "", sentence)):
                yield _inline(match, line.start)


def _inline(match: re.Match[str], offset: int) -> Advice:
    return Advice(match[1], match[1], Span(*match.span(1)).shifted(offset), "")


def _lead_mark(text: str) -> bool | None:
    """Returns the mark of a line above a block: that of its last sentence in `Do not print. Use this:`."""
    source = text.rstrip(" \t*_")
    last = _mark(_SENTENCE_END.split(source)[-1]) if source.endswith(":") else None
    return _mark(source) if last is None else last


def _mark(text: str) -> bool | None:
    """Returns whether a heading, a line above a block or a comment marks code as good; None if it does neither."""
    plain_text = re.sub(r"`[^`]*`", "", text)
    if _BAD.search(plain_text):
        return False
    return True if _GOOD.search(plain_text) else None


def _prose(body: str) -> Iterator[_Line]:
    fence: str | None = None
    for line in _lines(body):
        match = _FENCE.match(line.text)
        if match and (fence is None or match[1].startswith(fence)):
            fence = match[1] if fence is None else None
        elif fence is None:
            yield line


def _lines(body: str) -> Iterator[_Line]:
    start = 0
    for text in body.split("\n"):
        yield _Line(text, start)
        start += len(text) + 1
