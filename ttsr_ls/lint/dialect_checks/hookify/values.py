"""Checks values that hookify does not read as YAML does: comments, quotes, block scalars, brackets, commas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.lines import is_block_indicator
from ttsr_ls.lint.dialect_checks.hookify.reporting import guess, report
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.syntax.hookify.python_pattern import compile_problem
from ttsr_ls.syntax.hookify.rule_file import HookifyFile
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import Entry, ListValue, MapValue, ScalarValue

_CODE = "hookify-value"
_RAISES = "hookify-raises"
_KEYS = frozenset(("field", "operator", "pattern"))
# One quoted scalar of YAML, and a comment after it.
_QUOTED = re.compile(r"""(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?P<comment>\s+#.*)?""")
_COMMENT = re.compile(r"\s#.*\Z")
_IN_REGEX = re.compile(r"\s#(?:[?*+{(\[]|\\[dDwWsS])")
_LIST_ITEM = re.compile(r"""\s*(?:"[^"]*"|'[^']*'|\w[^\[\]"',]*)\s*""")
_CLASS = re.compile(r"(?<!\\)\[(?:[^\]\\]|\\.)*\]")
_ESCAPE = re.compile(r"\\(.)")
_DECODED = {"t": "\t", "n": "\n", "\\": "\\", '"': '"', "/": "/", "0": "\0", "r": "\r"}
_MAX_SHOWN = 60
_KEY_SYNONYMS = {"op": "operator", "value": "pattern", "regex": "pattern", "match": "pattern", "key": "field"}


def check_values(read: HookifyFile) -> Iterator[Finding]:
    """Reports each value that hookify reads differently than it looks."""
    assert read.block is not None
    by_name = read.block.frontmatter.by_name()
    for entry in by_name.values():
        if entry.key == "conditions":
            yield from _conditions(read, entry)
        elif entry.key == "pattern":
            yield from _simple_pattern(read, entry)
        elif entry.key == "tool_matcher":
            yield from _tool_matcher(entry)


def check_items(read: HookifyFile) -> Iterator[Finding]:
    """Reports items of `conditions` for which hookify rejects the file, even if the rule is switched off."""
    for span in read.unreadable_items:
        message = (
            "hookify rejects the file: each item of `conditions` must have the keys `field`, `operator` and `pattern`, "
            "and this one is a text."
        )
        yield report(_CODE, message, span)


def _conditions(read: HookifyFile, entry: Entry) -> Iterator[Finding]:
    text = read.file.text
    if isinstance(entry.value, ScalarValue):
        message = (
            "hookify reads a list only where its items stand on lines of their own, so it takes this value for a text "
            "and the rule has no conditions. Write each condition below, beginning with `- field:`."
        )
        yield report(_CODE, message, entry.value.span)
        return
    assert isinstance(entry.value, ListValue)
    yield from check_items(read)
    for item in entry.value.items:
        if not isinstance(item, MapValue):
            continue
        written = text[item.span.start : item.span.end]
        if written.startswith("{"):
            message = (
                "hookify does not know `{…}`: the braces become part of the first key and the last value. Write each "
                "key on a line of its own, without braces."
            )
            yield report(_CODE, message, item.span)
        elif _is_cut(read, item):
            message = (
                "hookify takes a line with `-`, a colon and a comma for a whole condition and splits it at each comma, "
                "so a part of this one is lost. Begin the item with `- field:`, and write `pattern:` on a later line."
            )
            yield report(_CODE, message, item.span)
        else:
            yield from _unknown_keys(item)
            operator = next((_text(each) for each in item.entries if each.key == "operator"), "regex_match")
            for each in item.entries:
                if each.key == "pattern" and isinstance(each.value, ScalarValue):
                    yield from _text_value(read, each.value, operator)


def _unknown_keys(item: MapValue) -> Iterator[Finding]:
    for entry in item.entries:
        if entry.key in _KEYS:
            continue
        meant = nearest_word(entry.key, sorted(_KEYS)) or _KEY_SYNONYMS.get(entry.key.lower())
        message = f"A condition has the keys `field`, `operator` and `pattern`; {code(entry.key, 40)} has no effect."
        fixes = () if meant is None else (guess(f"Rename the key to {meant}", entry.key_span, meant),)
        yield report("unknown-key", message, entry.key_span, *fixes)


def _is_cut(read: HookifyFile, item: MapValue) -> bool:
    """Returns whether an item was split at commas, and one was not between two keys."""
    written = read.file.text[item.span.start : item.span.end]
    if "\n" in written or "\r" in written or "," not in written:
        return False
    keys = [entry.key for entry in item.entries]
    line_end = re.compile(r"[\r\n]|\Z").search(read.file.text, item.span.end)
    is_whole_line = line_end is not None and not read.file.text[item.span.end : line_end.start()].strip()
    if not is_whole_line or len(keys) != len(set(keys)):
        return True
    return written.count(",") != len(keys) - 1 or not set(keys) <= _KEYS


def _simple_pattern(read: HookifyFile, entry: Entry) -> Iterator[Finding]:
    if isinstance(entry.value, ListValue):
        if not entry.value.items:
            return
        message = (
            "`pattern` is one regular expression. hookify fails on a list when the rule's event comes, and then tries "
            "none of the other rules either. Join the patterns with `|` on one line."
        )
        yield report(_RAISES, message, entry.value.span)
    elif isinstance(entry.value, ScalarValue) and entry.value.data is True:
        message = (
            "hookify reads this value as a boolean and fails on it when the rule's event comes, and then tries none of "
            "the other rules either. Write `[t]rue` to look for the word."
        )
        yield report(_RAISES, message, entry.value.span)
    elif isinstance(entry.value, ScalarValue) and entry.value.data is False:
        message = "hookify reads this value as a boolean, so the rule has no pattern and never fires. Write `[f]alse`."
        yield report("hookify-never-matches", message, entry.value.span)
    elif isinstance(entry.value, ScalarValue) and read.is_simple:
        yield from _text_value(read, entry.value, "regex_match")


def _tool_matcher(entry: Entry) -> Iterator[Finding]:
    value = entry.value
    if (isinstance(value, ListValue) and value.items) or (isinstance(value, ScalarValue) and value.data is True):
        message = (
            "`tool_matcher` is one text. hookify fails on this value when the rule's event comes, and then tries none "
            "of the other rules either. Write the tools with `|` between them: `Edit|Write`."
        )
        yield report(_RAISES, message, value.span)


def _text_value(read: HookifyFile, value: ScalarValue, operator: str) -> Iterator[Finding]:
    is_regex = operator.startswith("regex")
    written = read.file.text[value.span.start : value.span.end]
    if is_block_indicator(written):
        message = (
            f"hookify does not read the lines below {code(written, 8)}: the pattern is {code(written, 8)} itself"
            f"{', which matches every text' if written.startswith('|') else ''}. Write the pattern on this line."
        )
        yield report(_CODE, message, value.span)
        return
    quoted = _QUOTED.fullmatch(written)
    if quoted is not None and quoted["comment"]:
        message = "hookify has no comments behind a value: this one is a part of the pattern. Remove it."
        fix = guess("Remove the comment", value.span, quoted["quoted"])
        yield report(_CODE, message, value.span, fix)
    elif quoted is None and (comment := _comment(written, is_regex=is_regex)):
        message = (
            f"hookify has no comments behind a value: {code(comment[0].strip(), _MAX_SHOWN)} is a part of the pattern. "
            "Remove it, or put the pattern in single quotes if it belongs there."
        )
        fix = guess("Remove the comment", value.span, written[: comment.start()].rstrip())
        yield report(_CODE, message, value.span, fix, severity=Severity.WARNING)
    elif quoted is None and _is_flow_list(written):
        message = (
            "hookify has no lists in brackets: this is a class of characters, which matches one of them. Join the "
            "patterns with `|`."
        )
        yield report(_CODE, message, value.span)
    elif _expected(written, is_regex=is_regex) != value.text.value:
        in_class_only = written[:1] == "'" and "''" not in _CLASS.sub("", written[1:-1])
        # Twice the same character in a class is once.
        is_harmless = is_regex and in_class_only and value.text.value == written[1:-1]
        # `"'x'"` is most often meant as hookify reads it.
        is_double = written[:2] in ("\"'", "'\"") and written[-2:] == written[:2][::-1]
        # A shorter text is still found where the whole of it stands.
        expected = _expected(written, is_regex=is_regex)
        is_shorter = operator in ("contains", "not_contains") and value.text.value in expected
        is_wider = is_double or is_shorter or not written.startswith(("'", '"'))
        severity = Severity.INFO if is_harmless else Severity.WARNING if is_wider else None
        yield _quotes(written, value, operator, severity)
    elif _is_in_quotes(value.text.value):
        message = "These quotes are a part of the pattern, which only matches a text with quotes in the same places."
        yield report("literal-quotes", message, value.span, severity=Severity.WARNING)
    elif written.startswith("#"):
        message = "YAML takes this for a comment; hookify takes it for the pattern. Put it in single quotes."
        yield report(_CODE, message, value.span, severity=Severity.INFO)


def _comment(written: str, *, is_regex: bool) -> re.Match[str] | None:
    r"""Returns the part of a value that YAML would read as a comment, unless it plainly belongs to the pattern, as in
    `PR #?\d+`."""
    found = None if written.startswith(("'", '"')) else _COMMENT.search(written)
    if found is None or not is_regex:
        return found
    is_part = _IN_REGEX.match(found[0]) or compile_problem(written[: found.start()].rstrip()) is not None
    return None if is_part else found


def _expected(written: str, *, is_regex: bool) -> str:
    """Returns the value as its author meant it. In double quotes, backslashes stand for themselves if it is a
    pattern."""
    if len(written) >= 2 and _QUOTED.fullmatch(written):
        inner = written[1:-1]
        if written[0] == "'":
            return inner.replace("''", "'")
        return inner if is_regex else _ESCAPE.sub(lambda found: _DECODED.get(found[1], found[0]), inner)
    return written


def _is_flow_list(written: str) -> bool:
    """Returns whether a value is a list of YAML in brackets, with more than one item."""
    if not (written.startswith("[") and written.endswith("]")):
        return False
    items = written[1:-1].split(",")
    return len(items) > 1 and all(_LIST_ITEM.fullmatch(item) for item in items)


def _is_in_quotes(pattern: str) -> bool:
    """Returns whether a pattern begins and ends with one kind of quote. One of nothing but quotes looks for them."""
    return pattern[:1] in ('"', "`") and pattern[0] == pattern[-1] and pattern.strip(pattern[0]) != ""


def _quotes(written: str, value: ScalarValue, operator: str, severity: Severity | None) -> Finding:
    read_as = code(value.text.value, _MAX_SHOWN)
    if written[:1] == "'" and "''" in written[1:-1]:
        advice = "Write the pattern without quotes around it, with each quote once."
    elif written[:1] == '"' and "\\" in written:
        advice = "Write the pattern without quotes around it, with each backslash once."
    elif operator.startswith("regex"):
        quote = _lost_quote(_expected(written, is_regex=True))
        advice = f"Put a quote at an end of a pattern into a class: `[{quote}]`."
    elif operator == "not_contains":
        advice = "A plain text cannot begin or end with a quote: leave the quote out."
    else:
        advice = (
            "A plain text cannot begin or end with a quote: leave the quote out, or write a pattern for `regex_match`, "
            "with the quote in a class."
        )
    message = (
        f"hookify removes all quotes at the ends of a value and changes nothing else, so it reads {read_as}. {advice}"
    )
    return report(_CODE, message, value.span, severity=severity)


def _lost_quote(expected: str) -> str:
    """The kind of quote at an end of what a value says, which hookify removes."""
    ends = (expected[:1], expected[-1:])
    return "'" if "'" in ends and '"' not in ends else '"'


def _text(entry: Entry) -> str:
    return entry.value.text.value if isinstance(entry.value, ScalarValue) else ""
