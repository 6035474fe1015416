"""`watch` reports calls that hooks denied, whether the result is read with the call or later."""

from __future__ import annotations

import io
import json
from pathlib import PurePath

import pytest

from tests.bridge.watch.watching import NO_OLD, MemoryLog, observer, rules
from ttsr_ls.bridge.agent_hooks.hook_session import DENIAL_TEXT
from ttsr_ls.cli.watch.json_report import JsonLinesReport
from ttsr_ls.cli.watch.observation import WatchReport
from ttsr_ls.cli.watch.trigger_report import TriggerReport
from ttsr_ls.rules.stream import BlockEnd, Delta, Source, StreamContext
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, ToolState, UnseenTrigger
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, AnswerStarted, ToolResultSeen, TurnOpened

WRITE = StreamContext(Source.TOOL, "write", key="toolcall:1")
CALL: list[AgentEvent] = [
    TurnOpened(UnseenTrigger()),
    AnswerStarted("main", "opus"),
    AgentDelta("main", Delta(WRITE, "import deprecated_module\n"), "c1"),
    AgentDelta("main", BlockEnd(WRITE), "c1"),
]
MESSAGE = (
    DENIAL_TEXT.replace("{{name}}", "no-old").replace("{{path}}", "r.md").replace("{{content}}", "Use new_module.")
)


def reported(report: WatchReport, chunks: list[list[AgentEvent]]) -> None:
    watching = observer(MemoryLog(), rules(**{"no-old": NO_OLD}))
    watching.start(0)
    for events in chunks:
        report.follow(events)
        report.show(watching.feed(events, 0))
    report.summary(0)


def lines(chunks: list[list[AgentEvent]]) -> list[str]:
    out = io.StringIO()
    reported(TriggerReport(out, 0, PurePath("/shop")), chunks)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("state", [CallRefused(MESSAGE), CallDone(f"Blocked by PreToolUse hook: {MESSAGE}")])
def test_a_denied_call_whose_result_is_read_with_it_is_reported_as_denied(state: ToolState) -> None:
    out = lines([[*CALL, ToolResultSeen("main", "c1", state)]])
    assert out[0].endswith("no-old fired, and a hook denied write")
    assert out[2].strip().startswith("The agent got: ")
    assert out[3].endswith(": 1 denied by a hook.")


def test_a_denied_call_is_reported_when_its_result_is_read_later() -> None:
    out = lines([CALL, [ToolResultSeen("main", "c1", CallRefused(MESSAGE))]])
    assert out[0].endswith("no-old would interrupt write")
    assert out[3] == "A hook denied the call of write that no-old fired on; it did not run."
    assert out[4].endswith(": 1 denied by a hook.")


@pytest.mark.parametrize(
    "state", [CallDone("Written."), CallRefused("Disk full."), CallRefused(MESSAGE.replace("no-old", "other"))]
)
def test_a_call_that_was_not_denied_for_the_rule_is_not_reported_as_denied(state: ToolState) -> None:
    result: list[AgentEvent] = [ToolResultSeen("main", "c1", state)]
    for chunks in ([[*CALL, *result]], [CALL, result]):
        out = lines(chunks)
        assert out[0].endswith("no-old would interrupt write")
        assert out[3].endswith(": 1 would interrupt.")


@pytest.mark.parametrize("is_later", [False, True])
def test_json_lines_have_an_object_for_a_denied_call(is_later: bool) -> None:
    out, result = io.StringIO(), ToolResultSeen("main", "c1", CallRefused(MESSAGE))
    reported(JsonLinesReport(out, 0), [CALL, [result]] if is_later else [[*CALL, result]])
    printed = [json.loads(line) for line in out.getvalue().splitlines()]
    # The warning is about the stream, which has no turn.
    assert [item["type"] for item in printed] == ["trigger", "denied", "warning", "summary"]
    assert printed[1] == {"type": "denied", "rule": "no-old", "tool": "write", "call": "c1"}
