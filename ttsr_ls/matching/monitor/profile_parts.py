"""The parts of a monitor that depend on the profile of its rules."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.matching.condition_evaluator import ConditionEvaluator
from ttsr_ls.matching.repeat.firing_limit_policy import FiringLimitPolicy
from ttsr_ls.matching.repeat.repeat_mode_policy import RepeatModePolicy
from ttsr_ls.matching.repeat.repeat_policy import RepeatPolicy
from ttsr_ls.matching.rule_index import RuleIndex
from ttsr_ls.rules.dialects.dialect_profile import RepeatBasis
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings


def repeat_policy_for(rule_set: RuleSet, settings: Settings) -> RepeatPolicy:
    """Returns the repeat policy of a session with these rules."""
    profile = rule_set.profile
    match profile.repeat_basis:
        case RepeatBasis.INJECTION | RepeatBasis.MATCH:
            return RepeatModePolicy(settings, profile)
        case RepeatBasis.OWN_LIMITS:
            return FiringLimitPolicy(rule_set.rules)
    assert_never(profile.repeat_basis)


def evaluator_for(rules: RuleIndex, mode: Matching) -> ConditionEvaluator:
    """Returns the evaluator of conditions: on the stream's text, or in `reference` matching as the dialect requires."""
    if mode is Matching.STABLE or all(compiled.rule.pi is None for compiled in rules.rules):
        return ConditionEvaluator(rules)
    # Imported lazily: few users have such rules, and the modules would delay every start.
    from ttsr_ls.matching.monitor.pi import PiConditionEvaluator

    return PiConditionEvaluator(rules)
