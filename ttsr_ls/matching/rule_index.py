"""The rules of a rule set in the form that the monitor uses: parsed globs, numbered conditions, no rules without
conditions.

Immutable. Question rules and rules with only AST conditions are included, but have nothing to match on a stream.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source, StreamContext


class CompiledRule(Struct, frozen=True):
    """A rule with its parsed globs, and the numbers of its conditions among all conditions."""

    rule: Rule
    globs: tuple[PathGlob, ...]
    conditions: tuple[int, ...]

    def admits(self, context: StreamContext) -> bool:
        """Returns whether the scope and the globs admit a stream (spec S5, G1). Globs admit no stream without paths."""
        if not self.rule.scope.admits(context):
            return False
        return not self.globs or any(glob.matches_any(context.paths) for glob in self.globs)


class RuleIndex(Struct, frozen=True):
    """All rules that have conditions, in order, and their distinct conditions."""

    rules: tuple[CompiledRule, ...]
    conditions: tuple[Condition, ...]
    sources: frozenset[Source]
    """The sources that some rule admits. The text of other streams is not kept (spec M2)."""
    rules_of_conditions: tuple[tuple[int, ...], ...]
    """For each condition, the indexes of the rules that have it."""

    @staticmethod
    def build(rules: Iterable[Rule]) -> RuleIndex:
        """Builds the index of rules. Rules that share a condition share its number."""
        numbers: dict[Condition, int] = {}
        compiled = []
        for rule in rules:
            if rule.conditions:
                indexes = tuple(numbers.setdefault(condition, len(numbers)) for condition in rule.conditions)
                compiled.append(CompiledRule(rule, path_globs(rule.globs), indexes))
        sources = frozenset(source for source in Source for rule in compiled if rule.rule.scope.admits_source(source))
        rules_of_conditions: list[list[int]] = [[] for _ in numbers]
        for index, compiled_rule in enumerate(compiled):
            for number in set(compiled_rule.conditions):
                rules_of_conditions[number].append(index)
        return RuleIndex(tuple(compiled), tuple(numbers), sources, tuple(map(tuple, rules_of_conditions)))

    def indexes_of(self, conditions: Iterable[int]) -> set[int]:
        """Returns the rules that have one of some conditions, as indexes into `rules`."""
        return {index for condition in conditions for index in self.rules_of_conditions[condition]}

    def indexes_of_rules(self, rules: Iterable[CompiledRule]) -> set[int]:
        paths = {rule.rule.path for rule in rules}
        return {index for index, rule in enumerate(self.rules) if rule.rule.path in paths}
