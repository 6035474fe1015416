"""Tools of features: offered on each wire, run by the host, and on record before the model gets the result."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.bridge.host.driving import FINE, Run, ShakyLog, run_on, stream_of
from tests.bridge.wire.provider_answers import Part
from tests.session.hooks.trying import Trying, note, raising
from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, FeatureRecorded, ToolCall
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone, ToolFailed
from ttsr_ls.session.output.wire_events import Api


def tool(answer: Any, name: str = "Count") -> Feature:
    async def run(arguments: Any) -> Any:
        return answer(arguments) if callable(answer) else answer

    feature = Trying()
    feature.tools = (FeatureTool(name, "Counts.", {"type": "object"}, run),)
    return feature


async def called(run: Run, arguments: str = '{"to": 3}') -> CallDone | CallRefused:
    script: list[tuple[Part, ...]] = [(ToolCall("c1", "Count", arguments),), FINE]
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, script.pop(0))):
                pass
            for call in request.calls:
                assert request.has_tool(call)
                await request.run(call)
    batch: Any = run.session.turns[-1].steps[1].content
    state = batch.items[0].state
    assert isinstance(state, CallDone | CallRefused)
    return state


@pytest.mark.parametrize("api", Api)
async def test_tools_of_features_are_offered_in_the_format_of_the_wire(api: Api) -> None:
    run = await run_on(features=(tool(ToolDone("3")),), api=api)
    async with run.session.turn("go") as turn:
        async for request in turn:
            (offer,) = request.tools
            assert "Counts." in json.dumps(offer)
            assert "Count" in (offer.get("name"), offer.get("function", {}).get("name"))
            async for _ in request.watch(stream_of(api, FINE)):
                pass


async def test_the_records_of_a_features_tool_come_before_its_result() -> None:
    run = await run_on(features=(tool(lambda arguments: ToolDone(str(arguments["to"]), (note(),))),))
    assert await called(run) == CallDone("3")
    kinds = [type(event).__name__ for event in run.log.events]
    assert kinds.index("FeatureRecorded") < kinds.index("StepUpdated")


async def test_a_failing_tool_refuses_its_call() -> None:
    assert await called(await run_on(features=(tool(ToolFailed("no")),))) == CallRefused("no")
    assert isinstance(await called(await run_on(features=(tool(raising),))), CallRefused)
    assert isinstance(await called(await run_on(features=(tool(ToolDone("3")),)), "[1"), CallRefused)


async def test_a_tool_whose_records_cannot_be_logged_is_refused() -> None:
    run = await run_on(ShakyLog(fails=(5,)), features=(tool(ToolDone("3", (note(),))),))
    state = await called(run)
    assert isinstance(state, CallRefused)
    assert "Nothing was done" in state.result


async def test_duplicate_and_missing_names_of_features_and_tools_are_refused() -> None:
    for features in ((Trying(), Trying()), (tool(ToolDone("")), tool(ToolDone(""))), (Feature(),)):
        with pytest.raises(UsageError, match="name"):
            await run_on(features=features)


@pytest.mark.parametrize("what", ["stop", "rewind", "close"])
async def test_the_records_of_a_tool_that_the_user_stopped_are_dropped(what: str) -> None:
    async def stopped(_: Any) -> ToolDone:
        acts = {"stop": session.interrupt, "rewind": lambda: session.rewind("t1"), "close": session.close}
        await acts[what]()
        return ToolDone("3", (note(),))

    feature = Trying()
    feature.tools = (FeatureTool("Count", "Counts.", {"type": "object"}, stopped),)
    run = await run_on(features=(feature,))
    session = run.session
    async with session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, (ToolCall("c1", "Count", "{}"),))):
                pass
            for call in request.calls:
                await request.run(call)
    assert not [event for event in run.log.events if isinstance(event, FeatureRecorded)]
    assert "FeatureDisabled" not in run.kinds()
