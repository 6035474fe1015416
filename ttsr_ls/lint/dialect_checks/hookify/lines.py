"""Checks lines: lines that hookify skips, and frontmatter that ends too early."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.reporting import report
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.syntax.dialects.table import HOOKIFY
from ttsr_ls.syntax.hookify.rule_file import HookifyFile
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import Entry, ListValue
from ttsr_ls.text import Span

_CODE = "hookify-skipped-line"
_BLOCK_INDICATOR = re.compile(r"[|>][-+0-9]*(?:\s+#.*)?")
_LATER_END = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_WITH_PATTERNS = ("pattern", "conditions")
_WORD = re.compile(r"[\w-]+")
# Without these lines a rule does the same, or fires on more than it should.
_HARMLESS = re.compile(
    r"\W*(?:(?:name|events?)\b.*|enabled\W*(?:true|yes|on|1)|action\W*warn|operator\W*regex_match)", re.I
)
# A key that tells how conditions are combined, such as `combinator: or`, or one that holds a list of them: `any:`.
_COMBINATION = re.compile(
    r"(?P<key>combinator|combine|logic|match|mode|operator|op|type|require|any|all|any_of|all_of|or|and|not|none)\s*:"
    r"(?P<value>.*)",
    re.IGNORECASE,
)
_ANY = re.compile(r"\b(?:or|any|any_of|one|some|not|none)\b|\|\|", re.IGNORECASE)
_MAX_SHOWN = 40


def check_lines(read: HookifyFile) -> Iterator[Finding]:
    """Reports groups of skipped lines that carry a part of the rule, and an early end of the frontmatter."""
    if read.block is None:
        return
    yield from _check_end(read)
    for lines in _groups(read):
        message = _reason(read, lines)
        if message is not None:
            written = read.file.text[lines[0].start : lines[0].end]
            is_one_key = all(read.file.text.startswith("-", line.start) for line in lines[1:])
            is_harmless = (is_one_key and _HARMLESS.fullmatch(written)) or _is_stray(read, lines[0], written)
            is_harmless = is_harmless or _asks_for_all(read, lines[0], written)
            severity = Severity.WARNING if is_harmless else None
            yield report(_CODE, message, Span(lines[0].start, lines[-1].end), severity=severity)


def is_block_indicator(written: str) -> bool:
    """Returns whether a value is the indicator of a YAML block scalar."""
    return _BLOCK_INDICATOR.fullmatch(written) is not None


def _check_end(read: HookifyFile) -> Iterator[Finding]:
    assert read.block is not None
    text, close = read.file.text, read.block.close
    line_start = max(text.rfind("\n", 0, close.start), text.rfind("\r", 0, close.start)) + 1
    if line_start == 0 or not text[line_start : close.start].strip():
        if line_start < close.start and _LATER_END.search(text, close.end):
            message = (
                "hookify ends the frontmatter at the first `---`, also at an indented one; the rest is the message."
            )
            yield report("truncated-value", message, close, severity=Severity.WARNING)
        elif text[close.end :].partition("\n")[0].strip():
            message = "What follows the closing `---` on its line becomes the beginning of the message."
            yield report("truncated-value", message, close, severity=Severity.INFO)
        return
    message = (
        "hookify ends the frontmatter at the first `---`, also in the middle of a line. The rest of this line and the "
        "lines below it become the message. Write `-{3}` in a pattern, or leave it out elsewhere."
    )
    is_last = not text[close.end :].partition("\n")[0].strip()
    yield report("truncated-value", message, close, severity=Severity.WARNING if is_last else Severity.ERROR)


def _groups(read: HookifyFile) -> Iterator[list[Span]]:
    """Skipped lines that follow each other."""
    assert read.block is not None
    group: list[Span] = []
    for line in read.block.skipped:
        if group and _holds_entry(read, group[-1].end, line.start):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _holds_entry(read: HookifyFile, start: int, end: int) -> bool:
    return bool(read.file.text[start:end].strip()) and not all(
        line.lstrip().startswith("#") or not line.strip() for line in read.file.text[start:end].splitlines()
    )


def _reason(read: HookifyFile, lines: list[Span]) -> str | None:
    """Returns why a group of lines is skipped; None where it carries nothing of the rule, or another finding
    says so."""
    assert read.block is not None
    text = read.file.text
    written = text[lines[0].start : lines[0].end]
    if not written.strip("-") or _is_on_line_of_end(read, lines):
        return None  # A part of a delimiter.
    line_start = max(text.rfind("\n", 0, lines[0].start), text.rfind("\r", 0, lines[0].start)) + 1
    is_indented = lines[0].start > line_start
    above = _entry_above(read, lines[0].start)
    if above is not None and isinstance(above.value, ListValue) and (is_indented or above.key == "conditions"):
        if HOOKIFY.find_key(above.key) is None:
            return None
        if above.key == "conditions" and above.value.items and lines[0].start < above.value.span.start:
            return _combination(written) or (
                f"hookify does not read {code(written, _MAX_SHOWN)}: the items of `conditions` follow directly "
                "below it, "
                "and each begins with `-`."
            )
        if above.value.items:
            return (
                f"hookify does not read {code(written, _MAX_SHOWN)}: below a list item, `key: value` lines must be "
                "indented by three spaces or more. Indent the items of `conditions` by two spaces and these lines "
                "by four."
            )
        return (
            f"hookify does not read {code(written, _MAX_SHOWN)}: `{above.key}` takes a list here, whose items "
            "begin with "
            "`-`."
        )
    if _is_known_key(written):
        if is_indented:
            return f"hookify does not read {code(written, _MAX_SHOWN)}: a key must begin at the start of its line."
        return f"hookify does not read {code(written, _MAX_SHOWN)}: a key and its value need a colon between them."
    if above is None or HOOKIFY.find_key(above.key) is None:
        return None
    if is_block_indicator(text[above.value.span.start : above.value.span.end]):
        return None
    return f"hookify does not read {code(written, _MAX_SHOWN)}: the value of `{above.key}` ends with its line."


def _combination(written: str) -> str | None:
    """Returns the way of combining conditions that a line states; None for another line."""
    found = _COMBINATION.match(written)
    if found is None:
        return None
    why = f"hookify does not read {code(written, _MAX_SHOWN)}: it has no way to combine conditions, and all must hold."
    is_any = _ANY.search(f"{found['key']} {found['value']}") is not None
    return f"{why} Write one rule for each alternative." if is_any else f"{why} Remove the line."


def _asks_for_all(read: HookifyFile, line: Span, written: str) -> bool:
    """Returns whether a line above the items of `conditions` tells that all must hold, which they must anyway."""
    above = _entry_above(read, line.start)
    found = _COMBINATION.match(written)
    is_above_items = above is not None and above.key == "conditions" and line.start < above.value.span.start
    return is_above_items and found is not None and _ANY.search(f"{found['key']} {found['value']}") is None


def _is_stray(read: HookifyFile, line: Span, written: str) -> bool:
    """Returns whether a line is no key and stands below a value that needs no more lines."""
    above = _entry_above(read, line.start)
    return above is not None and above.key not in _WITH_PATTERNS and not _is_known_key(written)


def _is_on_line_of_end(read: HookifyFile, lines: list[Span]) -> bool:
    assert read.block is not None
    between = read.file.text[lines[0].start : read.block.close.start]
    return len(lines) == 1 and "\n" not in between and "\r" not in between


def _is_known_key(written: str) -> bool:
    word = _WORD.match(written)
    if word is None:
        return False
    rest = written[word.end() :].lstrip()
    keys = tuple(key.name for key in HOOKIFY.keys)
    return (rest[:1] in (":", "=") or word[0] in keys) and nearest_word(word[0], keys) is not None


def _entry_above(read: HookifyFile, offset: int) -> Entry | None:
    assert read.block is not None
    above = [entry for entry in read.block.frontmatter.entries if entry.key_span.start < offset]
    return above[-1] if above else None
