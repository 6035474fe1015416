import pytest

from ttsr_ls.engine.repeat_gate import RepeatGate
from ttsr_ls.engine.settings import RepeatMode, Settings


def after_gap(gap: float) -> RepeatGate:
    return RepeatGate(Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=gap))


def test_a_rule_that_was_never_injected_may_fire() -> None:
    assert RepeatGate(Settings()).admits("r")


def test_once_is_for_the_whole_session() -> None:
    gate = RepeatGate(Settings())
    gate.mark(["r"])
    for _ in range(100):
        gate.end_turn()
    assert not gate.admits("r")
    assert gate.admits("other")


@pytest.mark.parametrize(("gap", "turns"), [(2, 2), (0, 0), (-1, 0), (0.5, 1)])
def test_after_a_gap_of_completed_turns_a_rule_may_fire_again(gap: float, turns: int) -> None:
    gate = after_gap(gap)
    gate.end_turn()
    gate.mark(["r"])
    for _ in range(turns):
        assert not gate.admits("r")
        gate.end_turn()
    assert gate.admits("r")


def test_marking_again_begins_a_new_gap() -> None:
    gate = after_gap(1)
    gate.mark(["r"])
    gate.end_turn()
    gate.mark(["r"])
    assert not gate.admits("r")


def test_restored_rules_were_injected_at_turn_0() -> None:
    gate = after_gap(2)
    gate.restore(["r"])
    gate.end_turn()
    assert not gate.admits("r")
    gate.end_turn()
    assert gate.admits("r")
    assert gate.injected == ("r",)
