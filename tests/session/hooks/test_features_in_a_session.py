"""The actions of features in a session, and how features with invalid actions are disabled (spec Y)."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.bridge.host.driving import FINE, OLD, PUSH, run_on, stream_of
from tests.bridge.wire.provider_answers import Part
from tests.session.hooks.trying import HELLO, Trying, note, off, raising
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.rules.stream import Delta
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import FeatureRecorded, Text, Thinking, ToolCall, TurnCompleted, TurnEvent
from ttsr_ls.session.hooks import contract
from ttsr_ls.session.hooks.contract import (
    Append,
    DeltaContext,
    DeltaResult,
    Ending,
    Feature,
    FollowUp,
    Interrupt,
    Note,
    OutputContext,
    PendingInjection,
    Prepend,
    Proceed,
    RequestContext,
    RequestResult,
    Resume,
)
from ttsr_ls.session.hooks.system_items import SystemItem, SystemItems, injections_by
from ttsr_ls.session.output.wire_events import Api


async def test_hooks_are_called_in_the_order_of_a_turn() -> None:
    feature = Trying()
    run = await run_on(features=(feature,))
    await run.turn(PUSH, FINE)
    assert [hook for position, hook in enumerate(feature.seen) if feature.seen[position - 1 : position] != [hook]] == [
        "request", "delta", "output", "call", "tool", "request", "delta", "output", "turn",
    ]  # fmt: skip
    assert off(run) == []


async def test_a_feature_may_append_through_its_handle_and_its_record_is_on_record_with_the_item() -> None:
    feature = Trying(request=lambda context: Append((context.items.note("mind the gap"),), (note(),)))
    run = await run_on(features=(feature,))
    await run.turn(FINE)
    assert "mind the gap" in json.dumps(run.sent[0])
    kinds = [type(event).__name__ for event in feature.records]
    assert kinds[:4] == ["RulesLoaded", "TurnStarted", "FeatureRecorded", "InjectionCommitted"]
    assert "FeatureRecorded" not in [type(event).__name__ for event in run.log.events]


async def test_notes_of_every_hook_but_on_request_are_recorded() -> None:
    results = {hook: Note((note(hook),)) for hook in ("delta", "tool", "output", "call", "turn")}
    feature = Trying(**results)
    run = await run_on(features=(feature,))
    await run.turn(PUSH, FINE)
    recorded = [event.content for event in run.log.events if isinstance(event, FeatureRecorded)]
    assert recorded == ["delta", "output", "call", "tool", "turn"]


async def test_a_feature_may_interrupt_an_answer_and_resume_the_turn() -> None:
    feature = Trying(
        delta=Interrupt(("mine",), ContextMode.KEEP, None, (note("cut"),)),
        aborted=lambda context: Resume(
            (PendingInjection(InjectionKind.INTERRUPT, Role.USER, f"not so: {context.rules}"),), 0.2
        ),
    )
    run = await run_on(features=(feature,))
    await run.turn(FINE, FINE)
    assert "not so" in json.dumps(run.sent[1])
    assert run.sleeps == [0.2]
    assert run.kinds() == ["AnswerInterrupted", "TextInjected", "RequestRetried", "TurnFinished"]


async def test_an_interruption_without_a_resume_ends_the_turn() -> None:
    run = await run_on(features=(Trying(delta=Interrupt(("mine",), ContextMode.KEEP)),))
    await run.turn(FINE)
    assert len(run.sent) == 1
    assert run.session.turns[0].state != TurnCompleted()


async def test_a_follow_up_sends_another_request() -> None:
    run = await run_on(features=(Trying(output=FollowUp((HELLO,))),))
    await run.turn(FINE)
    assert len(run.sent) == 2
    assert "hello" in json.dumps(run.sent[1])


async def test_prepended_texts_are_in_the_order_of_features() -> None:
    second = Trying(tool=Prepend("second"))
    second.name = "other"
    run = await run_on(features=(Trying(tool=Prepend("first")), second), rules={})
    await run.turn(PUSH, FINE)
    sent = json.dumps(run.sent[1])
    assert 0 < sent.index("first") < sent.index("second") < sent.index("fine")


async def test_on_output_end_gets_the_ending_of_a_stopped_answer() -> None:
    feature = Trying()
    run = await run_on(features=(feature,))
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, FINE)):
                await run.session.interrupt()
    (context,) = [context for context in feature.contexts if isinstance(context, OutputContext)]
    assert context.ending is Ending.STOPPED


@pytest.mark.parametrize("hook", ["request", "delta", "tool", "output", "turn"])
@pytest.mark.parametrize(
    "answer",
    [raising, "nonsense", None, Note((note(name="ttsr"),)), Append((), (note(name="ttsr"),))],
    ids=["raises", "no result", "nothing", "another's record", "another's record with an item"],
)
async def test_an_invalid_result_disables_the_feature_and_the_agent_continues(hook: str, answer: object) -> None:
    feature = Trying(**{hook: answer})
    run = await run_on(features=(feature,))
    await run.turn(PUSH, OLD, FINE)
    assert off(run) == ["trying"]
    assert not [event for event in run.log.events if isinstance(event, FeatureRecorded)]
    assert run.kinds().count("AnswerInterrupted") == 1
    assert run.session.turns[0].state == TurnCompleted()


async def test_a_feature_that_hangs_is_disabled() -> None:
    class Hanging(Feature):
        name = "hanging"
        timeout = 0.01

        async def on_request(self, context: RequestContext) -> RequestResult:
            await asyncio.Event().wait()
            return Proceed()

    run = await run_on(features=(Hanging(),))
    async with asyncio.timeout(60):
        await run.turn(FINE)
    assert off(run) == ["hanging"]


async def test_a_feature_that_blocks_the_stream_is_disabled() -> None:
    class Slow(Feature):
        name = "slow"
        timeout = 1e-9

        def on_delta(self, context: DeltaContext) -> DeltaResult:
            return Proceed()

    run = await run_on(features=(Slow(),))
    await run.turn(FINE)
    assert off(run) == ["slow"]


async def test_a_feature_that_raises_in_evolve_does_not_stop_the_turn() -> None:
    class Blind(Feature):
        name = "blind"

        def evolve(self, event: TurnEvent) -> None:
            raise ValueError

    run = await run_on(features=(Blind(),))
    await run.turn(FINE)
    assert run.session.turns[0].state == TurnCompleted()


async def test_an_item_of_an_earlier_request_disables_the_feature() -> None:
    kept: list[SystemItem] = []

    def keep(context: RequestContext) -> Append:
        kept.append(context.items.note("once"))
        return Append((kept[0],))

    class Again(Trying):
        async def on_request(self, context: RequestContext) -> RequestResult:
            return keep(context)

    run = await run_on(features=(Again(),))
    await run.turn(PUSH, FINE)
    assert json.dumps(run.sent[1]).count("once") == 1
    assert off(run) == ["trying"]


def test_the_handle_accepts_only_its_own_items_and_each_once() -> None:
    handle = SystemItems()
    item = handle.reminder("x")
    for foreign in (SystemItems().reminder("x"), SystemItem(HELLO)):
        with pytest.raises(UsageError):
            injections_by(handle, (foreign,))
    assert injections_by(handle, (item,)) == (PendingInjection(InjectionKind.REMINDER, Role.USER, "x"),)
    with pytest.raises(UsageError):
        injections_by(handle, (item, item))
    with pytest.raises(UsageError, match="65536"):
        handle.note("x" * 65537)


def test_contexts_give_no_way_to_the_log_the_session_or_messages() -> None:
    contexts = [item for name, item in vars(contract).items() if name.endswith("Context")]
    assert len(contexts) == 7
    fields = {name for context in contexts for name in context.__struct_fields__}
    assert not fields & {"log", "session", "messages", "core", "recorder", "history", "turns"}
    assert [context.__name__ for context in contexts if "items" in context.__struct_fields__] == ["RequestContext"]
    assert all(context.__struct_config__.frozen for context in contexts)


def test_no_result_type_belongs_to_two_hooks() -> None:
    names = ("RequestResult", "DeltaResult", "ToolResultResult", "OutputResult", "AbortedResult")
    owned = [set(getattr(contract, name).__args__) - {Proceed, Note} for name in names]
    assert [len(item) for item in owned] == [1] * 5
    assert len(set().union(*owned)) == 5


async def seen_texts(api: Api, *parts: Part) -> list[tuple[str, str]]:
    """The source of each delta, and the accumulated text that a feature read at it."""
    seen: list[tuple[str, str]] = []

    class Reads(Feature):
        name = "reads"

        def on_delta(self, context: DeltaContext) -> DeltaResult:
            event = context.streamed.event
            if isinstance(event, Delta):
                seen.append((event.context.source.value, context.accumulated))
                assert context.accumulated.endswith(event.text)
            return Proceed()

    run = await run_on(features=(Reads(),), rules={}, api=api)
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(api, parts if not seen else FINE)):
                pass
            for call in request.calls:
                await request.result(call.id, "fine")
    return seen


@pytest.mark.parametrize("api", Api)
async def test_a_feature_sees_the_accumulated_text_beside_each_delta(api: Api) -> None:
    """Seed 002, part 1: `chunk` and `accumulated`. It grows by the delta, and begins anew with the next answer."""
    text, bash = Text("One two three."), ToolCall("c1", "bash", '{"command": "ls -l"}')
    seen = await seen_texts(api, text, bash)
    first = [accumulated for source, accumulated in seen if source == "text" and "One" in accumulated]
    assert first[-1] == text.text
    assert first == sorted(first, key=len)
    assert len(first) > 1
    calls = [accumulated for source, accumulated in seen if source == "tool"]
    assert calls[-1:] == ([] if api is Api.GEMINI else [bash.arguments]), "calls of Gemini come whole, without deltas"
    assert seen[-1] == ("text", "All is well.")


async def test_the_accumulated_text_spans_blocks_and_excludes_thinking() -> None:
    seen = await seen_texts(Api.ANTHROPIC, Text("One. "), Thinking("Hm.", "c2ln"), Text("Two."))
    assert [text for source, text in seen if source == "text" and "One" in text][-1] == "One. Two."
    assert [text for source, text in seen if source == "thinking"][-1] == "Hm."
