"""Finds `^` and `$` that match only the ends of the text where the ends of a line are intended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.checks.regex.assertions.anchors import FILE_STARTS
from ttsr_ls.lint.dialect_checks.hookify.alternatives import alternatives
from ttsr_ls.lint.dialect_checks.hookify.paths.path_patterns import is_for_path
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.reporting import guess, report
from ttsr_ls.syntax.hookify.python_pattern import split_flags
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition, HookifyFile

_TEXTS_OF_FILES = frozenset(("new_text", "new_string", "old_text", "old_string", "content"))
# `^` before a lookaround or a repeat of anything only makes the matcher try once, and `^#!` is about the first line.
_WHOLE_TEXT = re.compile(r"\^(?:\(\?[=!]|\[\\s\\S\]|\.\*|\.\+|\\s[*+]\$|\$|#|\\n)")
_LINE_END = re.compile(r"(?:^|[^\\])(?:\\\\)*\$$")
# A pattern for the end of a path is another mistake, which `(?m)` does not fix.
_EXTENSION = re.compile(r"\\\.\w*(?:\((?:\?:)?[\w|?]+\))?\w*\$$")
_REST = re.compile(r"(?<!\\)\.[*+]\??\$\Z")
_PLAIN = re.compile(r"[^\s\"'#|>\[{][^\"'#]*[^\s\"'#]")


def check_line_anchors(file: HookifyFile, condition: HookifyCondition) -> Iterator[Finding]:
    """Reports the first such anchor of a pattern that is matched on the text of a file."""
    text = condition.pattern_text
    if text is None or condition.field not in _TEXTS_OF_FILES or file.event not in ("file", "all"):
        return
    if is_for_path(file, condition):
        return  # The pattern is meant for a path, not for a line.
    letters, place = split_flags(text.value)
    if "m" in letters or not ({"^", "$"} & set(text.value)):
        return
    parts = alternatives(text.value[place:])
    # In `foo;|foo$`, the end of the text is intended. With the flag `s`, `.*$` is the rest of the text.
    has_line_ends = all(_LINE_END.search(part) and not ("s" in letters and _REST.search(part)) for part in parts)
    for part in parts:
        anchor = _misread(part, has_line_ends=has_line_ends)
        if anchor is not None:
            position = place if anchor == "^" else place + len(part) - 1
            span = text.source_span(position, position + 1)
            ends = "only its first line can match" if anchor == "^" else "only its last line can match"
            message = (
                f"Without `(?m)`, `{anchor}` is the {'start' if anchor == '^' else 'end'} of all of the new text, so "
                f"{ends}. Write `(?m)` at the start of the pattern."
            )
            suggestion = f"(?m){text.value}"
            is_plain = not text.value.startswith("(?") and _PLAIN.fullmatch(suggestion) is not None
            fixes = (guess("Write (?m) at its start", text.span, suggestion),) if is_plain else ()
            # A text often ends with the matched part, but rarely begins with it.
            severity = None if anchor == "^" else Severity.INFO
            yield report("anchor-without-multiline", message, span, *fixes, severity=severity)
            return
        place += len(part) + 1


def _misread(alternative: str, *, has_line_ends: bool) -> str | None:
    """Returns the anchor of an alternative that is probably meant for a line; None if there is none."""
    if alternative.startswith("^"):
        rest = alternative[1:].replace("\\", "").lower()
        is_whole = _WHOLE_TEXT.match(alternative) is not None or rest.startswith(FILE_STARTS)
        return None if is_whole else "^"
    is_whole = len(alternative) == 1 or alternative.endswith(("[\\s\\S]*$", "[\\s\\S]+$", "[\\s\\S]*?$"))
    return "$" if has_line_ends and not is_whole and _EXTENSION.search(alternative) is None else None
