"""Rules that do not interrupt: reminders in tool results, and injections after complete answers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from tests.bridge.host.driving import FINE, NO_OLD, NO_PUSH, OLD, PUSH, SORRY, Run, ShakyLog, run_on, stream_of
from tests.bridge.wire.provider_answers import Event, Part
from ttsr_ls.bridge.host.events import ReminderInjected, RulesDeferred, TextInjected
from ttsr_ls.bridge.host.turns.turn_request import TurnRequest
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings.settings import RepeatMode, Settings
from ttsr_ls.session.history.turn import ToolBatch
from ttsr_ls.session.history.turn_events import (
    InjectionDeferred,
    ReminderFolded,
    RuleTriggered,
    StepUpdated,
    Text,
    Thinking,
    ToolCall,
)
from ttsr_ls.session.history.turn_output import Image
from ttsr_ls.session.output.wire_events import Api

BOTH = (ToolCall("p1", "bash", '{"command": "git push"}'), ToolCall("p2", "bash", '{"command": "git push -f"}'))
NEVER = Settings(interrupt_mode=InterruptMode.NEVER)


def result_of(messages: list[Event], call: str) -> str:
    for message in messages:
        for block in message["content"]:
            if block["type"] == "tool_result" and block["tool_use_id"] == call:
                content = block["content"]
                return content if isinstance(content, str) else "\n\n".join(part["text"] for part in content)
    raise AssertionError(call)


async def calls_of_a_turn(run: Run) -> AsyncIterator[tuple[TurnRequest, ToolCall]]:
    """The calls of a turn whose first answer pushes, each to be answered."""
    script = [PUSH, FINE]
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, script.pop(0))):
                pass
            for call in request.calls:
                yield request, call
    assert script == []


async def test_a_tool_reminder_precedes_the_unchanged_result() -> None:
    """Seed 000, section 4, non-interrupting matches of tools."""
    run = await run_on()
    await run.turn(PUSH, FINE)
    (result,) = [block["content"] for block in run.sent[1][-1]["content"] if block["type"] == "tool_result"]
    reminder, own = (block["text"] for block in result)
    assert reminder.startswith('<system-reminder reason="rule_violation" rule="no-push" path="rules/no-push.md">')
    assert reminder.endswith("</system-reminder>")
    assert own == "fine"
    assert run.kinds() == ["RulesTriggered", "ReminderInjected", "TurnFinished"]
    assert [mark.rule for mark in run.state.injected] == ["no-push"]


async def test_the_reminder_stays_with_its_result_in_every_later_request() -> None:
    run = await run_on()
    await run.turn(PUSH, FINE)
    await run.turn(FINE)
    assert result_of(run.sent[2], "p1") == result_of(run.sent[1], "p1")


async def test_a_reminded_rule_is_recorded_as_injected_once_its_call_has_a_result() -> None:
    """Seed 000, section 4: neither at the match nor before the call has run."""
    run = await run_on()
    async for request, call in calls_of_a_turn(run):
        assert run.session.injected_rules == ()
        await request.result(call.id, "fine")
        assert run.session.injected_rules == ("no-push",)
        kinds = (RuleTriggered, ReminderFolded, StepUpdated)
        assert [type(event) for event in run.log.events if isinstance(event, kinds)] == list(kinds)


async def test_an_error_with_images_is_refused_and_its_call_still_waits_for_a_result() -> None:
    run = await run_on()
    async for request, call in calls_of_a_turn(run):
        with pytest.raises(UsageError, match="the result of a failed call takes no images"):
            await request.result(call.id, "No.", is_error=True, images=(Image("image/png", "AAAA"),))
        await request.result(call.id, "No.", is_error=True)


async def test_a_rule_is_reminded_of_in_only_one_of_the_sibling_calls() -> None:
    run = await run_on()
    await run.turn(BOTH, FINE)
    assert "system-reminder" in result_of(run.sent[1], "p1")
    assert result_of(run.sent[1], "p2") == "fine"


@pytest.mark.parametrize("matches", [(PUSH[1], Text("git push")), (Text("git push"), PUSH[1])])
async def test_a_rule_that_matches_in_a_call_and_in_the_text_is_injected_once(matches: tuple[Part, ...]) -> None:
    run = await run_on(rules={"no-push": "condition: git push\nscope: text, tool:bash\ninterruptMode: never"})
    await run.turn(matches, FINE)
    assert json.dumps(run.sent[1]).count('rule=\\"no-push\\"') == 1
    assert run.kinds().count("ReminderInjected") + run.kinds().count("TextInjected") == 1


async def test_one_call_may_have_reminders_of_several_rules() -> None:
    force = "condition: git push\nscope: tool:bash\ninterruptMode: never"
    run = await run_on(rules={"no-push": NO_PUSH, "no-force": force})
    await run.turn(PUSH, FINE)
    (injection,) = [event for event in run.notifications if isinstance(event, ReminderInjected)]
    assert injection.rules == ("no-push", "no-force")
    assert injection.text.count("</system-reminder>\n\n<system-reminder") == 1


async def test_tool_reminders_are_dropped_with_an_interrupted_answer() -> None:
    """Seed 000, section 4: those rules are not injected and may fire again."""
    run = await run_on()
    await run.turn((*PUSH, *OLD), PUSH, FINE)
    assert run.kinds().count("ReminderInjected") == 1
    assert "system-reminder" in result_of(run.sent[2], "p1")


async def test_tool_reminders_are_dropped_with_a_failed_answer() -> None:
    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            stream = [event async for event in stream_of(Api.ANTHROPIC, PUSH)]

            async def broken(events: list[Event]):  # type: ignore[no-untyped-def]
                for event in events[:-2]:
                    yield event

            async for _ in request.watch(broken(stream)):
                pass
    assert run.state.tool_reminders == ()
    assert run.state.injected == ()
    await run.turn(PUSH, FINE)
    assert run.kinds().count("ReminderInjected") == 1


async def test_a_deferred_rule_about_prose_is_injected_after_the_answer_with_another_request() -> None:
    run = await run_on()
    await run.turn(SORRY, FINE)
    assert run.kinds() == ["RulesTriggered", "RulesDeferred", "TextInjected", "TurnFinished"]
    assert len(run.sent) == 2
    sent = json.dumps(run.sent[1])
    assert 0 < sent.index("I am sorry.") < sent.index("<system-interrupt")


async def test_a_deferred_rule_is_injected_after_the_tool_results_of_the_answer() -> None:
    run = await run_on()
    await run.turn((*SORRY, ToolCall("x1", "bash", "{}")), FINE)
    assert len(run.sent) == 2
    kinds = [block["type"] for block in run.sent[1][-1]["content"]]
    assert kinds == ["tool_result", "text"]


async def test_a_deferred_rule_is_injected_with_the_rule_that_interrupts_the_answer() -> None:
    """Recorded of the reference agent: tests/vectors/interrupts-18.2.3.json.gz."""
    run = await run_on()
    await run.turn((*SORRY, *OLD), FINE)
    (injection,) = [event for event in run.notifications if isinstance(event, TextInjected)]
    assert injection.rules == ("no-sorry", "no-old")
    assert run.state.deferred_injections == ()
    assert run.state.reminders == ()


async def test_a_deferred_rule_is_not_deferred_twice() -> None:
    run = await run_on()
    await run.turn((Text("sorry"), Text("sorry, sorry")), FINE)
    assert len([event for event in run.log.events if isinstance(event, InjectionDeferred)]) == 1


@pytest.mark.parametrize("answer", [OLD, (Thinking("I import deprecated_module here.", "sig"), *FINE)])
async def test_with_interrupt_mode_never_no_rule_interrupts(answer: tuple[Part, ...]) -> None:
    """Seed 000, section 9: neither text nor thinking."""
    run = await run_on(rules={"no-old": f"{NO_OLD}\nscope: text, thinking"}, settings=NEVER)
    await run.turn(answer, FINE)
    assert "AnswerInterrupted" not in run.kinds()
    assert [event.rules for event in run.notifications if isinstance(event, RulesDeferred)] == [("no-old",)]


async def test_a_deferred_injection_survives_a_crash() -> None:
    log = ShakyLog(fails=(6,))  # The injection, when the answer is complete.
    run = await run_on(log)
    await run.turn(SORRY)
    assert len(run.sent) == 1
    assert [rule.name for rule in run.state.reminders] == ["no-sorry"]
    again = await run_on(ShakyLog(log.events))
    await again.turn(FINE)
    assert "no-sorry" in json.dumps(again.sent[0])
    assert again.kinds().count("TextInjected") == 1


async def test_a_reminder_that_could_not_be_recorded_is_injected_with_the_next_request() -> None:
    log = ShakyLog(fails=(6,))
    run = await run_on(log)
    await run.turn(PUSH, FINE)
    assert result_of(run.sent[1], "p1") == "fine"
    assert "no-push" in json.dumps(run.sent[1])
    (batch,) = [step.content for step in run.session.turns[0].steps if isinstance(step.content, ToolBatch)]
    assert batch.items[0].reminders == ()


async def test_follow_ups_of_deferred_rules_are_limited() -> None:
    run = await run_on(settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0))
    await run.turn(*[SORRY] * 40)
    assert run.kinds().count("RulesDeferred") == 20
    assert len(run.sent) == 21


async def test_a_rule_deferred_while_the_log_fails_stays_pending_after_a_failed_answer() -> None:
    async def failing() -> AsyncIterator[Event]:
        yield {"type": "message_start", "message": {"model": "m"}}
        yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}

    run = await run_on(ShakyLog(fails=range(6, 10_000)))
    await run.turn(SORRY)
    async with run.session.turn("go on") as turn:
        async for request in turn:
            async for _ in request.watch(failing()):
                pass
    assert [rule.name for rule in run.state.reminders] == ["no-sorry"]
    assert "FeatureDisabled" not in run.kinds()
