"""Matches AST conditions on what a finished tool call writes (spec M4, A).

Owns the rules and languages to be searched for, and the conditions that are disabled. Searches once, when the call is
complete: never while it streams.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.matching.ast.languages import GRAMMARS, language_of
from ttsr_ls.matching.ast.search import AstAnswer, AstFailure, AstSearch
from ttsr_ls.matching.condition_evaluator import RuleMatch
from ttsr_ls.matching.disabled_condition import DisabledCondition, DisabledReason
from ttsr_ls.matching.rule_index import CompiledRule
from ttsr_ls.matching.streams.condition_matcher import Match
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Payload, Source, StreamContext
from ttsr_ls.text import Span


class AstMatcher:
    """The rules of one session that have AST conditions."""

    __slots__ = ("_disabled", "_last", "_rules", "_search", "unparsed")

    def __init__(self, rules: Iterable[Rule], search: AstSearch) -> None:
        self._rules = tuple(CompiledRule(rule, path_globs(rule.globs), ()) for rule in rules if rule.ast_conditions)
        self._search = search
        self._disabled: set[str] = set()
        self._last: dict[str, str] = {}
        self.unparsed = False
        """True if the text of the latest search was too long to parse, or parsing took too long."""

    @property
    def disabled_conditions(self) -> tuple[DisabledCondition, ...]:
        """The conditions that took too long, or that this installation cannot evaluate. They are not
        evaluated any more.
        """
        if not self._disabled:
            # Observers ask after each delta.
            return ()
        return tuple(
            DisabledCondition(compiled.rule, len(compiled.rule.conditions) + index, DisabledReason.NO_ANSWER)
            for compiled in self._rules
            for index, pattern in enumerate(compiled.rule.ast_conditions)
            if pattern in self._disabled
        )

    def can_match(self, context: StreamContext) -> bool:
        """Returns whether there is a rule with AST conditions for a stream of this kind. Paths are not considered."""
        return context.source is Source.TOOL and context.payload is Payload.WRITTEN and bool(self._rules)

    def admitted(self, context: StreamContext) -> tuple[CompiledRule, ...]:
        """Returns the rules that apply to a stream, in order."""
        if not self.can_match(context):
            return ()
        return tuple(compiled for compiled in self._rules if compiled.admits(context))

    def is_new_text(self, key: str, units: str) -> bool:
        """Returns whether the text of a stream differs from that of the previous call, which omp requires (spec A2)."""
        if self._last.get(key) == units:
            return False
        self._last[key] = units
        return True

    def reset(self) -> None:
        """Forgets the texts of all streams."""
        self._last.clear()

    def matches(self, rules: Sequence[CompiledRule], context: StreamContext, units: str) -> tuple[RuleMatch, ...]:
        """Returns, for each of the rules, the first of its conditions that matches the whole text of a
        finished call.
        """
        self.unparsed = False
        language = language_of(context.paths)
        patterns = [
            condition
            for compiled in rules
            for condition in compiled.rule.ast_conditions
            if condition not in self._disabled
        ]
        if language not in GRAMMARS or not patterns:
            return ()
        text = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        asked = tuple(dict.fromkeys(patterns))
        answers = dict(zip(asked, self._search.search(text, language, asked), strict=True))
        for pattern, answer in answers.items():
            self._record_failure(pattern, answer)
        rule_matches = (_rule_match(compiled, answers, text, len(units)) for compiled in rules)
        return tuple(rule_match for rule_match in rule_matches if rule_match is not None)

    def _record_failure(self, pattern: str, answer: AstAnswer) -> None:
        match answer:
            case AstFailure.TEXT:
                self.unparsed = True
            case AstFailure():
                self._disabled.add(pattern)
            case _:
                pass


def _rule_match(compiled: CompiledRule, answers: dict[str, AstAnswer], text: str, length: int) -> RuleMatch | None:
    for index, pattern in enumerate(compiled.rule.ast_conditions):
        answer = answers.get(pattern)
        if isinstance(answer, Span):
            start = len(to_units(text[: answer.start]))
            end = start + len(to_units(text[answer.start : answer.end]))
            return RuleMatch(compiled, len(compiled.rule.conditions) + index, Match(start, end, length))
    return None
