"""Tries the AST conditions of one rule on a text, whatever its scope says."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.matching.ast.languages import GRAMMARS, language_of
from ttsr_ls.matching.ast.search import AstFailure, AstSearch
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.text import Span

_ONLY_TOOLS = "only what a tool writes is parsed"


class AstTrial(Struct, frozen=True):
    """The AST conditions that match the tried text: indexes into `Rule.condition_texts`.

    `skipped` is the reason, for users, why no condition was tried or why one has no result; else it is None.
    """

    matched: tuple[int, ...]
    slow: tuple[int, ...]
    skipped: str | None


def run_ast_trial(rule: Rule, text: str, context: StreamContext, search: AstSearch) -> AstTrial:
    """Tries all AST conditions; rules without any have no result."""
    if not rule.ast_conditions:
        return AstTrial((), (), None)
    if context.source is not Source.TOOL:
        return AstTrial((), (), _ONLY_TOOLS)
    language = language_of(context.paths)
    if language not in GRAMMARS:
        return AstTrial((), (), str(language))
    first = len(rule.conditions)
    answers = tuple(enumerate(search.search(text, language, rule.ast_conditions), first))
    matched = tuple(index for index, answer in answers if isinstance(answer, Span))
    slow = tuple(index for index, answer in answers if answer is AstFailure.PATTERN)
    skipped = (str(answer) for _, answer in answers if isinstance(answer, AstFailure))
    return AstTrial(matched, slow, next(skipped, None))
