"""Completion at an offset of a rule file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from ttsr_ls.ide.completion.completion import Completion, CompletionKind, WorkspaceFileNames
from ttsr_ls.ide.completion.cursor_context import KeyContext, ValueContext, cursor_context
from ttsr_ls.ide.completion.pattern_parts import complete_pattern
from ttsr_ls.ide.completion.scope_tokens import complete_agents, complete_globs, complete_scope
from ttsr_ls.ide.completion.whole_rule import complete_whole_rule
from ttsr_ls.syntax.dialects.detection import current_dialect_of
from ttsr_ls.syntax.dialects.table import Dialect, DialectId
from ttsr_ls.syntax.keys import Key, Kind
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import LineIndex, Span

_NOTHING_YET = re.compile(r"\s*-{0,3}\s*")
_SIMPLE_VALUE = re.compile(r"[\w-]*")
_PATTERN_KEYS = frozenset(("condition", "trigger", "pattern"))


def complete_rule(
    file: RuleFile, index: LineIndex, offset: int, files: WorkspaceFileNames = tuple
) -> tuple[Completion, ...]:
    """Returns the completions at `offset`."""
    if _NOTHING_YET.fullmatch(index.text):
        return tuple(complete_whole_rule(file.path, Span(0, len(index.text)), files()))
    context = cursor_context(index, offset)
    dialect = current_dialect_of(file.path, file.frontmatter)
    match context:
        case None:
            return ()
        case KeyContext():
            span = Span(offset - len(context.typed), offset)
            return tuple(_key(key, span) for key in dialect.keys if not context.other_keys & {key.name, *key.spellings})
        case ValueContext():
            values = _values(dialect, context, offset, index.text[offset : offset + 1], files)
            other_tokens = _other_tokens(file, context.key, offset)
            return tuple(value for value in values if value.label not in other_tokens)
    assert_never(context)


def _key(key: Key, span: Span) -> Completion:
    return Completion(CompletionKind.KEY, key.name, f"{key.name}: ", span, key.documentation)


def _other_tokens(file: RuleFile, key: str, offset: int) -> set[str]:
    """The tokens in the list of tokens of a key, without the one at `offset`."""
    tokens: tuple[MappedText, ...] = ()
    match key:
        case "scope":
            tokens = tuple(token.text for token in file.fields.scope if not token.inferred)
        case "agents":
            tokens = file.fields.agents
    return {token.value for token in tokens if not token.span.start <= offset <= token.span.end}


def _values(
    dialect: Dialect, context: ValueContext, offset: int, following: str, files: WorkspaceFileNames
) -> Iterator[Completion]:
    key = dialect.find_key(context.key)
    if key is None:
        return
    is_omp = dialect.id is DialectId.OMP
    if is_omp and key.name == "scope":
        yield from complete_scope(context.typed, offset, files)
    elif key.name in ("globs", "paths", "applyTo"):
        yield from complete_globs(context.typed, offset, files())
    elif is_omp and key.name == "agents":
        yield from complete_agents(context.typed, offset)
    elif key.name in _PATTERN_KEYS:
        yield from complete_pattern(context.typed, offset, following)
    elif _SIMPLE_VALUE.fullmatch(context.typed):
        yield from _listed(key, context.typed, offset)


def _listed(key: Key, typed: str, offset: int) -> Iterator[Completion]:
    values = key.values or (("true", "false") if Kind.BOOLEAN in key.kinds else ())
    span = Span(offset - len(typed), offset)
    return (Completion(CompletionKind.VALUE, value, value, span, key.documentation) for value in values)
