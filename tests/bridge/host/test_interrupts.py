"""Interrupted answers: the next request, and the order of records and notifications."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from tests.bridge.host.driving import FINE, NO_ANY, NO_OLD, OLD, PUSH, TYPED, Run, ShakyLog, run_on, stream_of
from tests.bridge.wire.provider_answers import Event, Part
from ttsr_ls.bridge.host.events import RulesTriggered, SessionEvent, TextInjected, TurnFinished
from ttsr_ls.bridge.host.turns.provider_stream import ProviderStream
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.settings.settings import ContextMode, Matching, RepeatMode, RepeatUnit, Settings
from ttsr_ls.session.history.turn import ToolBatch
from ttsr_ls.session.history.turn_events import CallAbandoned, RuleTriggered, Text, ToolCall
from ttsr_ls.session.lifecycle.transitions import Phase
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.store.log.turn_log import SYNCED

APIS = pytest.mark.parametrize("api", Api)


def text_of(run: Run, request: int) -> str:
    return json.dumps(run.sent[request])


@APIS
async def test_discard_mode_removes_the_answer_and_injects_the_rule(api: Api) -> None:
    run = await run_on(api=api)
    await run.turn(OLD, FINE)
    assert len(run.sent) == 2
    assert "I import" not in text_of(run, 1)
    assert '<system-interrupt reason=\\"rule_violation\\" rule=\\"no-old\\" path=\\"rules/no-old.md\\">' in text_of(
        run, 1
    )
    assert "Body of no-old." in text_of(run, 1)


@APIS
async def test_keep_mode_injects_the_rule_after_the_partial_answer(api: Api) -> None:
    run = await run_on(settings=Settings(context_mode=ContextMode.KEEP), api=api)
    await run.turn(OLD, FINE)
    sent = text_of(run, 1)
    assert 0 < sent.index("deprecated_") < sent.index("<system-interrupt")


async def test_the_event_that_matched_is_not_forwarded() -> None:
    run = await run_on()
    await run.turn(OLD, FINE)
    texts = [event["delta"]["text"] for event in run.seen if event["type"] == "content_block_delta"]
    assert "".join(texts) == "I import deprecated_modul" + "All is well."


async def test_an_interrupted_stream_is_closed() -> None:
    closed: list[bool] = []

    async def streaming() -> AsyncIterator[Event]:
        try:
            async for event in stream_of(Api.ANTHROPIC, OLD):
                yield event
        finally:
            closed.append(True)

    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(streaming() if not closed else stream_of(Api.ANTHROPIC, FINE)):
                pass
            assert closed == [True]


async def test_the_retry_waits_for_50_milliseconds() -> None:
    run = await run_on()
    await run.turn(OLD, FINE)
    assert run.sleeps == [0.05]


async def test_events_of_an_interruption_are_published_once_and_in_order() -> None:
    run = await run_on()
    await run.turn(OLD, FINE)
    assert run.kinds() == ["RulesTriggered", "AnswerInterrupted", "TextInjected", "RequestRetried", "TurnFinished"]


async def test_no_tool_call_of_an_interrupted_answer_is_offered() -> None:
    run = await run_on()
    offered: list[int] = []
    script: list[tuple[Part, ...]] = [TYPED, FINE]
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, script.pop(0))):
                pass
            offered.append(len(request.calls))
    assert offered == [0, 0]
    (batch,) = [step.content for step in run.session.turns[0].steps if isinstance(step.content, ToolBatch)]
    reasons = [item.state.reason for item in batch.items if isinstance(item.state, CallAbandoned)]
    assert reasons == ["a rule stopped another tool call of the same answer", "stopped by the rule no-any"]


async def test_all_rules_of_a_batch_are_injected_if_one_of_them_interrupts() -> None:
    """spec I1."""
    rules = {"gentle": f"{NO_OLD}\ninterruptMode: never", "strict": NO_OLD}
    run = await run_on(rules=rules)
    await run.turn(OLD, FINE)
    assert run.kinds() == ["RulesTriggered", "AnswerInterrupted", "TextInjected", "RequestRetried", "TurnFinished"]
    (injection,) = [event for event in run.notifications if isinstance(event, TextInjected)]
    assert injection.rules == ("gentle", "strict")
    assert injection.text.count("</system-interrupt>\n\n<system-interrupt") == 1


async def test_a_rule_fires_once_in_a_session() -> None:
    run = await run_on()
    await run.turn(OLD, OLD)
    await run.turn(OLD)
    assert run.kinds().count("RulesTriggered") == 1


async def test_a_rule_fires_again_after_a_gap_of_turns() -> None:
    """Seed 000, section 5: completed turns; the answers of one turn do not count."""
    turns = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=2, repeat_unit=RepeatUnit.TURNS)
    run = await run_on(settings=turns)
    for _ in range(4):
        await run.turn(OLD, *READS, OLD, FINE)
    assert fired_in(run) == ["t1", "t3"]


async def test_by_default_a_rule_fires_again_after_a_gap_of_answers() -> None:
    """As in the reference agent: its own turn is one answer with the results of its tools."""
    run = await run_on(settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=3))
    await run.turn(OLD, *READS[:2], OLD, FINE)
    assert fired_in(run) == ["t1"]
    await run.turn(OLD, *READS, OLD, FINE)
    assert fired_in(run) == ["t1", "t2", "t2"]


@pytest.mark.parametrize("unit", list(RepeatUnit))
async def test_the_repeat_gap_continues_after_a_resume(unit: RepeatUnit) -> None:
    settings = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=3, repeat_unit=unit)
    run = await run_on(settings=settings)
    await run.turn(OLD, FINE)
    live = list(run.log.events)
    for _ in range(4):
        await run.turn(OLD, FINE)
    resumed = await run_on(log=ShakyLog(live), settings=settings)
    for _ in range(4):
        await resumed.turn(OLD, FINE)
    again = [event.turn for event in resumed.log.events if isinstance(event, RuleTriggered)]
    assert again == [event.turn for event in run.log.events if isinstance(event, RuleTriggered)]
    assert len(again) > 1


async def test_an_answer_with_a_tool_reminder_is_the_first_of_the_repeat_gap() -> None:
    run = await run_on(settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=2))
    await run.turn(PUSH, FINE, prompt="one")
    await run.turn(PUSH, FINE, prompt="two")
    assert fired_in(run) == ["t1", "t2"]
    later = await run_on(settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=3))
    await later.turn(PUSH, FINE, prompt="one")
    await later.turn(PUSH, FINE, prompt="two")
    assert fired_in(later) == ["t1"]


def fired_in(run: Run) -> list[str]:
    """The turns in which rules fired."""
    return [event.triggers[0].turn for event in run.notifications if isinstance(event, RulesTriggered)]


READS = tuple((ToolCall(f"r{number}", "read", '{"path": "a"}'),) for number in range(3))
"""Three answers with a tool call, which no rule is about."""


async def test_interruptions_of_a_turn_are_limited() -> None:
    run = await run_on(settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0))
    await run.turn(*[OLD] * 40)
    assert run.kinds().count("AnswerInterrupted") == 20
    assert isinstance(run.notifications[-1], TurnFinished)


async def test_two_rules_that_match_at_different_units_of_one_event_are_injected_together() -> None:
    run = await run_on(rules={"one": "condition: import", "two": "condition: mport"})
    async with run.session.turn("go") as turn:
        async for request in turn:
            script = (
                stream_of(Api.ANTHROPIC, (Text("import"),)) if not run.notifications else stream_of(Api.ANTHROPIC, FINE)
            )
            async for _ in request.watch(script):
                pass
    fired = [event.rules for event in run.notifications if isinstance(event, RulesTriggered)]
    assert fired == [("one", "two")]
    assert run.kinds().count("AnswerInterrupted") == 1
    (injection,) = [event for event in run.notifications if isinstance(event, TextInjected)]
    assert injection.rules == ("one", "two")
    assert [injection.text.count(f"Body of {rule}.") for rule in injection.rules] == [1, 1]


async def test_the_interruption_is_recorded_first_and_waits_for_no_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed 000, sections 3 and 8: listeners are notified after the abort of the stream."""
    run = await run_on()
    seen: list[tuple[str, str, Phase]] = []
    interrupt = ProviderStream.interrupt

    def see(name: str) -> None:
        seen.append((name, type(run.log.events[-1]).__name__, run.session._core.machine.phase))

    def interrupted(stream: ProviderStream) -> None:
        see("the stream")
        interrupt(stream)

    def listener(event: SessionEvent) -> None:
        see(type(event).__name__)

    monkeypatch.setattr(ProviderStream, "interrupt", interrupted)
    run.session.on_event(listener)
    await run.turn(OLD, FINE)
    assert seen[:3] == [
        ("the stream", "OutputInterrupted", Phase.ABORTING),
        ("RulesTriggered", "OutputInterrupted", Phase.ABORTING),
        ("AnswerInterrupted", "OutputInterrupted", Phase.ABORTING),
    ]


