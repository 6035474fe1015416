"""The loop of the agent: sends requests, shows the output of the model, and runs its tools, until the model is done.

The session handles rules, history and the log; this loop is what every host of a session needs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import aclosing
from pathlib import PurePosixPath
from typing import Any, TypeVar

from ttsr_ls.agent.compaction import Summarizer
from ttsr_ls.agent.context_window import ContextWindow
from ttsr_ls.agent.secrets import NO_SECRETS, Secrets
from ttsr_ls.agent.shortening import HistoryShortener
from ttsr_ls.agent.stop_reasons import unusual_ending
from ttsr_ls.agent.tool import AgentTool, ToolOutcome
from ttsr_ls.agent.view import ModelText, ModelThought, ToolCalled, ToolReturned, TroubleReported, ViewEvent
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.host.turns.turn_request import TurnRequest
from ttsr_ls.bridge.model.client import Model
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.bridge.wire.request_encoding import encode_tools
from ttsr_ls.rules.stream import Delta, Source
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, ToolBatch, ToolCall
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone, ToolFailed
from ttsr_ls.session.output.wire_events import Api, PartFinished, ResponseDelta, WireEvent

_Result = TypeVar("_Result")


class Agent:
    """One agent. `show` gets each event at once; it must not raise. `secrets` are masked in results of tools.

    `context_window` is that of the model, in tokens; with None the history is not compacted in advance.
    `on_log_failure` is that of the session.
    """

    def __init__(
        self,
        session: Session,
        api: Api,
        model: Model,
        tools: Iterable[AgentTool[Any]],
        system: str,
        show: Callable[[ViewEvent], None],
        secrets: Secrets = NO_SECRETS,
        context_window: int | None = None,
        on_log_failure: LogFailurePolicy = LogFailurePolicy.GO_ON,
    ) -> None:
        self._session = session
        self._api = api
        self._model = model
        self._tools = {tool.name: tool for tool in tools}
        self._offered = tuple(encode_tools(api, (_to_feature_tool(tool) for tool in self._tools.values())))
        self._system = system
        self._show = show
        self._secrets = secrets
        self._running: asyncio.Task[Any] | None = None
        self._interrupted = False
        self._is_empty = True
        """True if the answer has neither text nor tool calls so far."""
        self._feature_tools: tuple[dict[str, Any], ...] = ()
        summarizer = Summarizer(session, api, model, system, lambda: (*self._feature_tools, *self._offered))
        window = ContextWindow(context_window)
        self.history = HistoryShortener(session, summarizer, window, show, self._until_interrupted, on_log_failure)
        """Shortens the history when needed, and between turns on demand."""

    async def interrupt(self) -> None:
        """Stops the turn on behalf of the user: interrupts the answer, or the running tool."""
        self._interrupted = True
        await self._session.interrupt()
        if self._running is not None:
            self._running.cancel()

    async def turn(self, prompt: str) -> bool:
        """Runs a turn until the model is done or the user interrupts; False if it failed or a limit ended it.

        A refusal, an empty answer and a truncated answer are failures, too, and are shown.

        Raises LogWriteError as the session does.
        """
        self._interrupted = has_recovered = False
        ending: str | None = None
        await self.history.before_request(None)
        if self._interrupted:
            return False
        async with self._session.turn(prompt) as turn:
            async for request in turn:
                await self._answer(request)
                if request.failure is not None:
                    if not (has_recovered or self._interrupted):
                        has_recovered = True  # Tried once in a turn, even if it fails.
                        if await self.history.recover(request, prompt):
                            request.retry()
                            continue
                    self._show(TroubleReported(request.failure))
                    return False
                ending = unusual_ending(request.stop_reason, is_empty=self._is_empty)
                if ending is not None:
                    self._show(TroubleReported(ending))
                calls = request.calls
                for call in calls:
                    if not self._interrupted:
                        await self._run(request, call)
                self.history.after_answer(request)
                if calls and not self._interrupted:
                    await self.history.before_request(prompt)
            return ending is None and not turn.is_exhausted

    async def compact(self, instructions: str) -> bool:
        """Compacts the history, between turns, with instructions for the summary; False if that failed."""
        self._interrupted = False
        return await self.history.compact(instructions)

    async def _answer(self, request: TurnRequest) -> None:
        self._feature_tools = tuple(request.tools)
        model_request = ModelRequest(tuple(request.messages), self._system, (*self._feature_tools, *self._offered))
        decoder = build_decoder(self._api, PurePosixPath("/"))
        self._is_empty = True
        try:
            async with aclosing(self._model.stream(model_request)) as stream:
                async for event in request.watch(stream):
                    self._show_events(decoder.feed(event))
        except ModelError:
            pass  # `request.failure` reports it.

    def _show_events(self, events: tuple[WireEvent, ...]) -> None:
        for event in events:
            match event:
                case ResponseDelta(event=Delta(context=context, text=text)) if context.source is Source.TEXT:
                    self._show(ModelText(text))
                case ResponseDelta(event=Delta(context=context, text=text)) if context.source is Source.THINKING:
                    self._show(ModelThought(text))
                case PartFinished(output=ToolCall()):
                    self._is_empty = False
                case PartFinished(output=Text(text=text)) if text.strip():
                    self._is_empty = False
                case _:
                    pass

    async def _run(self, request: TurnRequest, call: ToolCall) -> None:
        self._show(ToolCalled(call.tool, call.arguments))
        if request.has_tool(call):
            if await self._until_interrupted(request.run(call)):
                self._show_result(call)
            return
        tool = self._tools.get(call.tool)
        outcome: ToolOutcome | None = ToolOutcome(f"There is no tool {call.tool}.", True)
        if tool is not None:
            done = await self._until_interrupted(tool.call(call.arguments))
            outcome = ToolOutcome(self._secrets.mask(done[0].text), done[0].failed) if done else None
        if outcome is not None:
            self._show(ToolReturned(outcome.text, outcome.failed))
            await request.result(call.id, outcome.text, is_error=outcome.failed)

    async def _until_interrupted(self, work: Coroutine[Any, Any, _Result]) -> tuple[_Result] | tuple[()]:
        """Returns the result of some work in a tuple; an empty one if the user interrupted it."""
        self._running = asyncio.create_task(work)
        try:
            await asyncio.wait([self._running])
            return () if self._running.cancelled() or self._interrupted else (self._running.result(),)
        finally:
            self._running.cancel()
            self._running = None

    def _show_result(self, call: ToolCall) -> None:
        """Shows the recorded result of a feature's tool."""
        steps = (step.content for step in reversed(self._session.turns[-1].steps))
        batch = next((content for content in steps if isinstance(content, ToolBatch)), None)
        for item in () if batch is None else batch.items:
            if item.call == call.id and isinstance(item.state, CallDone | CallRefused):
                self._show(ToolReturned(item.state.result, isinstance(item.state, CallRefused)))


def _to_feature_tool(tool: AgentTool[Any]) -> FeatureTool:
    async def run(arguments: Any) -> ToolDone | ToolFailed:
        raise AssertionError("the agent runs its own tools")

    return FeatureTool(tool.name, tool.description, tool.schema, run)
