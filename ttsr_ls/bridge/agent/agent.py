"""The loop of the agent: asks the model, shows what it says, runs its tools, until it is done.

Everything about rules, history and the log is the session's; this is what any host of a session looks like.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import aclosing
from pathlib import PurePosixPath
from typing import Any, TypeVar

from ttsr_ls.bridge.agent.tool import AgentTool, Outcome
from ttsr_ls.bridge.agent.view import Called, Returned, Said, Thought, Trouble, View
from ttsr_ls.bridge.hooks.contract import FeatureTool, ToolDone, ToolFailed
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.host.turn import Request
from ttsr_ls.bridge.host.wires import offered
from ttsr_ls.bridge.model.client import Model
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.wire.decoding import decoder
from ttsr_ls.bridge.wire.events import Api, Streamed, WireEvent
from ttsr_ls.engine.stream import Delta, Source
from ttsr_ls.engine.turn_events import Done, Refused, ToolBatch, ToolCall

_Result = TypeVar("_Result")


class Agent:
    """One agent. `show` is told at once what it does; it must not raise."""

    def __init__(
        self,
        session: Session,
        api: Api,
        model: Model,
        tools: Iterable[AgentTool[Any]],
        system: str,
        show: Callable[[View], None],
    ) -> None:
        self._session = session
        self._api = api
        self._model = model
        self._tools = {tool.name: tool for tool in tools}
        self._offered = tuple(offered(api, (_as_offered(tool) for tool in self._tools.values())))
        self._system = system
        self._show = show
        self._running: asyncio.Task[Any] | None = None
        self._interrupted = False

    async def interrupt(self) -> None:
        """A person stops the turn: the answer is cut off, or the tool that runs."""
        self._interrupted = True
        await self._session.interrupt()
        if self._running is not None:
            self._running.cancel()

    async def turn(self, prompt: str) -> bool:
        """Works until the model is done, or somebody interrupts; False where it failed or a limit ended it.

        Raises LogWriteError as the session does.
        """
        self._interrupted = False
        async with self._session.turn(prompt) as turn:
            async for request in turn:
                await self._answer(request)
                if request.failure is not None:
                    self._show(Trouble(request.failure))
                    return False
                for call in request.calls:
                    if not self._interrupted:
                        await self._run(request, call)
            return not turn.is_exhausted

    async def _answer(self, request: Request) -> None:
        asked = ModelRequest(tuple(request.messages), self._system, (*request.tools, *self._offered))
        reading = decoder(self._api, PurePosixPath("/"))
        try:
            async with aclosing(self._model.stream(asked)) as stream:
                async for event in request.watch(stream):
                    self._tell(reading.feed(event))
        except ModelError:
            pass  # The request says so, too.

    def _tell(self, events: tuple[WireEvent, ...]) -> None:
        for event in events:
            match event:
                case Streamed(event=Delta(context=context, text=text)) if context.source is Source.TEXT:
                    self._show(Said(text))
                case Streamed(event=Delta(context=context, text=text)) if context.source is Source.THINKING:
                    self._show(Thought(text))
                case _:
                    pass

    async def _run(self, request: Request, call: ToolCall) -> None:
        self._show(Called(call.tool, call.arguments))
        if request.has_tool(call):
            if await self._until_interrupted(request.run(call)):
                self._show_result(call)
            return
        tool = self._tools.get(call.tool)
        outcome: Outcome | None = Outcome(f"There is no tool {call.tool}.", True)
        if tool is not None:
            done = await self._until_interrupted(tool.call(call.arguments))
            outcome = done[0] if done else None
        if outcome is not None:
            self._show(Returned(outcome.text, outcome.failed))
            await request.result(call.id, outcome.text, is_error=outcome.failed)

    async def _until_interrupted(self, work: Coroutine[Any, Any, _Result]) -> tuple[_Result] | tuple[()]:
        """What some work comes to; nothing where a person stopped it."""
        self._running = asyncio.create_task(work)
        try:
            await asyncio.wait([self._running])
            return () if self._running.cancelled() or self._interrupted else (self._running.result(),)
        finally:
            self._running.cancel()
            self._running = None

    def _show_result(self, call: ToolCall) -> None:
        """What a feature's tool came to, as it is on record."""
        steps = (step.content for step in reversed(self._session.turns[-1].steps))
        batch = next((content for content in steps if isinstance(content, ToolBatch)), None)
        for item in () if batch is None else batch.items:
            if item.call == call.id and isinstance(item.state, Done | Refused):
                self._show(Returned(item.state.result, isinstance(item.state, Refused)))


def _as_offered(tool: AgentTool[Any]) -> FeatureTool:
    async def run(arguments: Any) -> ToolDone | ToolFailed:
        raise AssertionError("the agent runs its own tools")

    return FeatureTool(tool.name, tool.description, tool.schema, run)
