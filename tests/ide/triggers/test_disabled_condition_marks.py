"""Marks on rules for conditions that were disabled in a run."""

from __future__ import annotations

from ttsr_ls.ide.triggers.disabled_condition_marks import TOO_SLOW, disabled_condition_marks
from ttsr_ls.ide.triggers.trigger_board import MAX_TRIGGERS, DisabledRuleCondition, RunKey, TriggerBoard
from ttsr_ls.session.history.turn_events import ConditionTooSlow
from ttsr_ls.syntax.reader import read_rule

TEXT = "---\ncondition:\n  - 'never'\n  - 'as any;'\n---\nno\n"
RULE = read_rule(TEXT, name="no-any", path="/p/a.md")


def disabled(condition: str, path: str = "/p/a.md") -> DisabledRuleCondition:
    return DisabledRuleCondition(ConditionTooSlow("main", "no-any", "a.md", condition, 1), path)


def test_a_disabled_condition_has_one_mark() -> None:
    (mark,) = disabled_condition_marks(
        RULE, "/p/a.md", [disabled("as any;"), disabled("as any;"), disabled("never", "/p/b.md")]
    )
    assert mark.code == TOO_SLOW
    assert TEXT[mark.span.start : mark.span.end] == "'as any;'"


def test_a_disabled_condition_that_was_edited_has_a_mark_on_its_key() -> None:
    (mark,) = disabled_condition_marks(RULE, "/p/a.md", [disabled("gone")])
    assert TEXT[mark.span.start : mark.span.end] == "condition"


def test_the_board_keeps_disabled_conditions_by_run() -> None:
    one, two = RunKey("/a", "1.jsonl"), RunKey("/b", "2.jsonl")
    board = TriggerBoard().with_disabled(one, disabled("one")).with_disabled(two, disabled("two", "/p/b.md"))
    assert not board.is_empty
    assert board.paths() == {"/p/a.md", "/p/b.md"}
    assert [condition.event.condition for condition in board.without({one}).disabled] == ["two"]
    assert board.without({one, two}).is_empty
    for _ in range(MAX_TRIGGERS + 1):
        board = board.with_disabled(one, disabled("one"))
    assert len(board.run(one).disabled) == MAX_TRIGGERS
