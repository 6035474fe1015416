"""Checks values that hookify does not read as YAML does: comments, quotes, tags, block scalars, brackets, commas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.lines import is_block_indicator
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import guess, report
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
_QUOTED_ITEM = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')"""
_LIST_ITEM = rf"""\s*+(?:{_QUOTED_ITEM}|\w[^\[\]"',]*+)\s*+"""
# A text such as `["']x["']` is two classes, and no list with one item.
_ONE_ITEM = rf"""\s*+(?!..?['"]|[^\[\]]*\].){_QUOTED_ITEM}\s*+"""
_FLOW_LIST = re.compile(rf"\[(?:{_LIST_ITEM}(?:,{_LIST_ITEM})++,?\s*+|{_ONE_ITEM})\]")
_CLASS = re.compile(r"(?<!\\)\[(?:[^\]\\]|\\.)*\]")
_ESCAPE = re.compile(r"\\(.)")
_DECODED = {"t": "\t", "n": "\n", "\\": "\\", '"': '"', "/": "/", "0": "\0", "r": "\r"}
_TAG = re.compile(r"!!(?:str|int|float|bool|null|binary)\s+(?=\S)")
_MAX_SHOWN = 60
_KEY_SYNONYMS = {"op": "operator", "value": "pattern", "regex": "pattern", "match": "pattern", "key": "field"}


def check_values(file: HookifyFile) -> Iterator[Finding]:
    """Reports each value that hookify reads differently than it looks."""
    assert file.block is not None
    by_name = file.block.frontmatter.by_name()
    for entry in by_name.values():
        if entry.key == "conditions":
            yield from _conditions(file, entry)
        elif entry.key == "pattern":
            yield from _simple_pattern(file, entry)
        elif entry.key == "tool_matcher":
            yield from _tool_matcher(entry)


def check_items(file: HookifyFile) -> Iterator[Finding]:
    """Reports items of `conditions` for which hookify rejects the file, even if the rule is switched off."""
    for span in file.unreadable_items:
        message = (
            "hookify rejects the file: each item of `conditions` must have the keys `field`, `operator` and `pattern`, "
            "and this one is a text."
        )
        yield report(_CODE, message, span)


def _conditions(file: HookifyFile, entry: Entry) -> Iterator[Finding]:
    text = file.file.text
    if isinstance(entry.value, ScalarValue):
        message = (
            "hookify reads a list only if its items stand on lines of their own, so this value is a text and the rule "
            "has no conditions. Write each condition below, beginning with `- field:`."
        )
        yield report(_CODE, message, entry.value.span)
        return
    assert isinstance(entry.value, ListValue)
    yield from check_items(file)
    for item in entry.value.items:
        if not isinstance(item, MapValue):
            continue
        source = text[item.span.start : item.span.end]
        if source.startswith("{"):
            message = (
                "hookify does not know `{…}`: the braces become part of the first key and the last value. Write each "
                "key on a line of its own, without braces."
            )
            yield report(_CODE, message, item.span)
        elif _is_cut(file, item):
            message = (
                "hookify reads a line with `-`, a colon and a comma as a whole condition and splits it at each comma, "
                "so a part of this one is lost. Begin the item with `- field:`, and write `pattern:` on a later line."
            )
            yield report(_CODE, message, item.span)
        else:
            yield from _unknown_keys(item)
            operator = next((_text(entry) for entry in item.entries if entry.key == "operator"), "regex_match")
            for each_entry in item.entries:
                if each_entry.key == "pattern" and isinstance(each_entry.value, ScalarValue):
                    yield from _text_value(file, each_entry.value, operator)


def _unknown_keys(item: MapValue) -> Iterator[Finding]:
    for entry in item.entries:
        if entry.key in _KEYS:
            continue
        suggestion = nearest_word(entry.key, sorted(_KEYS)) or _KEY_SYNONYMS.get(entry.key.lower())
        message = f"A condition has the keys `field`, `operator` and `pattern`; {code(entry.key, 40)} has no effect."
        fixes = () if suggestion is None else (guess(f"Rename the key to {suggestion}", entry.key_span, suggestion),)
        yield report("unknown-key", message, entry.key_span, *fixes)