async def test_a_listener_that_raises_is_removed_and_others_are_still_called() -> None:
    run = await run_on()
    errors: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context["exception"]))

    def raising(event: SessionEvent) -> None:
        raise ValueError(type(event).__name__)

    run.session.on_event(raising)
    await run.turn(OLD, FINE)
    assert [str(error) for error in errors] == ["RulesTriggered"]
    assert run.kinds() == ["RulesTriggered", "AnswerInterrupted", "TextInjected", "RequestRetried", "TurnFinished"]


async def test_a_tool_rule_with_a_glob_interrupts_for_a_matching_path() -> None:
    other = (ToolCall("w1", "write", '{"path": "/w/a.py", "content": "let x: any = 1"}'),)
    run = await run_on(rules={"no-any": NO_ANY})
    await run.turn(other, TYPED, FINE)
    (triggered,) = [event for event in run.log.events if isinstance(event, RuleTriggered)]
    assert triggered.call == "w1"
    assert triggered.target is not None
    assert triggered.target.path == "/w/a.ts"


async def test_a_condition_that_is_too_slow_is_disabled_and_reported_once() -> None:
    slow = r"condition: '(.+)(.+)(.+)(.+)X\4\3\2\1c'"
    distinct = "".join(map(chr, range(0x4E00, 0x4E50)))
    run = await run_on(rules={"slow": slow, "no-old": "condition: deprecated_module"})
    for _ in range(2):
        await run.turn((Text(f"{distinct}X{distinct}c" + "d" * 60),))
    await run.turn(OLD, FINE)
    assert run.kinds() == [
        "ConditionTooSlow", "TurnFinished", "TurnFinished", "RulesTriggered",
        "AnswerInterrupted", "TextInjected", "RequestRetried", "TurnFinished",
    ]  # fmt: skip


