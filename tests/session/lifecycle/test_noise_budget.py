"""The triggers that a noise budget admits."""

from __future__ import annotations

from ttsr_ls.session.history.suppressed import SuppressedRule, Suppression
from ttsr_ls.session.lifecycle.noise_budget import NO_NOISE_LIMITS, NoiseBudget, NoiseLimits, Silence


def test_without_limits_no_trigger_is_suppressed() -> None:
    budget = NoiseBudget()
    assert [budget.spend("a", NO_NOISE_LIMITS, 0) for _ in range(1000)] == [None] * 1000
    assert budget.end_turn() == ()


def test_a_silenced_rule_does_not_silence_another() -> None:
    limits = NoiseLimits((Silence("a", until=100), Silence("b")))
    budget = NoiseBudget()
    assert budget.spend("a", limits, 99) is Suppression.SILENCED
    assert budget.spend("a", limits, 100) is None
    assert budget.spend("b", limits, 10**15) is Suppression.SILENCED
    assert budget.spend("c", limits, 0) is None


def test_caps_count_admitted_triggers_and_report_the_suppressed_ones() -> None:
    limits = NoiseLimits(per_turn=2, per_session=3)
    budget = NoiseBudget()
    first = [budget.spend(rule, limits, 0) for rule in "abca"]
    assert first == [None, None, Suppression.TURN_CAP, Suppression.TURN_CAP]
    capped = Suppression.TURN_CAP
    assert budget.end_turn() == (SuppressedRule("a", capped, 1), SuppressedRule("c", capped, 1))
    assert [budget.spend(rule, limits, 0) for rule in "ab"] == [None, Suppression.SESSION_CAP]
    assert budget.end_turn() == (SuppressedRule("b", Suppression.SESSION_CAP, 1),)
    assert budget.end_turn() == ()
