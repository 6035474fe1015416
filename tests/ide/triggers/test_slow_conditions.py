"""Where a condition that was too slow shows."""

from __future__ import annotations

from ttsr_ls.ide.triggers.slow_conditions import TOO_SLOW, slow_condition_marks
from ttsr_ls.ide.triggers.trigger_board import MAX_TRIGGERS, RunKey, SlowRuleCondition, TriggerBoard
from ttsr_ls.session.history.turn_events import ConditionTooSlow
from ttsr_ls.syntax.reader import read_rule

TEXT = "---\ncondition:\n  - 'never'\n  - 'as any;'\n---\nno\n"
RULE = read_rule(TEXT, name="no-any", path="/p/a.md")


def slow(condition: str, path: str = "/p/a.md") -> SlowRuleCondition:
    return SlowRuleCondition(ConditionTooSlow("main", "no-any", "a.md", condition, 1), path)


def test_a_slow_condition_has_one_mark() -> None:
    (mark,) = slow_condition_marks(RULE, "/p/a.md", [slow("as any;"), slow("as any;"), slow("never", "/p/b.md")])
    assert mark.code == TOO_SLOW
    assert TEXT[mark.span.start : mark.span.end] == "'as any;'"


def test_a_slow_condition_that_was_edited_has_a_mark_on_its_key() -> None:
    (mark,) = slow_condition_marks(RULE, "/p/a.md", [slow("gone")])
    assert TEXT[mark.span.start : mark.span.end] == "condition"


def test_the_board_keeps_slow_conditions_by_run() -> None:
    one, two = RunKey("/a", "1.jsonl"), RunKey("/b", "2.jsonl")
    board = TriggerBoard().slowed(one, slow("one")).slowed(two, slow("two", "/p/b.md"))
    assert not board.is_empty
    assert board.paths() == {"/p/a.md", "/p/b.md"}
    assert [slow_condition.event.condition for slow_condition in board.without({one}).slow] == ["two"]
    assert board.without({one, two}).is_empty
    for _ in range(MAX_TRIGGERS + 1):
        board = board.slowed(one, slow("one"))
    assert len(board.run(one).slow) == MAX_TRIGGERS
