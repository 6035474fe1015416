"""What features may do to a session, and what becomes of those that do something else (seed 004)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from driving import FINE, OLD, PUSH, Run, ShakyLog, run_on, stream_of

from ttsr_ls.bridge.hooks import contract
from ttsr_ls.bridge.hooks.contract import (
    AbortedContext,
    AbortedResult,
    Append,
    DeltaContext,
    DeltaResult,
    Ending,
    Feature,
    FeatureTool,
    FollowUp,
    Interrupt,
    Note,
    OutputContext,
    OutputResult,
    Prepend,
    Proceed,
    RequestContext,
    RequestResult,
    Resume,
    Told,
    ToolDone,
    ToolFailed,
    ToolResultContext,
    ToolResultResult,
    TurnContext,
    TurnResult,
)
from ttsr_ls.bridge.hooks.system_items import SystemItem, SystemItems, open_handle, told_by
from ttsr_ls.bridge.host.events import FeatureOff
from ttsr_ls.bridge.wire.events import Api
from ttsr_ls.engine.retry import Role
from ttsr_ls.engine.settings import ContextMode
from ttsr_ls.engine.turn import InjectionKind
from ttsr_ls.engine.turn_events import Completed, Done, FeatureRecorded, Refused, ToolCall, TurnEvent
from ttsr_ls.errors import UsageError

HELLO = Told(InjectionKind.NOTE, Role.USER, "hello")


class Trying(Feature):
    """Answers each hook as it is told, and remembers what it was shown."""

    name = "trying"

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.seen: list[str] = []
        self.records: list[TurnEvent] = []
        self.contexts: list[object] = []

    def evolve(self, event: TurnEvent) -> None:
        self.records.append(event)

    def _say(self, hook: str, context: object) -> Any:
        self.seen.append(hook)
        self.contexts.append(context)
        answer = self.answers.pop(hook, Proceed())
        return answer(context) if callable(answer) else answer

    async def on_request(self, context: RequestContext) -> RequestResult:
        return self._say("request", context)

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        return self._say("delta", context)

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        return self._say("tool", context)

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        return self._say("output", context)

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        return self._say("aborted", context)

    async def on_turn_end(self, context: TurnContext) -> TurnResult:
        return self._say("turn", context)


def note(text: str = "x", name: str = "trying") -> FeatureRecorded:
    return FeatureRecorded(name, text)


def off(run: Run) -> list[str]:
    return [event.feature for event in run.told if isinstance(event, FeatureOff)]


async def test_hooks_are_called_in_order_of_what_happens() -> None:
    feature = Trying()
    run = await run_on(features=(feature,))
    await run.turn(PUSH, FINE)
    assert [hook for at, hook in enumerate(feature.seen) if feature.seen[at - 1 : at] != [hook]] == [
        "request", "delta", "output", "tool", "request", "delta", "output", "turn",
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


async def test_a_feature_may_note_what_it_saw_in_any_hook_but_the_request() -> None:
    results = {hook: Note((note(hook),)) for hook in ("delta", "tool", "output", "turn")}
    feature = Trying(**results)
    run = await run_on(features=(feature,))
    await run.turn(PUSH, FINE)
    noted = [event.content for event in run.log.events if isinstance(event, FeatureRecorded)]
    assert noted == ["delta", "output", "tool", "turn"]


async def test_a_feature_may_cut_an_answer_off_and_say_how_to_go_on() -> None:
    feature = Trying(
        delta=Interrupt(("mine",), ContextMode.KEEP, None, (note("cut"),)),
        aborted=lambda context: Resume((Told(InjectionKind.INTERRUPT, Role.USER, "not so", context.rules),), 0.2),
    )
    run = await run_on(features=(feature,))
    await run.turn(FINE, FINE)
    assert "not so" in json.dumps(run.sent[1])
    assert run.naps == [0.2]
    assert run.kinds() == ["Interrupted", "Injected", "Retried", "TurnOver"]


async def test_without_a_way_to_go_on_the_turn_ends() -> None:
    run = await run_on(features=(Trying(delta=Interrupt(("mine",), ContextMode.KEEP)),))
    await run.turn(FINE)
    assert len(run.sent) == 1
    assert run.session.turns[0].state != Completed()


async def test_a_feature_may_have_the_model_asked_again() -> None:
    run = await run_on(features=(Trying(output=FollowUp((HELLO,))),))
    await run.turn(FINE)
    assert len(run.sent) == 2
    assert "hello" in json.dumps(run.sent[1])


async def test_prepended_texts_stand_in_the_order_of_features() -> None:
    second = Trying(tool=Prepend("second"))
    second.name = "other"
    run = await run_on(features=(Trying(tool=Prepend("first")), second), rules={})
    await run.turn(PUSH, FINE)
    sent = json.dumps(run.sent[1])
    assert 0 < sent.index("first") < sent.index("second") < sent.index("fine")


async def test_an_answer_that_is_not_complete_is_shown_as_that() -> None:
    feature = Trying()
    run = await run_on(features=(feature,))
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, FINE)):
                await run.session.interrupt()
    (context,) = [each for each in feature.contexts if isinstance(each, OutputContext)]
    assert context.ending is Ending.STOPPED


def raising(_: object) -> object:
    raise RuntimeError("broken")


@pytest.mark.parametrize("hook", ["request", "delta", "tool", "output", "turn"])
@pytest.mark.parametrize(
    "answer",
    [raising, "nonsense", None, Note((note(name="ttsr"),)), Append((), (note(name="ttsr"),))],
    ids=["raises", "no result", "nothing", "another's record", "another's record with an item"],
)
async def test_a_feature_that_does_what_it_may_not_is_switched_off_and_the_agent_goes_on(
    hook: str, answer: object
) -> None:
    feature = Trying(**{hook: answer})
    run = await run_on(features=(feature,))
    await run.turn(PUSH, OLD, FINE)
    assert off(run) == ["trying"]
    assert not [event for event in run.log.events if isinstance(event, FeatureRecorded)]
    assert run.kinds().count("Interrupted") == 1
    assert run.session.turns[0].state == Completed()


async def test_a_feature_that_hangs_is_switched_off() -> None:
    class Hanging(Feature):
        name = "hanging"
        patience = 0.01

        async def on_request(self, context: RequestContext) -> RequestResult:
            await asyncio.Event().wait()
            return Proceed()

    run = await run_on(features=(Hanging(),))
    async with asyncio.timeout(5):
        await run.turn(FINE)
    assert off(run) == ["hanging"]


async def test_a_feature_that_makes_the_stream_wait_is_switched_off() -> None:
    class Slow(Feature):
        name = "slow"
        patience = 0.0

        def on_delta(self, context: DeltaContext) -> DeltaResult:
            return Proceed()

    run = await run_on(features=(Slow(),))
    await run.turn(FINE)
    assert off(run) == ["slow"]


async def test_a_feature_that_cannot_read_the_log_is_switched_off() -> None:
    class Blind(Feature):
        name = "blind"

        def evolve(self, event: TurnEvent) -> None:
            raise ValueError

    run = await run_on(features=(Blind(),))
    await run.turn(FINE)
    assert run.session.turns[0].state == Completed()


async def test_items_of_another_request_are_not_taken() -> None:
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


def test_nobody_but_the_host_makes_handles_and_items() -> None:
    handle = open_handle()
    item = handle.reminder("x")
    for wrong in (lambda: SystemItems(object()), lambda: SystemItem(object(), HELLO)):  # type: ignore[arg-type]
        with pytest.raises(UsageError):
            wrong()
    assert told_by(handle, (item,)) == (Told(InjectionKind.REMINDER, Role.USER, "x"),)
    with pytest.raises(UsageError):
        told_by(handle, (item, item))
    with pytest.raises(UsageError, match="65536"):
        handle.note("x" * 65537)


def test_contexts_give_no_way_to_the_log_the_session_or_messages() -> None:
    contexts = [each for name, each in vars(contract).items() if name.endswith("Context")]
    assert len(contexts) == 6
    fields = {name for each in contexts for name in each.__struct_fields__}
    assert not fields & {"log", "session", "messages", "core", "recorder", "history", "turns"}
    assert [each.__name__ for each in contexts if "items" in each.__struct_fields__] == ["RequestContext"]
    assert all(each.__struct_config__.frozen for each in contexts)


def test_a_result_of_one_hook_is_none_of_another() -> None:
    names = ("RequestResult", "DeltaResult", "ToolResultResult", "OutputResult", "AbortedResult")
    owned = [set(getattr(contract, name).__args__) - {Proceed, Note} for name in names]
    assert [len(each) for each in owned] == [1] * 5
    assert len(set().union(*owned)) == 5


# Tools of features.


def tool(answer: Any, name: str = "Count") -> Feature:
    async def run(arguments: Any) -> Any:
        return answer(arguments) if callable(answer) else answer

    feature = Trying()
    feature.tools = (FeatureTool(name, "Counts.", {"type": "object"}, run),)
    return feature


async def called(run: Run, arguments: str = '{"to": 3}') -> Done | Refused:
    script = [(ToolCall("c1", "Count", arguments),), FINE]
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, script.pop(0))):
                pass
            for call in request.calls:
                assert request.has_tool(call)
                await request.run(call)
    batch: Any = run.session.turns[-1].steps[1].content
    state = batch.items[0].state
    assert isinstance(state, Done | Refused)
    return state


@pytest.mark.parametrize("api", Api)
async def test_the_tools_of_features_are_offered_in_the_spelling_of_the_wire(api: Api) -> None:
    run = await run_on(features=(tool(ToolDone("3")),), api=api)
    async with run.session.turn("go") as turn:
        async for request in turn:
            (offer,) = request.tools
            assert "Counts." in json.dumps(offer)
            assert "Count" in (offer.get("name"), offer.get("function", {}).get("name"))
            async for _ in request.watch(stream_of(api, FINE)):
                pass


async def test_a_call_of_a_features_tool_is_run_by_the_host_and_its_records_are_on_record_first() -> None:
    run = await run_on(features=(tool(lambda arguments: ToolDone(str(arguments["to"]), (note(),))),))
    assert await called(run) == Done("3")
    kinds = [type(event).__name__ for event in run.log.events]
    assert kinds.index("FeatureRecorded") < kinds.index("StepUpdated")


async def test_a_tool_that_fails_says_so_to_the_model() -> None:
    assert await called(await run_on(features=(tool(ToolFailed("no")),))) == Refused("no")
    assert isinstance(await called(await run_on(features=(tool(raising),))), Refused)
    assert isinstance(await called(await run_on(features=(tool(ToolDone("3")),)), "[1"), Refused)


async def test_a_tool_whose_records_the_log_cannot_take_did_nothing() -> None:
    run = await run_on(ShakyLog(fails=(5,)), features=(tool(ToolDone("3", (note(),))),))
    state = await called(run)
    assert isinstance(state, Refused)
    assert "Nothing was done" in state.result


async def test_features_and_tools_have_names_of_their_own() -> None:
    for features in ((Trying(), Trying()), (tool(ToolDone("")), tool(ToolDone(""))), (Feature(),)):
        with pytest.raises(UsageError, match="names"):
            await run_on(features=features)
