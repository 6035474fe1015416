"""Statements of the seeds that are shown best by a whole session."""

from __future__ import annotations

import json

import pytest

from tests.bridge.host.driving import FINE, OLD, SORRY, Killed, ShakyLog, run_on, stream_of
from tests.bridge.host.test_older_dialects import legacy
from tests.bridge.wire.provider_answers import Part
from tests.session.projection.whole import conversation, trimmed
from tests.session.projection.wire_rules import check_anthropic
from ttsr_ls.bridge.host.events import TurnFinished
from ttsr_ls.rules.settings.settings import RepeatMode, Settings
from ttsr_ls.session.history.turn import Injection, InjectionKind, ToolBatch, TurnCancelled, UserInput
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallAbandoned,
    CallDone,
    ModelCall,
    StepAppended,
    Text,
    ToolCall,
    TurnCompleted,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.session.history.turn_output import ServerTool
from ttsr_ls.session.projection.conversation import AssistantMessage
from ttsr_ls.session.projection.trimming import TRIMMED, Trimming

OLD_MODULE: tuple[Part, ...] = (Text("I import old_module here."),)


async def test_an_abort_by_a_rule_ends_nothing_and_is_no_failure() -> None:
    """Seed 000, section 6."""
    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            parts = OLD if len(run.session.turns[0].steps) == 0 else FINE
            async for _ in request.watch(stream_of(run.session._api, parts)):
                pass
            assert request.failure is None
    assert [event.outcome for event in run.notifications if isinstance(event, TurnFinished)] == [TurnCompleted()]
    assert run.session.turns[0].state == TurnCompleted()
    assert not [kind for kind in run.kinds() if "Fail" in kind]


async def test_marks_of_seed_001_are_not_restored_on_resume() -> None:
    """Seed 001, section 7."""
    run = await run_on(rules=legacy(old="old_module"))
    await run.turn(OLD_MODULE, FINE)
    await run.turn(OLD_MODULE)
    assert run.kinds().count("AnswerInterrupted") == 1
    again = await run_on(ShakyLog(run.log.events), rules=legacy(old="old_module"))
    await again.turn(OLD_MODULE, FINE)
    assert again.kinds().count("AnswerInterrupted") == 1


async def test_deltas_of_an_answer_do_not_advance_the_gap_of_seed_001() -> None:
    """Seed 001, section 9."""
    settings = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1)
    run = await run_on(rules=legacy(old="old_module"), settings=settings)
    await run.turn(OLD_MODULE, (Text("Many words, " * 50), ToolCall("c", "bash", "{}")), OLD_MODULE, FINE)
    assert run.kinds().count("AnswerInterrupted") == 1
    await run.turn(OLD_MODULE, FINE)
    assert run.kinds().count("AnswerInterrupted") == 2


async def test_a_session_that_died_within_a_batch_resumes_with_every_call_answered() -> None:
    """Seed 003: resuming within a batch; a call with a result keeps it, the other counts as stopped."""
    calls = (ToolCall("a", "read", "{}"), ToolCall("b", "read", "{}"))
    log = ShakyLog(dies_at=6)  # Rules, turn, answer, batch, one result; and then the second is not written.
    run = await run_on(log)
    with pytest.raises(Killed):
        await run.turn(calls)
    again = await run_on(ShakyLog(log.events))
    await again.turn(FINE)
    (batch,) = [step.content for step in again.session.turns[0].steps if isinstance(step.content, ToolBatch)]
    assert [type(item.state) for item in batch.items] == [CallDone, CallAbandoned]
    assert "fine" in json.dumps(again.sent[0])
    check_anthropic(again.sent[0])


async def test_trimming_leaves_out_the_same_results_after_a_restart() -> None:
    """Seed 003, E1: there the age of results is that of the last activity; here it is counted in answers on record."""
    run = await run_on()
    await run.turn((ToolCall("x", "bash", "{}"),), FINE)
    again = await run_on(ShakyLog(run.log.events))
    again.session.trimming = run.session.trimming = Trimming(answers_kept=1, longest_result=3)
    assert again.session.messages == run.session.messages
    assert TRIMMED in json.dumps(again.session.messages)


async def test_a_turn_without_an_end_is_closed_as_crashed_before_the_next_turn() -> None:
    """Seed 003 aborts the parent turn; in our logs only a crash leaves a turn without an end."""
    events: list[TurnEvent] = [TurnStarted("t1", UserInput("one")), TurnStarted("t2", UserInput("two"))]
    run = await run_on(ShakyLog(events))
    assert [turn.state for turn in run.session.turns] == [TurnCancelled("crash recovery")] * 2
    await run.turn(FINE)
    assert "one" in json.dumps(run.sent[0])
    check_anthropic(run.sent[0])


async def test_a_request_after_an_answer_ends_with_a_user_message() -> None:
    """Seed 003, issue 10: not every model accepts a request that ends with an answer, so none gets one."""
    run = await run_on()
    await run.turn(FINE)
    assert run.session.messages[-1] == {"role": "user", "content": [{"type": "text", "text": "[Continue.]"}]}


def test_old_server_tool_uses_are_condensed_in_requests_and_kept_in_the_history() -> None:
    """Seed 003, `condense_server_blocks`."""
    search = ServerTool("srvtoolu_1", "web_search", '{"query": "q"}', "web_search_tool_result", f'["{"x" * 50}"]')
    events: list[TurnEvent] = [TurnStarted("t1", UserInput("one"))]
    for step in range(2):
        events.append(StepAppended("t1", step, ModelCall(MAIN_AGENT, "m", (search,), complete=True)))
    items = conversation(fold(events).turns, MAIN_AGENT)
    old, new = [item for item in trimmed(items, Trimming(1, 10)) if isinstance(item, AssistantMessage)]
    assert old.parts == (Text('[used web_search {"query": "q"}]'),)
    assert [type(part) for part in new.parts] == [ServerTool]
    assert [type(part) for item in items if isinstance(item, AssistantMessage) for part in item.parts] == [
        ServerTool
    ] * 2


async def test_an_injection_is_a_step_whose_kind_names_its_cause() -> None:
    """Seed 003, issue 13."""
    run = await run_on()
    await run.turn(OLD, SORRY, FINE)
    injections = [step.content for step in run.session.turns[0].steps if isinstance(step.content, Injection)]
    assert [injection.purpose for injection in injections] == [InjectionKind.INTERRUPT, InjectionKind.REMINDER]
    for rule, injection in zip(("no-old", "no-sorry"), injections, strict=True):
        assert f"Body of {rule}." in injection.text