def _is_cut(file: HookifyFile, item: MapValue) -> bool:
    """Returns whether an item was split at a comma that does not separate two keys."""
    source = file.file.text[item.span.start : item.span.end]
    if "\n" in source or "\r" in source or "," not in source:
        return False
    keys = [entry.key for entry in item.entries]
    line_end = re.compile(r"[\r\n]|\Z").search(file.file.text, item.span.end)
    is_whole_line = line_end is not None and not file.file.text[item.span.end : line_end.start()].strip()
    if not is_whole_line or len(keys) != len(set(keys)):
        return True
    return source.count(",") != len(keys) - 1 or not set(keys) <= _KEYS


def _simple_pattern(file: HookifyFile, entry: Entry) -> Iterator[Finding]:
    if isinstance(entry.value, ListValue):
        if not entry.value.items:
            return
        message = (
            "`pattern` is one regular expression. hookify fails on a list when the rule's event comes, and then skips "
            "all other rules, too. Join the patterns with `|` on one line."
        )
        yield report(_RAISES, message, entry.value.span)
    elif isinstance(entry.value, ScalarValue) and entry.value.data is True:
        message = (
            "hookify reads this value as a boolean, fails on it when the rule's event comes, and then skips all other "
            "rules, too. Write `[t]rue` to look for the word."
        )
        yield report(_RAISES, message, entry.value.span)
    elif isinstance(entry.value, ScalarValue) and entry.value.data is False:
        message = "hookify reads this value as a boolean, so the rule has no pattern and never fires. Write `[f]alse`."
        yield report("hookify-never-matches", message, entry.value.span)
    elif isinstance(entry.value, ScalarValue) and file.is_simple:
        yield from _text_value(file, entry.value, "regex_match")


def _tool_matcher(entry: Entry) -> Iterator[Finding]:
    value = entry.value
    if (isinstance(value, ListValue) and value.items) or (isinstance(value, ScalarValue) and value.data is True):
        message = (
            "`tool_matcher` is one text. hookify fails on this value when the rule's event comes, and then skips all "
            "other rules, too. Write the tools with `|` between them: `Edit|Write`."
        )
        yield report(_RAISES, message, value.span)


