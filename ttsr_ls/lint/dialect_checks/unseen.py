"""Finds frontmatter that a program does not recognise because of its position."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Severity
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.syntax.dialects.table import Dialect, Purpose
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.text import Span, first_line_span

_CODE = "frontmatter-not-recognised"
_BEFORE = re.compile(r"\A(?P<before>[\s\ufeff]+|\s*(?:```|~~~)\w*[ \t]*\r?\n\s*)(?=---[ \t]*\r?\n)")
_MAX_LENGTH = 2_000


def check_unseen(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports frontmatter that is not recognised: its delimiters are missing, unclosed, or not at the start."""
    if file.frontmatter is not None:
        return
    text = file.text
    head = text[:_MAX_LENGTH]
    effect = "none of its keys has an effect" if dialect.purpose is Purpose.GUIDES else "the rule has no trigger"
    # Programs may change how they read guidance rules.
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
            message = f"`---` is not the first thing in the file, so {unseen}. Remove the text before it."
            yield report(_CODE, message, Span(start, len(before.rstrip())), severity=severity)
            return
        label = "A blank or an empty line stands" if "\ufeff" not in before else "An invisible character stands"
        message = f"{label} before `---`, so {unseen}. The file must begin with `---`."
        span = Span(0, match.end())
        fixes = build_fixes(_CODE, Edit(span, ""), title="Remove the text before `---`")
        yield report(_CODE, message, span, *fixes, severity=severity)
    elif head.startswith("---") and _has_key(head, key):
        message = f"No line that begins with `---` closes the frontmatter, so {unseen}. Add one below the last key."
        yield report(_CODE, message, Span(0, 3), severity=severity)
    elif key.match(head) or (dialect.purpose is Purpose.GUIDES and _are_keys_in_capitals(head, key)):
        lines = "Put `---` on a line before and after the keys"
        if not key.match(head):
            lines += ", and write them in small letters"
        message = f"The file has keys but no `---` before them, so {unseen}. {lines}."
        yield report(_CODE, message, first_line_span(head), severity=severity)


def _are_keys_in_capitals(head: str, key: re.Pattern[str]) -> bool:
    """Returns whether the first two lines are keys apart from their case. A single line may be prose."""
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
