"""Completion of the values in test files that depend on the rule: its conditions, and paths of files it applies to.

A completion replaces the whole value at the cursor. In closed quotes it replaces the text between them: many editors
close a quote that is typed, and Neovim keeps the text behind the cursor.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from ttsr_ls.ide.completion.completion import Completion, CompletionKind, WorkspaceFileNames
from ttsr_ls.matching.rule_file_filter import RuleFileFilter
from ttsr_ls.rule_tests.keys import CONDITION, PATH
from ttsr_ls.rules.rule import Rule
from ttsr_ls.syntax.frontmatter.quoting import single_quoted
from ttsr_ls.text import Span

_KEYS = {key.name: key for key in (CONDITION, PATH)}
_BLOCK_KEY = re.compile(r"[ \t]*(?:-[ \t]+)?([\w-]+):[ \t]+")
_FLOW_START = re.compile(r"[ \t]*(?:-[ \t]+|[\w-]+:[ \t]+)?(?=\{)")
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"\\]|\\.)*\"""")
_PLAIN = re.compile(r"(?:[^#]|(?<=\S)#)*")
_PLAIN_IN_FLOW = re.compile(r"(?:[^#,{}\[\]]|(?<=\S)#)*")
_FLOW_ENTRY = re.compile(rf"[{{,][ \t]*([\w-]+):[ \t]+(?:{_QUOTED.pattern})?")
_PLAIN_PATH = re.compile(r"(?=[^./]*[./])[A-Za-z_][\w./@+-]*", re.ASCII)
"""Paths that YAML reads as a text without quotes."""
_MAX_PATHS = 200
"""A longer list does not help the user, and all items are sent at each keystroke."""


class CaseValue(Struct, frozen=True):
    """The value at the cursor: its key, and the columns from its begin to its end.

    Quotes are included, unless the cursor is between them: then `quote` is the quote, else empty.
    """

    key: str
    start: int
    end: int
    quote: str = ""


def case_value_at(line: str, column: int) -> CaseValue | None:
    """Returns the value of `condition` or `path` that the cursor at `column` of a line is in, None elsewhere."""
    flow = _FLOW_START.match(line)
    if flow is None:
        entry = _BLOCK_KEY.match(line)
    else:
        # Entries begin where an earlier value ends, so a comma in quotes begins none.
        entries = (found for found in _FLOW_ENTRY.finditer(line, flow.end()) if found.end(1) < column)
        entry = max(entries, key=lambda found: found.start(), default=None)
    if entry is None or entry[1] not in _KEYS:
        return None
    start = entry.end(1) + 1
    start += len(line[start:]) - len(line[start:].lstrip(" \t"))
    if column < start:
        return None
    end = _end_of_value(line, start, column, in_flow=flow is not None)
    if end < column:
        return None
    if start < column < end and _QUOTED.fullmatch(line, start, end) is not None:
        return CaseValue(entry[1], start + 1, end - 1, line[start])
    return CaseValue(entry[1], start, end)


def _end_of_value(line: str, start: int, column: int, *, in_flow: bool) -> int:
    quoted = _QUOTED.match(line, start)
    if quoted is not None:
        return quoted.end()
    if line[start : start + 1] in ("'", '"'):
        # The quote is open. In braces, the end of the value is not known.
        return column if in_flow else max(len(line.rstrip()), column)
    plain = (_PLAIN_IN_FLOW if in_flow else _PLAIN).match(line, start)
    end = start if plain is None else plain.end()
    trimmed = start + len(line[start:end].rstrip())
    return max(trimmed, column) if column <= end else trimmed


def case_values(
    value: CaseValue, line: str, offset: int, rule: Rule | None, files: WorkspaceFileNames
) -> Iterator[Completion]:
    """The completions of a value in a line that begins at `offset`."""
    key = _KEYS[value.key]
    if key == CONDITION:
        texts = [] if rule is None else list(dict.fromkeys(rule.condition_texts))
        kind = CompletionKind.VALUE
    else:
        texts = _paths(rule, files())[:_MAX_PATHS]
        kind = CompletionKind.GLOB
    span = Span(offset + value.start, offset + value.end)
    # Editors compare the filter text with the replaced text before the cursor, which includes an opening quote.
    first = line[value.start : value.start + 1]
    opening = first if not value.quote and first in ("'", '"') else ""
    for text in texts:
        written = _written(text, value.quote, is_path=key == PATH)
        if written is not None:
            yield Completion(kind, text, written, span, key.documentation, filter_text=opening + text)


def _written(text: str, quote: str, *, is_path: bool) -> str | None:
    """A value as YAML: between existing quotes, or with its own if it needs them; None if YAML cannot write it."""
    if quote == '"':
        return json.dumps(text, ensure_ascii=False)[1:-1]
    if is_path and not quote and _PLAIN_PATH.fullmatch(text):
        return text
    quoted = single_quoted(text)
    return quoted[1:-1] if quoted is not None and quote else quoted


def _paths(rule: Rule | None, files: Iterable[str]) -> list[str]:
    """All files, first those to which the rule applies."""
    if rule is None:
        return list(files)
    file_filter = RuleFileFilter((rule,))
    return sorted(files, key=lambda file: not file_filter.rules_for((file,)))