def _text_value(file: HookifyFile, value: ScalarValue, operator: str) -> Iterator[Finding]:
    is_regex = operator.startswith("regex")
    source = file.file.text[value.span.start : value.span.end]
    if is_block_indicator(source):
        message = (
            f"hookify does not read the lines below {code(source, 8)}: the pattern is {code(source, 8)} itself"
            f"{', which matches every text' if source.startswith('|') else ''}. Write the pattern on this line."
        )
        yield report(_CODE, message, value.span)
        return
    if tag := _TAG.match(source):
        message = (
            f"hookify has no YAML tags, so {code(tag[0].rstrip(), _MAX_SHOWN)} is a part of the pattern. Remove it."
        )
        yield report(_CODE, message, value.span, guess("Remove the tag", value.span, source[tag.end() :]))
        return
    quoted = _QUOTED.fullmatch(source)
    if quoted is not None and quoted["comment"]:
        message = "hookify has no comments after a value, so this one is a part of the pattern. Remove it."
        fix = guess("Remove the comment", value.span, quoted["quoted"])
        yield report(_CODE, message, value.span, fix)
    elif quoted is None and (comment := _comment(source, is_regex=is_regex)):
        message = (
            f"hookify has no comments after a value, so {code(comment[0].strip(), _MAX_SHOWN)} is a part of the "
            "pattern. Remove it, or put the pattern in single quotes if it belongs there."
        )
        fix = guess("Remove the comment", value.span, source[: comment.start()].rstrip())
        yield report(_CODE, message, value.span, fix, severity=Severity.WARNING)
    elif quoted is None and _is_flow_list(source):
        message = (
            "hookify has no lists in brackets, so this is a class, which matches one of its characters. Join the "
            "patterns with `|`."
        )
        yield report(_CODE, message, value.span)
    elif _intended_text(source, is_regex=is_regex) != value.text.value:
        in_class_only = source[:1] == "'" and "''" not in _CLASS.sub("", source[1:-1])
        # A repeated character in a class has no effect.
        is_harmless = is_regex and in_class_only and value.text.value == source[1:-1]
        # `"'x'"` is usually meant as hookify reads it.
        is_double = source[:2] in ("\"'", "'\"") and source[-2:] == source[:2][::-1]
        # A shorter text is still found wherever the intended text occurs.
        expected_text = _intended_text(source, is_regex=is_regex)
        is_shorter = operator in ("contains", "not_contains") and value.text.value in expected_text
        is_wider = is_double or is_shorter or not source.startswith(("'", '"'))
        severity = Severity.INFO if is_harmless else Severity.WARNING if is_wider else None
        yield _quotes(source, value, operator, severity)
    elif _is_in_quotes(value.text.value):
        message = "These quotes are a part of the pattern, which matches only a text with quotes in the same places."
        yield report("literal-quotes", message, value.span, severity=Severity.WARNING)
    elif source.startswith("#"):
        message = "YAML reads this as a comment; hookify reads it as the pattern. Put it in single quotes."
        yield report(_CODE, message, value.span, severity=Severity.INFO)


def _comment(source: str, *, is_regex: bool) -> re.Match[str] | None:
    r"""Returns the part of a value that YAML would read as a comment, unless it plainly belongs to the pattern, as in
    `PR #?\d+`."""
    match = None if source.startswith(("'", '"')) else _COMMENT.search(source)
    if match is None or not is_regex:
        return match
    is_part = _IN_REGEX.match(match[0]) or compile_problem(source[: match.start()].rstrip()) is not None
    return None if is_part else match


def _intended_text(source: str, *, is_regex: bool) -> str:
    """Returns the value as its author meant it. Backslashes in double quotes are literal if the value is a pattern."""
    if len(source) >= 2 and _QUOTED.fullmatch(source):
        inner = source[1:-1]
        if source[0] == "'":
            return inner.replace("''", "'")
        return inner if is_regex else _ESCAPE.sub(lambda match: _DECODED.get(match[1], match[0]), inner)
    return source


def _is_flow_list(source: str) -> bool:
    """Returns whether a value is a list of YAML in brackets, with several items or one in quotes."""
    return _FLOW_LIST.fullmatch(source) is not None


def _is_in_quotes(pattern: str) -> bool:
    """Returns whether a pattern begins and ends with the same quote. A pattern of only quotes is meant literally."""
    return pattern[:1] in ('"', "`") and pattern[0] == pattern[-1] and pattern.strip(pattern[0]) != ""


def _quotes(source: str, value: ScalarValue, operator: str, severity: Severity | None) -> Finding:
    read_as = code(value.text.value, _MAX_SHOWN)
    if source[:1] == "'" and "''" in source[1:-1]:
        advice = "Write the pattern without quotes around it, with each quote once."
    elif source[:1] == '"' and "\\" in source:
        advice = "Write the pattern without quotes around it, with each backslash once."
    elif operator.startswith("regex"):
        quote = _lost_quote(_intended_text(source, is_regex=True))
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


def _lost_quote(expected_text: str) -> str:
    """Returns the kind of quote at an end of the intended text, which hookify removes."""
    ends = (expected_text[:1], expected_text[-1:])
    return "'" if "'" in ends and '"' not in ends else '"'


def _text(entry: Entry) -> str:
    return entry.value.text.value if isinstance(entry.value, ScalarValue) else ""
