"""What can be written at a place of the frontmatter: keys, and the values of keys that have few."""

from __future__ import annotations

import re
from enum import Enum

from msgspec import Struct

from ttsr_ls.syntax.dialects.detection import current_dialect_of
from ttsr_ls.syntax.dialects.table import Dialect
from ttsr_ls.syntax.keys import Key, Kind
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import LineIndex, Span

_KEY_PART = re.compile(r"[\w-]*\Z")
_VALUE_PART = re.compile(r"([\w-]+)[ \t]*:[ \t]+([\w-]*)\Z")


class CompletionKind(Enum):
    """Whether a completion inserts a key or a value."""

    KEY = "key"
    VALUE = "value"


class Completion(Struct, frozen=True):
    """`text` may replace `span`; `documentation` is Markdown."""

    kind: CompletionKind
    label: str
    text: str
    span: Span
    documentation: str


def complete(file: RuleFile, index: LineIndex, offset: int) -> tuple[Completion, ...]:
    """The completions at `offset` in the frontmatter, without keys that are there already."""
    frontmatter = file.frontmatter
    if frontmatter is None or not frontmatter.content_span.contains(offset):
        return ()
    dialect = current_dialect_of(file.path, frontmatter)
    line = index.line_span(index.position(offset).line)
    before = index.text[line.start : offset]
    value = _VALUE_PART.fullmatch(before)
    if value is not None:
        return _values(dialect, value[1], Span(offset - len(value[2]), offset))
    if _KEY_PART.fullmatch(before) is None:
        return ()
    given = {entry.name for entry in frontmatter.entries if not entry.key_span.contains(offset)}
    return tuple(_key(key, Span(line.start, offset)) for key in dialect.keys if key.name not in given)


def _key(key: Key, span: Span) -> Completion:
    return Completion(CompletionKind.KEY, key.name, f"{key.name}: ", span, key.documentation)


def _values(dialect: Dialect, spelling: str, span: Span) -> tuple[Completion, ...]:
    key = dialect.find_key(spelling)
    if key is None:
        return ()
    values = key.values or (("true", "false") if Kind.BOOLEAN in key.kinds else ())
    return tuple(Completion(CompletionKind.VALUE, value, value, span, key.documentation) for value in values)
