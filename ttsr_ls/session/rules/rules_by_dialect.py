"""The rules that apply to one agent, a set of them for each dialect: the one place where dialects come together.

What each set is run by says its profile. Rules of different dialects know nothing of each other: they shadow nobody's
name, and the settings of oh-my-pi are its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.rules.dialects.dialect_profile import OMP, PROFILES
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import MAIN_AGENT, RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import RuleProblem
from ttsr_ls.session.rules.unregistered import UnreadableRule, dialect_problems, rule_problems

Registered = Registration | UnreadableRule


class RulesByDialect(Struct, frozen=True):
    """The rules of oh-my-pi, and a set for each other dialect that has any, each in load order."""

    omp: RuleSet = RuleSet(())
    others: tuple[RuleSet, ...] = ()
    problems: tuple[RuleProblem, ...] = ()
    """The rules that are not in force, or only in part, although they are not switched off."""

    @staticmethod
    def of(rules: Iterable[Rule]) -> RulesByDialect:
        """Rules of any dialects; of each dialect in their order."""
        given = tuple(rules)
        omp, *others = (RuleSet(tuple(rule for rule in given if rule.profile is profile)) for profile in PROFILES)
        return RulesByDialect(omp, tuple(each for each in others if each.rules))

    @property
    def sets(self) -> tuple[RuleSet, ...]:
        """All sets, that of oh-my-pi first."""
        return (self.omp, *self.others)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All of them."""
        return tuple(rule for each in self.sets for rule in each.rules)

    def only(self, is_kept: Callable[[Rule], bool]) -> RulesByDialect:
        """Those of the rules that are to be kept."""
        return replace(RulesByDialect.of(filter(is_kept, self.rules)), problems=self.problems)


def compose(registered: Iterable[Registered], settings: Settings, agent: str = MAIN_AGENT) -> RulesByDialect:
    """The rules that apply to an agent. `settings` and `agent` count for rules of oh-my-pi alone."""
    given = tuple(registered)
    readable = tuple(each for each in given if isinstance(each, Registration))
    built, *others = (RuleSet.of_dialect(profile, readable, settings, agent) for profile in PROFILES)
    omp = (each for each in readable if each.profile is OMP)
    rest = (each for each in given if not isinstance(each, Registration) or each.profile is not OMP)
    problems = (*rule_problems(omp, built), *dialect_problems(rest))
    return RulesByDialect(built, tuple(each for each in others if each.rules), problems)
