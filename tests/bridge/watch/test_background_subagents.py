"""Subagents in the background: the call that starts one has a result before the subagent answers."""

from __future__ import annotations

from tests.bridge.adapters.claude_stream import answer, prose, to_bytes, tool, tool_result, whole
from tests.bridge.watch.watching import MemoryLog, claude, rules_for
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.rules.settings.settings import Matching, Settings

RULE = "---\ncondition: bad\nagents: reviewer\n---\nbody\n"


def test_the_kind_of_a_subagent_is_known_after_its_call_has_returned() -> None:
    log = MemoryLog()
    watching = Observer(
        lambda kind: rules_for(kind, only_reviewers=RULE), log, settings=Settings(), matching=Matching.STABLE
    )
    spawn = tool("Agent", ['{"subagent_type": "reviewer"}'], call="toolu_sub")
    lines = [
        *answer(prose("text", ["Go."]), spawn),
        tool_result("toolu_sub", "launched"),
        *whole({"type": "text", "text": "bad "}, message="m2", agent="toolu_sub"),
    ]
    watching.feed(claude().feed(to_bytes(lines)), 0)
    assert [trigger.agent for trigger in log.triggers] == ["toolu_sub"]
