"""The parts of a monitor that depend on the profile of its rules."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.matching.evaluation import Evaluation
from ttsr_ls.matching.repeat.firing_gate import FiringGate
from ttsr_ls.matching.repeat.gate import Gate
from ttsr_ls.matching.repeat.repeat_gate import RepeatGate
from ttsr_ls.matching.watched_rules import WatchedRules
from ttsr_ls.rules.dialects.profile import RepeatBasis
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings


def gate_for(rule_set: RuleSet, settings: Settings) -> Gate:
    """The repeat policy of a session with these rules."""
    profile = rule_set.profile
    match profile.repeat_basis:
        case RepeatBasis.INJECTION | RepeatBasis.MATCH:
            return RepeatGate(settings, profile)
        case RepeatBasis.OWN_LIMITS:
            return FiringGate(rule_set.rules)
    assert_never(profile.repeat_basis)


def evaluation_for(rules: WatchedRules, matching: Matching) -> Evaluation:
    """What answers whether conditions match: the stream's text, or in `reference` matching what a trigger demands."""
    if matching is Matching.STABLE or all(watched.rule.pi is None for watched in rules.rules):
        return Evaluation(rules)
    # Here and not above: few have such rules, and every start would wait for the modules.
    from ttsr_ls.matching.monitor.pi import PiEvaluation

    return PiEvaluation(rules)
