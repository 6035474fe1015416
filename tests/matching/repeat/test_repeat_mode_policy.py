import pytest
from msgspec.structs import replace

from ttsr_ls.matching.repeat.repeat_mode_policy import RepeatModePolicy
from ttsr_ls.matching.repeat.repeat_policy import Elapsed
from ttsr_ls.rules.dialects.dialect_profile import OMP, OMP_LEGACY, DialectProfile
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.settings.settings import RepeatMode, RepeatUnit, Settings
from ttsr_ls.syntax.reader import read_rule

UNITS = pytest.mark.parametrize("unit", list(RepeatUnit))


def policy_of(settings: Settings, unit: RepeatUnit) -> RepeatModePolicy:
    return RepeatModePolicy(replace(settings, repeat_unit=unit), OMP)


def after_gap(gap: float, unit: RepeatUnit) -> RepeatModePolicy:
    return policy_of(Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=gap), unit)


def admits(policy: RepeatModePolicy, name: str = "r") -> bool:
    file = read_rule("---\ncondition: x\n---\nBody", name=name, path=f"{name}.md")
    rule = register(file, "native").rule
    assert rule is not None
    return policy.admits(rule, 0.0)


def end(policy: RepeatModePolicy, unit: RepeatUnit) -> None:
    """Ends one unit of the gap, and some of the other unit."""
    if unit is RepeatUnit.ANSWERS:
        policy.end_answer()
        policy.end_turn()
    else:
        policy.end_turn()
        policy.end_answer()
        policy.end_answer()


@UNITS
def test_a_rule_that_was_never_injected_may_fire(unit: RepeatUnit) -> None:
    assert admits(policy_of(Settings(), unit))


@UNITS
def test_repeat_mode_once_never_admits_a_rule_again(unit: RepeatUnit) -> None:
    policy = policy_of(Settings(), unit)
    policy.mark(["r"])
    for _ in range(100):
        end(policy, unit)
    assert not admits(policy)
    assert admits(policy, "other")


@UNITS
@pytest.mark.parametrize(("gap", "between"), [(2, 2), (0, 0), (-1, 0), (0.5, 1)])
def test_repeat_mode_after_gap_admits_a_rule_after_its_gap(unit: RepeatUnit, gap: float, between: int) -> None:
    policy = after_gap(gap, unit)
    end(policy, unit)
    policy.mark(["r"])
    for _ in range(between):
        assert not admits(policy)
        end(policy, unit)
    assert admits(policy)


def test_a_gap_counts_only_its_own_unit() -> None:
    turns, answers = after_gap(1, RepeatUnit.TURNS), after_gap(1, RepeatUnit.ANSWERS)
    for policy in (turns, answers):
        policy.mark(["r"])
    for _ in range(10):
        turns.end_answer()
        answers.end_turn()
    assert not admits(turns)
    assert not admits(answers)


@UNITS
def test_a_second_injection_starts_a_new_gap(unit: RepeatUnit) -> None:
    policy = after_gap(1, unit)
    policy.mark(["r"])
    end(policy, unit)
    policy.mark(["r"])
    assert not admits(policy)


@UNITS
def test_a_gap_includes_units_that_ended_before_the_injection_was_restored(unit: RepeatUnit) -> None:
    policy = after_gap(3, unit)
    policy.mark(["r"], Elapsed(answers=2, turns=2))
    assert not admits(policy)
    end(policy, unit)
    assert admits(policy)


@pytest.mark.parametrize(("profile", "counted"), [(OMP, RepeatUnit.ANSWERS), (OMP_LEGACY, RepeatUnit.TURNS)])
def test_the_gap_unit_of_a_dialect_is_overridden_by_the_setting(profile: DialectProfile, counted: RepeatUnit) -> None:
    gap = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1)
    assert RepeatModePolicy(gap, profile).unit is counted
    for unit in RepeatUnit:
        assert RepeatModePolicy(replace(gap, repeat_unit=unit), profile).unit is unit
