"""Problems of how a text is written in YAML: escapes, comments, tags and quotes (spec F6, F7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.frontmatter.quoting import escapes, intended_pattern, single_quoted, with_doubled_quotes
from ttsr_ls.syntax.inspection.frontmatter import DOUBLE_THE_QUOTE
from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.keys import PATTERN_KEY, Key, Kind
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import ListValue, ScalarValue
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.text import Span, truncate

# A double-quoted text where a value can begin: after a key, a dash, or in brackets.
_DOUBLE_QUOTED = re.compile(
    r'(?:(?<=[:\-\[,{?]|[ \t\n\r])|\A)"((?:[^"\\\n\r]|\\[^\n\r])*)"(?=[ \t]*(?:[,\]}#\n\r]|\Z))'
)
_METACHARACTERS = frozenset("\\^$.*+?()[]{}|")
# `\e` and `\a` are left out: ECMAScript does not have them, so YAML's meaning is the intended one.
_OTHER_CHARACTERS = frozenset("bNLP_")
_NAMES = {
    "\b": "a backspace", "\x85": "the character U+0085", "\u2028": "the character U+2028",
    "\u2029": "the character U+2029", "\xa0": "a no-break space",
}  # fmt: skip
_FREE_TEXTS = frozenset((PATTERN_KEY, "astCondition", "question", "description"))
_TYPOGRAPHIC_QUOTES = frozenset("“”„‟‘’‚‛«»")
_WITHOUT_TYPOGRAPHIC_QUOTES = frozenset(("condition", "astCondition", "scope", "globs", "agents", "interruptMode"))
_WORD = re.compile(r"(?<!\\)[^\W_]")
_COMMENT_AFTER_BLANK = re.compile(r"[ \t]+(#(?![ \t#!])[^\n\r]*)")
_MAX_TAG_LENGTH = 200
_TAG = re.compile(r"(?<![^ \t\n\r\[,])!(?!!)[^ \t\n\r,\[\]{}]*[ \t]*\Z")


def inspect_strings(file: InspectedFile) -> Iterator[Problem]:
    """Reports texts whose YAML value differs from what was written."""
    spans: set[Span] = set()
    if file.failure is not None and file.frontmatter is not None:
        kept = _kept_with_quotes(file)
        for problem in _illegal_escapes(file, file.frontmatter.content_span):
            if any(_is_within_quotes(file, problem.span, span) for span in kept):
                continue
            spans.add(problem.span)
            yield problem
    for key, value in file.scalars():
        if value.span in spans or Kind.STRING not in key.kinds:
            continue
        source = file.source_text(value.span)
        if key.name == PATTERN_KEY and source.startswith('"') and not value.text.value.startswith('"'):
            yield from mutating_escapes(source, value.span)
        if not source.startswith(('"', "'", "|", ">")):
            yield from _truncated_by_comment(file, key, value)
        yield from _tag(file, value)
        yield from _typographic_quotes(key, value, source)
        if file.frontmatter is not None and file.frontmatter.recovered:
            yield from _literal_quotes(file, key, value)


def _kept_with_quotes(file: InspectedFile) -> tuple[Span, ...]:
    """Returns the values that begin and end with double quotes which the agent keeps as part of the text."""
    return tuple(
        value.span
        for _, value in file.scalars()
        if len(value.text.value) > 1 and value.text.value[0] == value.text.value[-1] == '"'
        if file.source_text(value.span) == value.text.value
    )


def _is_within_quotes(file: InspectedFile, span: Span, whole_span: Span) -> bool:
    """Returns whether a quote opens within a quoted text, so that it begins no text of its own."""
    is_inside = whole_span.start < span.start < whole_span.end
    return is_inside and file.text.count('"', whole_span.start, span.start) % 2 == 1


def _illegal_escapes(file: InspectedFile, content: Span) -> Iterator[Problem]:
    for match in _DOUBLE_QUOTED.finditer(file.text, content.start, content.end):
        unknown = [escape.written for escape in escapes(match[1]) if escape.value is None]
        if unknown:
            listing = ", ".join(f"`{source}`" for source in dict.fromkeys(unknown))
            message = (
                f"YAML does not know {listing} in double quotes, so the whole frontmatter is invalid, and this text "
                "keeps its quotes. Write it in single quotes, where a backslash is a backslash."
            )
            yield Problem("illegal-escape", message, Span(*match.span(0)), _to_single_quotes(match[1]))


def mutating_escapes(source: str, span: Span) -> Iterator[Problem]:
    """Reports the escapes of a pattern in double quotes, as `source`, that YAML replaces by other characters."""
    body = source[1:-1]
    changed = {
        escape.written: escape.value
        for escape in escapes(body)
        if escape.value
        and (escape.written[1] in _OTHER_CHARACTERS or (escape.written[1] in "xuU" and escape.value in _METACHARACTERS))
    }
    if changed:
        listing = ", ".join(f"`{source}` into {_NAMES.get(value, f'`{value}`')}" for source, value in changed.items())
        message = (
            f"In double quotes YAML turns {listing} before the regular expression is read, so the pattern means "
            "something else. Write it in single quotes."
        )
        yield Problem("mutating-escape", message, span, _to_single_quotes(body))


def _to_single_quotes(body: str) -> str | None:
    pattern = intended_pattern(body)
    return None if pattern is None else single_quoted(pattern)


def _truncated_by_comment(file: InspectedFile, key: Key, value: ScalarValue) -> Iterator[Problem]:
    """Reports a value that a comment truncates: a `#` with text directly after it was hardly meant as a comment.

    For keys without free text it is a comment if there is a value before it, as in `scope: text #prose`.
    """
    if value.text.value and key.name not in _FREE_TEXTS:
        return
    match = _COMMENT_AFTER_BLANK.match(file.text, value.span.end)
    if match is None:
        return
    span = Span(value.span.start if value.text.value else match.start(1), match.start(1) + len(match[1].rstrip()))
    kept = truncate(value.text.value, 40)
    rest = f"the value is only `{kept}`" if kept else "nothing is left of the value"
    message = f"` #` begins a comment in YAML, so {rest}. Write all of it in single quotes."
    yield Problem("truncated-value", message, span, single_quoted(file.source_text(span)))


def _tag(file: InspectedFile, value: ScalarValue) -> Iterator[Problem]:
    """Reports a word with `!` before a text: it is a tag, and no part of the text."""
    line = file.line_of(value.span.start)
    # The length is limited because a long line can have many values.
    match = _TAG.search(file.text, max(line.start, value.span.start - _MAX_TAG_LENGTH), value.span.start)
    if match is None:
        return
    span = Span(match.start(), max(value.span.end, match.end()))
    tag = match[0].strip()
    message = f"`{tag}` is a tag in YAML and no part of the value. Write all of it in single quotes."
    source = file.source_text(span).rstrip()
    span = Span(span.start, span.start + len(source))
    replacement = None if "'" in source or '"' in source else single_quoted(source)
    yield Problem("truncated-value", message, span, replacement)


def _literal_quotes(file: InspectedFile, key: Key, value: ScalarValue) -> Iterator[Problem]:
    """Reports a quoted text that keeps its quotes because it is not valid YAML. Lists of tokens lose them later (spec
    S1)."""
    source = file.source_text(value.span)
    if key.name in ("scope", "agents") or not source.startswith(('"', "'")) or value.text.value != source:
        return
    is_pattern = Kind.STRINGS in key.kinds
    effect = " A pattern then only matches text that is in quotes." if is_pattern else ""
    message = (
        f"The text in quotes is not valid YAML, so the quotes become a part of the value.{effect} Correct the text "
        "between them."
    )
    listing = f"[{source}]"
    try:
        read_value = parse_yaml(MappedText.verbatim(listing, Span(0, len(listing))))
    except YamlError:
        read_value = None
    texts = read_value.items if isinstance(read_value, ListValue) and is_pattern else ()
    is_list = len(texts) > 1 and all(isinstance(text, ScalarValue) and isinstance(text.data, str) for text in texts)
    if is_list:
        message += " Several texts are a list: put brackets around them."
    doubled = None if is_list else with_doubled_quotes(source)
    if doubled is not None:
        message = f"The quotes are a part of the value, because a quote inside ends it for YAML. {DOUBLE_THE_QUOTE}"
    suggestion = listing if is_list else doubled
    if suggestion is None and len(source) > 2 and source[0] == source[-1] == '"':
        suggestion = _to_single_quotes(source[1:-1])
    yield Problem("literal-quotes", message, value.span, suggestion)


def _typographic_quotes(key: Key, value: ScalarValue, source: str) -> Iterator[Problem]:
    """Reports typographic quotes around a value, as word processors write them: they are no quotes for YAML."""
    if key.name not in _WITHOUT_TYPOGRAPHIC_QUOTES or len(source) < 3 or source != value.text.value:
        return
    inner = source[1:-1]
    # A pattern such as `“|”` matches those characters. Only a text with words was meant to be quoted.
    if {source[0], source[-1]} <= _TYPOGRAPHIC_QUOTES and not _TYPOGRAPHIC_QUOTES & set(inner) and _WORD.search(inner):
        message = (
            f"{source[0]} and {source[-1]} are not quotes for YAML but a part of the value. "
            "Write `'`, as on the keyboard."
        )
        yield Problem("literal-quotes", message, value.span, single_quoted(inner))
