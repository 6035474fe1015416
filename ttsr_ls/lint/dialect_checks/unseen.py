"""Finds frontmatter that a program does not recognise because of its position."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, Severity
from ttsr_ls.syntax.dialects.table import Dialect, Purpose
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.text import Span, first_line_span

_CODE = "frontmatter-not-recognised"
_BEFORE = re.compile(r"\A(?P<before>[\s\ufeff]+|\s*(?:```|~~~)\w*[ \t]*\r?\n\s*)(?=---[ \t]*\r?\n)")
_MAX_LENGTH = 2_000


def check_unseen(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports delimiters before a key of the dialect that open or close no frontmatter."""
    if file.frontmatter is not None:
        return
    text = file.text
    head = text[:_MAX_LENGTH]
    effect = "none of its keys has an effect" if dialect.purpose is Purpose.GUIDES else "the rule has no trigger"
    # How a program reads what a rule tells is its own business, and may change.
    severity = Severity.WARNING if dialect.purpose is Purpose.GUIDES else entry_of(_CODE).severity
    unseen = f"{dialect.program} sees no frontmatter, and {effect}"
    key = re.compile(
        rf"[ \t]*(?:{'|'.join(re.escape(spelling) for key in dialect.keys for spelling in key.spellings)})[ \t]*:"
    )
    match = _BEFORE.match(head)
    if match is not None and _has_key(head[match.end() :], key):
        before = match["before"]
        start = len(before) - len(before.lstrip())
        if before.strip("\ufeff \t\r\n"):
            message = f"`---` is not the first thing in the file, so {unseen}. Remove what stands before it."
            yield _finding(Span(start, len(before.rstrip())), message, severity)
            return
        label = "A blank or an empty line stands" if "\ufeff" not in before else "A character that nobody sees stands"
        message = f"{label} before `---`, so {unseen}. The file must begin with `---`."
        fix = Fix("Remove what stands before `---`", (Edit(Span(0, match.end()), ""),), entry_of(_CODE).fix_safety)
        yield _finding(Span(0, match.end()), message, severity, fix)
    elif head.startswith("---") and _has_key(head, key):
        message = f"No line that begins with `---` closes the frontmatter, so {unseen}. Add one below the last key."
        yield _finding(Span(0, 3), message, severity)
    elif key.match(head) or (dialect.purpose is Purpose.GUIDES and _are_keys_in_capitals(head, key)):
        lines = "Put `---` on a line before and after the keys"
        if not key.match(head):
            lines += ", and write them in small letters"
        message = f"The file has keys but no `---` before them, so {unseen}. {lines}."
        yield _finding(first_line_span(head), message, severity)


def _are_keys_in_capitals(head: str, key: re.Pattern[str]) -> bool:
    """Returns whether the first two lines are keys but for their capitals. A single line may be prose."""
    lines = head.splitlines()[:2]
    loose = re.compile(key.pattern, re.IGNORECASE)
    return len(lines) == 2 and all(loose.match(line) for line in lines)


def _has_key(block: str, key: re.Pattern[str]) -> bool:
    """Returns whether a key stands on one of the lines directly below a delimiter."""
    for line in block.splitlines()[1:]:
        if not line.strip():
            return False
        if key.match(line):
            return True
    return False


def _finding(span: Span, message: str, severity: Severity, *fixes: Fix) -> Finding:
    return Finding(_CODE, severity, message, span, fixes)
