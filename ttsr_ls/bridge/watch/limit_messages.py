"""Messages about rules that are no longer matched, or whose match could not be decided in time."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.bridge.watch.notices import UndecidedRuleNotice
from ttsr_ls.escaping import one_line
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.session.history.turn_events import MAIN_AGENT, StreamMatchingEnded

WHY_STREAM_DISABLED = (
    f"is longer than {LIVE.stream_length // 1024 // 1024} million characters, or too much to parse; the rest of it is "
    "not matched."
)


def limit_message(notice: DisabledCondition | StreamMatchingEnded | UndecidedRuleNotice) -> str:
    """The notice in a sentence."""
    match notice:
        case DisabledCondition():
            condition = one_line(notice.rule.condition_text(notice.condition))
            return f"The condition {condition} of {one_line(notice.rule.name)} {notice.reason} and is disabled."
        case StreamMatchingEnded():
            return f"The stream {one_line(notice.stream)}{_whose(notice.agent)} {WHY_STREAM_DISABLED}"
        case UndecidedRuleNotice():
            return (
                f"It is not known whether {one_line(notice.rule)} fired at an earlier delta{_whose(notice.agent)}: its "
                "search did not end before the text went on."
            )
    assert_never(notice)


def _whose(agent: str) -> str:
    return "" if agent == MAIN_AGENT else " of a subagent"
