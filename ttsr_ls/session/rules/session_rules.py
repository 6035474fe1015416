"""The rules that watch one agent, a set of them for each discipline: the one place where dialects come together.

What each set is run by says `session_monitor`. Rules of different dialects know nothing of each other: they shadow
nobody's name, and the settings of oh-my-pi are its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.rules.dialects.legacy_registration import LegacyRegistration
from ttsr_ls.rules.dialects.pi_registration import PiRegistration
from ttsr_ls.rules.dialects.pi_rule import PiRule
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import MAIN_AGENT, RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import RuleProblem
from ttsr_ls.session.rules.unregistered import UnreadableRule, dialect_problems, rule_problems

Registered = Registration | PiRegistration | LegacyRegistration | UnreadableRule


class SessionRules(Struct, frozen=True):
    """The rules of oh-my-pi, those of its older versions, and those of pi-ttsr, each in load order."""

    omp: RuleSet = RuleSet(())
    legacy: RuleSet = RuleSet(())
    pi: tuple[PiRule, ...] = ()
    problems: tuple[RuleProblem, ...] = ()
    """The rules that are not in force, or only in part, though nobody switched them off."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All of them."""
        return (*self.omp.rules, *self.legacy.rules, *(each.rule for each in self.pi))


def compose(registered: Iterable[Registered], settings: Settings, agent: str = MAIN_AGENT) -> SessionRules:
    """The rules that watch an agent. `settings` and `agent` count for rules of oh-my-pi alone."""
    omp: list[Registration] = []
    legacy: dict[str, Rule] = {}
    pi: list[PiRule] = []
    others: list[LegacyRegistration | PiRegistration | UnreadableRule] = []
    for each in registered:
        if not isinstance(each, Registration):
            others.append(each)
        match each:
            case Registration():
                omp.append(each)
            case LegacyRegistration(rule=Rule() as rule):
                # Of several with one name the first was loaded (spec L1).
                legacy.setdefault(rule.name, rule)
            case PiRegistration(rule=PiRule() as pi_rule):
                pi.append(pi_rule)
            case _:
                pass  # It could not be loaded; `problems` say why.
    built = RuleSet.build(omp, settings, agent)
    problems = (*rule_problems(omp, built), *dialect_problems(others))
    return SessionRules(built, RuleSet(tuple(legacy.values())), tuple(pi), problems)
