import pytest
from msgspec.structs import replace

from ttsr_ls.matching.repeat.repeat_mode_policy import RepeatModePolicy
from ttsr_ls.matching.repeat.repeat_policy import Elapsed
from ttsr_ls.rules.dialects.dialect_profile import OMP, OMP_LEGACY, DialectProfile
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.settings.settings import RepeatMode, RepeatUnit, Settings
from ttsr_ls.syntax.reader import read_rule

UNITS = pytest.mark.parametrize("unit", list(RepeatUnit))


def repeat_gate(settings: Settings, unit: RepeatUnit) -> RepeatModePolicy:
    return RepeatModePolicy(replace(settings, repeat_unit=unit), OMP)


def after_gap(gap: float, unit: RepeatUnit) -> RepeatModePolicy:
    return repeat_gate(Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=gap), unit)


def admits(gate: RepeatModePolicy, name: str = "r") -> bool:
    file = read_rule("---\ncondition: x\n---\nBody", name=name, path=f"{name}.md")
    rule = register(file, "native").rule
    assert rule is not None
    return gate.admits(rule, 0.0)


def end(gate: RepeatModePolicy, unit: RepeatUnit) -> None:
    """Ends one of what counts, and something else that does not."""
    if unit is RepeatUnit.ANSWERS:
        gate.end_answer()
        gate.end_turn()
    else:
        gate.end_turn()
        gate.end_answer()
        gate.end_answer()


@UNITS
def test_a_rule_that_was_never_injected_may_fire(unit: RepeatUnit) -> None:
    assert admits(repeat_gate(Settings(), unit))


@UNITS
def test_once_is_for_the_whole_session(unit: RepeatUnit) -> None:
    gate = repeat_gate(Settings(), unit)
    gate.mark(["r"])
    for _ in range(100):
        end(gate, unit)
    assert not admits(gate)
    assert admits(gate, "other")


@UNITS
@pytest.mark.parametrize(("gap", "between"), [(2, 2), (0, 0), (-1, 0), (0.5, 1)])
def test_after_a_gap_a_rule_may_fire_again(unit: RepeatUnit, gap: float, between: int) -> None:
    gate = after_gap(gap, unit)
    end(gate, unit)
    gate.mark(["r"])
    for _ in range(between):
        assert not admits(gate)
        end(gate, unit)
    assert admits(gate)


def test_what_is_not_the_unit_does_not_count() -> None:
    turns, answers = after_gap(1, RepeatUnit.TURNS), after_gap(1, RepeatUnit.ANSWERS)
    for gate in (turns, answers):
        gate.mark(["r"])
    for _ in range(10):
        turns.end_answer()
        answers.end_turn()
    assert not admits(turns)
    assert not admits(answers)


@UNITS
def test_marking_again_begins_a_new_gap(unit: RepeatUnit) -> None:
    gate = after_gap(1, unit)
    gate.mark(["r"])
    end(gate, unit)
    gate.mark(["r"])
    assert not admits(gate)


@UNITS
def test_a_mark_of_the_past_has_a_part_of_its_gap_behind_it(unit: RepeatUnit) -> None:
    gate = after_gap(3, unit)
    gate.mark(["r"], Elapsed(answers=2, turns=2))
    assert not admits(gate)
    end(gate, unit)
    assert admits(gate)


@pytest.mark.parametrize(("profile", "counted"), [(OMP, RepeatUnit.ANSWERS), (OMP_LEGACY, RepeatUnit.TURNS)])
def test_each_dialect_has_its_unit_and_the_setting_overrides_it(profile: DialectProfile, counted: RepeatUnit) -> None:
    gap = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1)
    assert RepeatModePolicy(gap, profile).unit is counted
    for unit in RepeatUnit:
        assert RepeatModePolicy(replace(gap, repeat_unit=unit), profile).unit is unit
