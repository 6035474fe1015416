"""The rules that apply to one agent, one set for each dialect: the only module that combines dialects.

Each set is run as its profile says. Rules of different dialects are independent: they do not shadow each other's names,
and the settings of oh-my-pi apply to its rules only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.rules.dialects.dialect_profile import OMP, PROFILES, RegistrationPolicy
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import MAIN_AGENT, RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import RuleChanges, RuleProblem
from ttsr_ls.session.rules.rule_problems import UnreadableRule, dialect_problems, problem_line, rule_problems

Registered = Registration | UnreadableRule


class RulesByDialect(Struct, frozen=True):
    """The rules of oh-my-pi, and a set for each other dialect with any rules, each in load order."""

    omp: RuleSet = RuleSet(())
    others: tuple[RuleSet, ...] = ()
    problems: tuple[RuleProblem, ...] = ()
    """The rules that are not in force, or only in part, although they are not switched off."""

    @staticmethod
    def from_rules(rules: Iterable[Rule]) -> RulesByDialect:
        """Returns the rules of any dialects, grouped by dialect."""
        all_rules = tuple(rules)
        omp, *rule_sets = (
            RuleSet(tuple(rule for rule in all_rules if rule.profile is profile)) for profile in PROFILES
        )
        return RulesByDialect(omp, tuple(rules for rules in rule_sets if rules.rules))

    @property
    def sets(self) -> tuple[RuleSet, ...]:
        """All sets, that of oh-my-pi first."""
        return (self.omp, *self.others)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of all sets."""
        return tuple(rule for rules in self.sets for rule in rules.rules)

    def only(self, is_kept: Callable[[Rule], bool]) -> RulesByDialect:
        """Returns the rules for which `is_kept` is true."""
        return replace(RulesByDialect.from_rules(filter(is_kept, self.rules)), problems=self.problems)


def compose(registered: Iterable[Registered], settings: Settings, agent: str = MAIN_AGENT) -> RulesByDialect:
    """Returns the rules that apply to an agent. `settings` and `agent` affect rules of oh-my-pi only."""
    files = tuple(registered)
    readable = tuple(item for item in files if isinstance(item, Registration))
    omp, *others = (RuleSet.of_dialect(profile, readable, settings, agent) for profile in PROFILES)
    omp_files = (registration for registration in readable if registration.profile is OMP)
    other_files = (item for item in files if not isinstance(item, Registration) or item.profile is not OMP)
    problems = (*rule_problems(omp_files, omp), *dialect_problems(other_files))
    return RulesByDialect(omp, tuple(rule_set for rule_set in others if rule_set.rules), problems)


def reload_changes(before: RulesByDialect, after: RulesByDialect) -> RuleChanges:
    """Compares the rules before and after a reload. Rules of one name in several dialects are compared apart."""
    old, new = _rules_by_key(before), _rules_by_key(after)
    return RuleChanges(
        added=_names(key for key in new if key not in old),
        changed=_names(key for key, rules in new.items() if key in old and rules != old[key]),
        removed=_names(key for key in old if key not in new),
        warnings=tuple(_new_problems(before, after)),
    )


_Key = tuple[str, str]
"""A dialect, and the name of a rule. Only pi-ttsr has several rules for one key."""


def _rules_by_key(rules: RulesByDialect) -> dict[_Key, list[Rule]]:
    found: dict[_Key, list[Rule]] = {}
    for rule in rules.rules:
        found.setdefault((str(rule.profile.id), rule.name), []).append(rule)
    return found


def _names(keys: Iterable[_Key]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name in keys))


def _identity(rule: Rule) -> tuple[str, str, str]:
    """Identifies a rule after its file may have moved. Files of pi-ttsr with one name are separate rules (spec P1)."""
    has_unique_name = rule.profile.registrations is not RegistrationPolicy.ALL
    return str(rule.profile.id), rule.name, "" if has_unique_name else rule.path


def _new_problems(before: RulesByDialect, after: RulesByDialect) -> Iterator[str]:
    """Yields a sentence for each problem that is new, and for each rule that is in force no longer."""
    for problem in after.problems:
        if problem not in before.problems:
            yield problem_line(problem)
    explanations = {(problem.rule, problem.path) for problem in after.problems}
    in_force = set(map(_identity, after.rules))
    for rule in before.rules:
        if _identity(rule) not in in_force and (rule.name, rule.path) not in explanations:
            yield f"The rule {rule.name} is not in force any more ({rule.path}). It was removed or switched off."
