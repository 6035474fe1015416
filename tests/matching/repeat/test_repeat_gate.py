import pytest

from ttsr_ls.matching.monitor.discipline import InjectionGate, MatchGate
from ttsr_ls.matching.repeat.gate import Elapsed
from ttsr_ls.matching.repeat.repeat_gate import RepeatGate
from ttsr_ls.rules.settings.settings import RepeatMode, RepeatUnit, Settings

UNITS = pytest.mark.parametrize("unit", list(RepeatUnit))


def after_gap(gap: float, unit: RepeatUnit) -> RepeatGate:
    return RepeatGate(Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=gap), unit)


def end(gate: RepeatGate, unit: RepeatUnit) -> None:
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
    assert RepeatGate(Settings(), unit).admits("r")


@UNITS
def test_once_is_for_the_whole_session(unit: RepeatUnit) -> None:
    gate = RepeatGate(Settings(), unit)
    gate.mark(["r"])
    for _ in range(100):
        end(gate, unit)
    assert not gate.admits("r")
    assert gate.admits("other")


@UNITS
@pytest.mark.parametrize(("gap", "between"), [(2, 2), (0, 0), (-1, 0), (0.5, 1)])
def test_after_a_gap_a_rule_may_fire_again(unit: RepeatUnit, gap: float, between: int) -> None:
    gate = after_gap(gap, unit)
    end(gate, unit)
    gate.mark(["r"])
    for _ in range(between):
        assert not gate.admits("r")
        end(gate, unit)
    assert gate.admits("r")


def test_what_is_not_the_unit_does_not_count() -> None:
    turns, answers = after_gap(1, RepeatUnit.TURNS), after_gap(1, RepeatUnit.ANSWERS)
    for gate in (turns, answers):
        gate.mark(["r"])
    for _ in range(10):
        turns.end_answer()
        answers.end_turn()
    assert not turns.admits("r")
    assert not answers.admits("r")


@UNITS
def test_marking_again_begins_a_new_gap(unit: RepeatUnit) -> None:
    gate = after_gap(1, unit)
    gate.mark(["r"])
    end(gate, unit)
    gate.mark(["r"])
    assert not gate.admits("r")


@UNITS
def test_a_mark_of_the_past_has_a_part_of_its_gap_behind_it(unit: RepeatUnit) -> None:
    gate = after_gap(3, unit)
    gate.mark(["r"], Elapsed(answers=2, turns=2))
    assert not gate.admits("r")
    end(gate, unit)
    assert gate.admits("r")


@pytest.mark.parametrize(("gate", "counted"), [(InjectionGate, RepeatUnit.ANSWERS), (MatchGate, RepeatUnit.TURNS)])
def test_each_dialect_has_its_unit_and_the_setting_overrides_it(gate: type[InjectionGate], counted: RepeatUnit) -> None:
    assert gate.unit is counted
    for chosen in RepeatUnit:
        gap = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1, repeat_unit=chosen)
        assert RepeatGate(gap, gate.unit)._unit is chosen
