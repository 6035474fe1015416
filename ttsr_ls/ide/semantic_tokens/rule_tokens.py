"""The semantic tokens of a rule file: the parts of its conditions, and the metavariables of its AST patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.units import code_point_span
from ttsr_ls.ide.semantic_tokens.regex_tokens import regex_tokens
from ttsr_ls.ide.semantic_tokens.token_kind import SemanticToken, TokenKind
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.syntax.dialects.detection import current_dialect_of
from ttsr_ls.syntax.dialects.table import OMP, PI_TTSR
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.pi.pattern import FlagsError, read_flags
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

MAX_TOKENS = 20_000
"""The most tokens of one file; later ones are not coloured."""
_MAX_CACHED_LENGTH = 4096
_METAVARIABLE = re.compile(r"\${1,3}[A-Z_][A-Z0-9_]*|\$\$\$")


def rule_tokens(file: RuleFile, area: Span | None = None) -> tuple[SemanticToken, ...]:
    """The tokens in order of the text, all or those that touch `area`. A pattern that does not compile has none."""
    if file.frontmatter is None:
        return ()
    dialect = current_dialect_of(file.path, file.frontmatter)
    tokens = _pi_tokens(file, area) if dialect is PI_TTSR else _omp_tokens(file, area) if dialect is OMP else ()
    semantic_tokens = (token for token in tokens if area is None or _overlap(token.span, area))
    found_tokens: list[SemanticToken] = []
    # AST patterns may stand before the conditions.
    for token in sorted(islice(semantic_tokens, MAX_TOKENS), key=lambda token: token.span):
        # One escape in a quoted text can stand for several characters: only the first of their tokens is kept.
        if not found_tokens or token.span.start >= found_tokens[-1].span.end:
            found_tokens.append(token)
    return tuple(found_tokens)


def _omp_tokens(file: RuleFile, area: Span | None) -> Iterator[SemanticToken]:
    globs = {glob.span for glob in file.fields.shorthand_globs}
    for condition in file.fields.conditions:
        if condition.span not in globs and _touches(condition, area):
            tokens = _condition_tokens if len(condition.value) <= _MAX_CACHED_LENGTH else _condition_tokens.__wrapped__
            yield from _to_file_tokens(condition, tokens(condition.value))
    for pattern in file.fields.ast_conditions:
        if _touches(pattern, area):
            for match in _METAVARIABLE.finditer(pattern.value):
                yield SemanticToken(pattern.source_span(*match.span()), TokenKind.METAVARIABLE)


def _pi_tokens(file: RuleFile, area: Span | None) -> Iterator[SemanticToken]:
    pi_file = read_pi_rule(file.text, name=file.name, path=file.path)
    if pi_file.trigger is not None and _touches(pi_file.trigger, area):
        try:
            pattern = parse(pi_file.trigger.value, read_flags(pi_file.flags).regex)
        except (RegexSyntaxError, FlagsError):
            return
        yield from _to_file_tokens(pi_file.trigger, _to_code_points(pi_file.trigger.value, pattern, 0))


# Cached: a keystroke mostly changes one condition, and the others stay the same.
@lru_cache(200)
def _condition_tokens(text: str) -> tuple[SemanticToken, ...]:
    try:
        compiled = compile_condition(text)
    except RegexSyntaxError:
        return ()
    return _to_code_points(text, compiled.pattern, compiled.pattern_offset)


def _to_code_points(text: str, pattern: Pattern, offset: int) -> tuple[SemanticToken, ...]:
    """The tokens of a condition, in code points. `offset` is the length of its leading flag group."""
    tokens = [SemanticToken(Span(0, offset), TokenKind.GROUP)] if offset else []
    for token in regex_tokens(pattern):
        span = code_point_span(text, token.span, offset)
        if len(span):
            tokens.append(SemanticToken(span, token.kind))
    return tuple(tokens)


def _to_file_tokens(text: MappedText, tokens: Iterable[SemanticToken]) -> Iterator[SemanticToken]:
    for token in tokens:
        yield SemanticToken(text.source_span(token.span.start, token.span.end), token.kind)


def _touches(text: MappedText, area: Span | None) -> bool:
    return area is None or _overlap(text.span, area)


def _overlap(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end
