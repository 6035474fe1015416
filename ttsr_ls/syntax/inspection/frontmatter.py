"""Problems of the frontmatter as a whole: not recognised, or not read completely (spec F1, F3, F4, F7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.frontmatter.quoting import with_doubled_quotes
from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.keys import KEYS
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span

_READ_LINE_BY_LINE = "Each of its lines is read by itself instead, and an invalid value keeps its quotes."
"""The effect of invalid YAML if no line is lost."""
_READ_AS_INTENDED = (
    "Each of its lines is read by itself instead, which has the same result here, but a list over several lines would "
    "be lost, and other programs reject the file."
)

DOUBLE_THE_QUOTE = "Double the quote inside: `''`."

_CODE = "frontmatter-not-recognised"
_NO_RULE = "the whole file is read as the body, so the rule has no condition and never fires"
_KNOWN_KEY = "|".join(re.escape(spelling) for key in KEYS for spelling in key.spellings)
# A block that is meant as frontmatter: a delimiter, blanks and comments of YAML, a known key.
_MEANT = re.compile(rf"^[ \t]*---[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:{_KNOWN_KEY})[ \t]*:", re.MULTILINE)
_UNDELIMITED = re.compile(rf"\A(?:{_KNOWN_KEY})[ \t]*:(?=[ \t\n])")
# A delimiter of another program, or dashes that an editor made of three hyphens, before a known key.
_LOOKALIKE = re.compile(
    rf"\A\s*(?P<line>(?:(?!---)[-+*_=~]{{2,}}|[–—―]+|`{{3,}}\w*))[ \t]*\n\s*(?:{_KNOWN_KEY})[ \t]*[:=]"
)
_CLOSING = re.compile(r"\n(?:(?P<indent>[ \t]+)---|(?P<dots>\.\.\.))[ \t]*(?=\n|\Z)")
# A key, an item, a continuation line, or a comment.
_OF_FRONTMATTER = re.compile(r"[\w-]+[ \t]*:(?=[ \t]|\Z)|-(?=[ \t])|[ \t]+\S|#")
_COMMENT = re.compile(r"[ \t]+#")
_LISTED_LINES = 4


def inspect_frontmatter(file: InspectedFile) -> Iterator[Problem]:
    """Reports why apparent frontmatter is not recognised, or which part of it is lost."""
    if file.frontmatter is None:
        problem = _opening(file) or _closing(file)
        if problem is not None:
            yield problem
    elif file.failure is not None:
        if file.frontmatter.recovered:
            yield _degraded(file)
        else:
            yield Problem(_CODE, f"The frontmatter has no effect: {file.failure.reason}.", file.failure.span)


def _opening(file: InspectedFile) -> Problem | None:
    """Reports text before the opening delimiter, which must be the first thing in the file."""
    text = file.normalised.text
    value = text.value
    if value.startswith("---"):
        return None
    if value.startswith("\ufeff---"):
        message = f"A byte order mark stands in the text before `---`: {_NO_RULE}. Remove it."
        return Problem(_CODE, message, text.source_span(0, 1), "")
    if _UNDELIMITED.match(value):
        message = (
            f"The file has keys but no `---` before them: {_NO_RULE}. Put `---` on a line before and after the keys."
        )
        return Problem(_CODE, message, file.line_of(0))
    alike = _LOOKALIKE.match(value)
    if alike is not None:
        message = f"This line does not open frontmatter: {_NO_RULE}. Write `---`, and so below the last key."
        return Problem(_CODE, message, text.source_span(*alike.span("line")))
    match = _MEANT.search(value)
    if match is None:
        return None
    delimiter = value.index("---", match.start())
    before = value[:delimiter]
    comments = [span for span in file.normalised.comments if span.start < text.source_span(delimiter, delimiter).start]
    span = Span(0, text.source_span(delimiter, delimiter + 3).start)
    if before.strip():
        message = f"`---` is not the first thing in the file: {_NO_RULE}. Move the frontmatter to the top."
        return Problem(_CODE, message, text.source_span(delimiter, delimiter + 3))
    if comments:
        message = f"A comment and a line end stand before `---`: {_NO_RULE}. Put the comment below the frontmatter."
        return Problem(_CODE, message, span)
    if "\n" in before:
        message = f"An empty line stands before `---`: {_NO_RULE}. The file must begin with `---`."
    else:
        message = f"A blank stands before `---`: {_NO_RULE}. The file must begin with `---`."
    return Problem(_CODE, message, span, "")


def _closing(file: InspectedFile) -> Problem | None:
    """Reports a line that stands in place of the closing delimiter."""
    text = file.normalised.text
    value = text.value
    if not value.startswith("---"):
        return None
    match = _CLOSING.search(value, 3)
    if match is not None and match["dots"] is not None:
        span = text.source_span(*match.span("dots"))
        return Problem(_CODE, f"`...` does not close the frontmatter: {_NO_RULE}. Write `---`.", span, "---")
    if match is not None:
        span = text.source_span(*match.span("indent"))
        message = f"The closing `---` is indented, so it closes nothing: {_NO_RULE}. Remove the blanks before it."
        return Problem(_CODE, message, span, "")
    if _MEANT.match(value) is None and value.strip() != "---":
        return None
    message = f"No line that begins with `---` closes the frontmatter: {_NO_RULE}. Add one below the last key."
    end = _end_of_keys(value)
    closer = "---\n" if value.startswith("\n", end - 1) else "\n---\n"
    return Problem(_CODE, message, text.source_span(0, 3), closer, text.source_span(end, end))


def _end_of_keys(value: str) -> int:
    """Returns the end of the lines that may belong to the frontmatter, from its first line on."""
    end = offset = value.find("\n") + 1
    if end == 0:
        return len(value)
    for line in value[end:].split("\n"):
        offset = min(offset + len(line) + 1, len(value))
        if _OF_FRONTMATTER.match(line):
            end = offset
        elif line.strip():
            break
    return end


def _degraded(file: InspectedFile) -> Problem:
    failure = file.failure
    assert failure is not None
    message = f"The frontmatter is not valid YAML: {failure.reason}. "
    doubled = with_doubled_quotes(file.source_text(failure.span))
    if doubled is not None and failure.replacement == doubled:
        message = f"The frontmatter is not valid YAML: a quote inside the value ends it. {DOUBLE_THE_QUOTE} "
    lost = _lost_lines(file)
    effect = f"Only its single lines of the form `key: value` are read, so {_lines(lost)} lost."
    comment = ""
    if failure.replacement is not None and _COMMENT.match(file.text, failure.span.end):
        comment = " The comment after this value is then a part of it."
    return Problem(
        "yaml-degraded",
        f"{message}{effect if lost else _READ_LINE_BY_LINE}{comment}",
        failure.span,
        failure.replacement,
        harmless_message=None if lost else f"{message}{_READ_AS_INTENDED}{comment}",
    )


def _lost_lines(file: InspectedFile) -> list[int]:
    """Returns the numbers, from 1, of the lines with content that are not read."""
    assert file.frontmatter is not None
    content = file.frontmatter.content_span
    read = {file.line_of(entry.key_span.start).start for entry in file.entries}
    lost = []
    offset = content.start
    number = len(re.findall(r"\r\n?|\n", file.text[:offset])) + 1
    for line in re.split(r"\r\n?|\n", file.text[content.start : content.end]):
        start = offset + len(line) - len(line.lstrip())
        if line.strip() and line.strip()[0] != "#" and start not in read:
            lost.append(number)
        offset = _next_line(file.text, offset + len(line))
        number += 1
    return lost


def _next_line(text: str, line_end: int) -> int:
    return line_end + (2 if text.startswith("\r\n", line_end) else 1)


def _lines(numbers: list[int]) -> str:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    names = [str(first) if first == last else f"{first} to {last}" for first, last in runs[:_LISTED_LINES]]
    if len(runs) > _LISTED_LINES:
        names.append("more")
    listing = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"line {listing} is" if len(numbers) == 1 else f"lines {listing} are"
