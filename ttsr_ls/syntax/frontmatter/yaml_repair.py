"""Finds the correct spelling of the line on which YAML failed: with quotes, with brackets, or with a doubled quote.

Every repair is verified: with it, YAML does not fail before a later line. A comment after a value stays after its
quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from ttsr_ls.syntax.frontmatter.quoting import single_quoted, with_doubled_quotes
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.scope.tokens import split_list
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.flow_scalars import NEXT_ENTRY
from ttsr_ls.text import Span

_VALUE = re.compile(r" *(?:- +)*(?:(?<=- )|(?P<key>[\w-]+): +)(?P<raw>[^ \n][^\n]*?) *(?=\n|\Z)")
# Lines such as `-foo`; `--flag` is a text.
_TIGHT_ITEMS = re.compile(r"( *)(-[^-\s][^\n]*(?:\n\1-(?!-)[^\n]*)*)(?=\n|\Z)")
_TIGHT_ITEM = re.compile(r"(?m)^( *)-(?! )(.*?) *$")
# Lines such as `condition:'foo'`; `https://…` is a text.
_TIGHT_VALUE = re.compile(r" *(?P<key>[A-Za-z][\w-]*:)(?P<value>[^\s/][^\n]*?) *(?=\n|\Z)")
_NO_BLANK = "a blank is missing after the colon"
_FIRST_OF_NEXT_LINE = re.compile(r"\n[ \n]*")
_COMMENT = re.compile(r" +#")
# A pattern may contain ` #`; with a blank after it, it is a comment.
_CERTAIN_COMMENT = re.compile(r" +# ")
_WITHOUT_PATTERNS = frozenset(("globs", "scope", "agents"))
# Keys whose texts may contain any mark.
_PROSE = frozenset(("description", "question"))


class Repair(Struct, frozen=True):
    """A replacement for the text from `start` to `end` that makes the line valid YAML. `reason` names the mistake in
    place of the parser's message; None keeps that message.
    """

    start: int
    end: int
    replacement: str
    reason: str | None = None


def repair_line(text: str, offset: int) -> Repair | None:
    """Returns a repair of the line at `offset` with which YAML does not fail before a later line; None if none is
    known.
    """
    line = text.rfind("\n", 0, offset) + 1
    items = _TIGHT_ITEMS.match(text, line)
    if items is not None:
        return _add_blanks(text, *items.span(2))
    match = _VALUE.match(text, line)
    if match is None:
        tight = _TIGHT_VALUE.match(text, line)
        return None if tight is None else _add_blank(text, tight)
    start = match.start("raw")
    raw = _without_comment(match["key"], match["raw"])
    if raw is None:
        return None
    end = start + len(raw)
    for replacement in _candidates(raw):
        fixed_text = text[:start] + replacement + text[end:]
        at = _failure(fixed_text)
        line_end = start + len(replacement)
        if at is None or (at > line_end and _failure(fixed_text[match.start() : line_end].lstrip(" ")) is None):
            return Repair(start, end, replacement)
    return None


def open_quote(text: str, offset: int) -> int | None:
    """Returns the offset of an unclosed quote that the next quote of its kind closes on a later line, so that YAML
    fails after that, at `offset`; None if there is none.
    """
    end = len(text[:offset].rstrip(" ")) - 1
    if end < 0 or text[end] not in "\"'":
        return None
    start = text.rfind(text[end], 0, end)
    next_line = _FIRST_OF_NEXT_LINE.search(text, start, end + 1) if start >= 0 else None
    is_forgotten = next_line is not None and NEXT_ENTRY.match(text, next_line.end()) is not None
    return start if is_forgotten else None


def _add_blanks(text: str, start: int, end: int) -> Repair | None:
    """Returns the repair of lines such as `-foo` to list items: a blank after each dash, and quotes if necessary."""
    for in_quotes in (False, True):
        replacement = _TIGHT_ITEM.sub(partial(_item_line, quoted=in_quotes), text[start:end])
        at = _failure(text[:start] + replacement + text[end:])
        if at is None or at > start + len(replacement):
            return Repair(start, end, replacement)
    return None


def _add_blank(text: str, line: re.Match[str]) -> Repair | None:
    """Returns the repair of a line such as `condition:'foo'`: a blank after the colon."""
    start, end = line.start("key"), line.end("value")
    replacement = f"{line['key']} {line['value']}"
    at = _failure(text[:start] + replacement + text[end:])
    return Repair(start, end, replacement, _NO_BLANK) if at is None or at > start + len(replacement) else None


def _item_line(match: re.Match[str], *, quoted: bool) -> str:
    text = match[2]
    if quoted and text[:1] not in ("'", '"'):
        text = single_quoted(text) or text
    return f"{match[1]}- {text}"


def _without_comment(key: str | None, raw: str) -> str | None:
    """Returns a value without the comment after it; None if the comment may be within quotes in brackets."""
    if key in _PROSE or raw[0] in "\"'":
        return raw
    comment = (_COMMENT if key in _WITHOUT_PATTERNS else _CERTAIN_COMMENT).search(raw)
    if comment is None:
        return raw
    value = raw[: comment.start()]
    return None if raw[0] in "[{" and ("'" in value or '"' in value) else value


def _candidates(raw: str) -> Iterator[str]:
    """Yields the texts that may have been meant. An unfinished or broken list or map is not quoted."""
    match raw[0]:
        case '"' | "'" as quote:
            if "," in raw:
                yield f"[{raw}]"
            if (doubled := with_doubled_quotes(raw)) is not None:
                yield doubled
            if raw.count(quote) == 1 and len(raw) > 1:
                # Escapes of a pattern mean something else in YAML's double quotes, or are invalid there.
                if "\\" in raw and (without := single_quoted(raw[1:])) is not None:
                    yield without
                yield f"{raw}{quote}"
        case "[" if raw.count("[") > raw.count("]"):
            yield f"{raw}]"
            yield from (f"{raw}{quote}]" for quote in "'\"" if raw.count(quote) % 2)
        case "[" if raw[-1] == "]":
            items = split_list(_text(raw[1:-1]))
            yield f"[{', '.join(_item(item.value) for item in items)}]"
        case "{" if raw[-1] == "}" or "}" not in raw:
            return
        case "-" | "&" | "!":
            return
        case _:
            quoted = single_quoted(raw)
            if quoted is not None:
                yield quoted


def _item(source: str) -> str:
    return source if source[0] in "\"'" else single_quoted(source) or source


def _text(value: str) -> MappedText:
    return MappedText.verbatim(value, Span(0, len(value)))


def _failure(text: str) -> int | None:
    """Returns the offset at which a text stops being YAML, if it does."""
    try:
        parse_yaml(_text(text))
    except YamlError as error:
        return error.offset
    return None
