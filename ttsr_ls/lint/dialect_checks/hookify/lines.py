"""Checks lines: lines that hookify skips, and frontmatter that ends too early."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.finding import Edit, Finding, Fix, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.syntax.dialects.table import HOOKIFY
from ttsr_ls.syntax.hookify.rule_file import HookifyFile
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import Entry, ListValue
from ttsr_ls.text import LineIndex, Span

_CODE = "hookify-skipped-line"
_BLOCK_INDICATOR = re.compile(r"[|>][-+0-9]*(?:\s+#.*)?")
_LATER_END = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_WITH_PATTERNS = ("pattern", "conditions")
_WORD = re.compile(r"[\w-]+")
# Lines without which a rule does the same, or fires more often than it should.
_HARMLESS = re.compile(
    r"\W*(?:(?:name|events?)\b.*|enabled\W*(?:true|yes|on|1)|action\W*warn|operator\W*regex_match)", re.I
)
# A key for the combination of conditions, such as `combinator: or`, or one above a list of conditions: `any:`.
_COMBINATION = re.compile(
    r"(?P<key>combinator|combine|logic|match|mode|operator|op|type|require|any|all|any_of|all_of|or|and|not|none)\s*:"
    r"(?P<value>.*)",
    re.IGNORECASE,
)
_ANY = re.compile(r"\b(?:or|any|any_of|one|some|not|none)\b|\|\|", re.IGNORECASE)
_MAX_SHOWN = 40
_REMOVE = "Remove the line."


def check_skipped_lines(file: HookifyFile) -> Iterator[Finding]:
    """Reports groups of skipped lines with a part of the rule, and an early end of the frontmatter."""
    if file.block is None:
        return
    yield from _check_end(file)
    for lines in _groups(file):
        message = _reason(file, lines)
        if message is not None:
            source = file.file.text[lines[0].start : lines[0].end]
            is_one_key = all(file.file.text.startswith("-", line.start) for line in lines[1:])
            is_harmless = (is_one_key and _HARMLESS.fullmatch(source)) or _is_stray(file, lines[0], source)
            is_harmless = is_harmless or _asks_for_all(file, lines[0], source)
            severity = Severity.WARNING if is_harmless else None
            fixes = _without_line(file, lines) if message.endswith(_REMOVE) else ()
            yield report(_CODE, message, Span(lines[0].start, lines[-1].end), *fixes, severity=severity)


def is_block_indicator(source: str) -> bool:
    """Returns whether a value is the indicator of a YAML block scalar."""
    return _BLOCK_INDICATOR.fullmatch(source) is not None


def _check_end(file: HookifyFile) -> Iterator[Finding]:
    assert file.block is not None
    text, close = file.file.text, file.block.close
    line_start = max(text.rfind("\n", 0, close.start), text.rfind("\r", 0, close.start)) + 1
    if line_start == 0 or not text[line_start : close.start].strip():
        if line_start < close.start and _LATER_END.search(text, close.end):
            message = (
                "hookify ends the frontmatter at the first `---`, even if it is indented, so the rest becomes the "
                "message. Write `-{3}` in a pattern, or remove this line elsewhere."
            )
            yield report("truncated-value", message, close, severity=Severity.WARNING)
        elif text[close.end :].partition("\n")[0].strip():
            message = "The text after the closing `---` on its line becomes the beginning of the message."
            yield report("truncated-value", message, close, severity=Severity.INFO)
        return
    message = (
        "hookify ends the frontmatter at the first `---`, even within a line, so the rest of this line and the lines "
        "below it become the message. Write `-{3}` in a pattern, or remove it elsewhere."
    )
    is_last = not text[close.end :].partition("\n")[0].strip()
    yield report("truncated-value", message, close, severity=Severity.WARNING if is_last else Severity.ERROR)


def _groups(file: HookifyFile) -> Iterator[list[Span]]:
    """Yields groups of adjacent skipped lines."""
    assert file.block is not None
    group: list[Span] = []
    for line in file.block.skipped:
        if group and _holds_entry(file, group[-1].end, line.start):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _holds_entry(file: HookifyFile, start: int, end: int) -> bool:
    return bool(file.file.text[start:end].strip()) and not all(
        line.lstrip().startswith("#") or not line.strip() for line in file.file.text[start:end].splitlines()
    )


def _reason(file: HookifyFile, lines: list[Span]) -> str | None:
    """Returns why a group of lines is skipped; None if it has no part of the rule, or another finding reports it."""
    assert file.block is not None
    text = file.file.text
    source = text[lines[0].start : lines[0].end]
    if not source.strip("-") or _is_on_line_of_end(file, lines):
        return None  # A part of a delimiter.
    line_start = max(text.rfind("\n", 0, lines[0].start), text.rfind("\r", 0, lines[0].start)) + 1
    is_indented = lines[0].start > line_start
    entry = _entry_above(file, lines[0].start)
    if entry is not None and isinstance(entry.value, ListValue) and (is_indented or entry.key == "conditions"):
        if HOOKIFY.find_key(entry.key) is None:
            return None
        if entry.key == "conditions" and entry.value.items and lines[0].start < entry.value.span.start:
            return _combination(source) or (
                f"hookify does not read {code(source, _MAX_SHOWN)}: the items of `conditions` must follow directly "
                "below it, and each must begin with `-`."
            )
        if entry.value.items:
            return (
                f"hookify does not read {code(source, _MAX_SHOWN)}: below a list item, `key: value` lines must be "
                "indented by three spaces or more. Indent the items of `conditions` by two spaces and these lines "
                "by four."
            )
        return (
            f"hookify does not read {code(source, _MAX_SHOWN)}: `{entry.key}` takes a list here, whose items begin "
            "with `-`."
        )
    if _is_known_key(source):
        if is_indented:
            return f"hookify does not read {code(source, _MAX_SHOWN)}: a key must begin at the start of its line."
        return f"hookify does not read {code(source, _MAX_SHOWN)}: a key and its value need a colon between them."
    if entry is None or HOOKIFY.find_key(entry.key) is None:
        return None
    if is_block_indicator(text[entry.value.span.start : entry.value.span.end]):
        return None
    return f"hookify does not read {code(source, _MAX_SHOWN)}: the value of `{entry.key}` ends with its line."


def _combination(source: str) -> str | None:
    """Returns the message about a line that says how conditions are combined; None for any other line."""
    match = _COMBINATION.match(source)
    if match is None:
        return None
    reason = (
        f"hookify does not read {code(source, _MAX_SHOWN)}: it has no way to combine conditions, and all must hold."
    )
    is_any = _ANY.search(f"{match['key']} {match['value']}") is not None
    return f"{reason} Write one rule for each alternative." if is_any else f"{reason} {_REMOVE}"


def _without_line(file: HookifyFile, lines: list[Span]) -> tuple[Fix, ...]:
    """Returns the fix that removes the only line of a group."""
    index = LineIndex(file.file.text)
    number = index.position(lines[0].start).line
    if len(lines) > 1 or number + 1 >= index.line_count:
        return ()
    span = Span(index.line_span(number).start, index.line_span(number + 1).start)
    return build_fixes(_CODE, Edit(span, ""), title=_REMOVE.removesuffix("."))


def _asks_for_all(file: HookifyFile, line: Span, source: str) -> bool:
    """Returns whether a line above the items of `conditions` says that all must hold, which is always so."""
    entry = _entry_above(file, line.start)
    match = _COMBINATION.match(source)
    is_above_items = entry is not None and entry.key == "conditions" and line.start < entry.value.span.start
    return is_above_items and match is not None and _ANY.search(f"{match['key']} {match['value']}") is None


def _is_stray(file: HookifyFile, line: Span, source: str) -> bool:
    """Returns whether a line is no key and stands below a value that needs no more lines."""
    entry = _entry_above(file, line.start)
    return entry is not None and entry.key not in _WITH_PATTERNS and not _is_known_key(source)


def _is_on_line_of_end(file: HookifyFile, lines: list[Span]) -> bool:
    assert file.block is not None
    between = file.file.text[lines[0].start : file.block.close.start]
    return len(lines) == 1 and "\n" not in between and "\r" not in between


def _is_known_key(source: str) -> bool:
    word = _WORD.match(source)
    if word is None:
        return False
    rest = source[word.end() :].lstrip()
    keys = tuple(key.name for key in HOOKIFY.keys)
    return (rest[:1] in (":", "=") or word[0] in keys) and nearest_word(word[0], keys) is not None


def _entry_above(file: HookifyFile, offset: int) -> Entry | None:
    assert file.block is not None
    entries = [entry for entry in file.block.frontmatter.entries if entry.key_span.start < offset]
    return entries[-1] if entries else None