async def test_a_stream_that_is_too_long_is_reported_once() -> None:
    run = await run_on()
    for _ in range(2):
        await run.turn((Text("x" * (LIVE.stream_length + 1)),))
    await run.turn(OLD, FINE)
    assert run.kinds() == [
        "StreamMatchingEnded", "TurnFinished", "TurnFinished", "RulesTriggered",
        "AnswerInterrupted", "TextInjected", "RequestRetried", "TurnFinished",
    ]  # fmt: skip


async def test_injections_are_synced_to_disk_before_they_are_sent() -> None:
    run = await run_on()
    script: list[tuple[Part, ...]] = [OLD, (ToolCall("p1", "bash", '{"command": "git push"}'),), FINE]
    synced_before: list[list[str]] = []
    async with run.session.turn("go") as turn:
        async for request in turn:
            run.sent.append(request.messages)
            synced_before.append([type(event).__name__ for event in run.log.events if isinstance(event, SYNCED)])
            async for _ in request.watch(stream_of(Api.ANTHROPIC, script.pop(0))):
                pass
            for call in request.calls:
                await request.result(call.id, "fine")
    interrupt = ["RuleTriggered", "OutputInterrupted", "InjectionCommitted"]
    assert synced_before == [[], interrupt, [*interrupt, "RuleTriggered", "ReminderFolded"]]
    kinds = [("system-interrupt" in text_of(run, sent), "system-reminder" in text_of(run, sent)) for sent in range(3)]
    assert kinds == [(False, False), (True, False), (True, True)]


async def test_in_reference_matching_a_rule_fires_once_a_stream_and_again_in_the_next_answer() -> None:
    again = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0)
    run = await run_on(settings=again, matching=Matching.REFERENCE)
    await run.turn(OLD, OLD, FINE)
    assert run.kinds().count("RulesTriggered") == 2
    assert run.kinds().count("AnswerInterrupted") == 2
