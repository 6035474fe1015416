"""One request of a turn: its messages, its answer, and the results of its tool calls."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from msgspec import Struct

from ttsr_ls.bridge.host.arguments import check_result
from ttsr_ls.bridge.host.hooks.runner import FeatureFailedError
from ttsr_ls.bridge.host.session_core import SessionCore
from ttsr_ls.bridge.host.turns.answer_stream import AnswerStream
from ttsr_ls.bridge.host.turns.provider_stream import ProviderStream
from ttsr_ls.bridge.host.turns.tool_checks import current_call
from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, ToolCall, Usage
from ttsr_ls.session.history.turn_output import Image
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone
from ttsr_ls.session.lifecycle.transitions import Inject, Phase
from ttsr_ls.session.output.wire_events import Decoder
from ttsr_ls.session.projection.wire_values import json_object
from ttsr_ls.store.log.turn_log import LogWriteError

_Event = TypeVar("_Event")


class TurnEnvironment(Struct, frozen=True):
    """The parts of a session that a turn uses."""

    messages: Callable[[], list[dict[str, Any]]]
    offered: Callable[[Iterable[FeatureTool]], list[dict[str, Any]]]
    decoder: Callable[[], Decoder]
    sleep: Callable[[float], Awaitable[None]]
    refresh: Callable[[], Awaitable[None]]
    """Reloads changed rules."""


class TurnRequest:
    """A request to the model.

    The host sends `messages`, passes the answer through `watch`, and gives each call a result.
    """

    def __init__(self, core: SessionCore, environment: TurnEnvironment) -> None:
        self._core = core
        self._environment = environment
        self._answer: AnswerStream[Any] | None = None
        self._turn = core.machine.position.turn
        self._running = set[str]()
        """The calls of features' tools that `run` runs now."""
        # Each SDK has types of its own for these; `Any` fits all of them.
        self.messages: list[Any] = environment.messages()
        """The history as messages of the API."""
        self.tools: list[Any] = environment.offered(core.features.tools)
        """The tools of features in the format of the API, to be sent with the host's own."""

    def watch(
        self,
        stream: AsyncIterable[_Event]
        | Awaitable[AsyncIterable[_Event]]
        | AbstractAsyncContextManager[AsyncIterable[_Event]],
    ) -> AnswerStream[_Event]:
        """Matches rules against the answer, and forwards the provider's events. Ends early if a rule interrupts."""
        if self._answer is not None:
            raise UsageError("the answer to a request can be watched once")
        self._answer = AnswerStream[_Event](self._core, self._turn, self._environment.decoder(), ProviderStream(stream))
        return self._answer

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls to run, in order: those without a result. Empty if the answer was interrupted.

        Features were asked about them: denied calls are left out, and changed `arguments` replace the model's.
        """
        waiting = self._core.machine.transient.unfinished_calls if self._is_current else ()
        output = () if self._answer is None or not self._answer.is_handed_over else self._answer.output
        by_id = {part.id: part for part in reversed(output) if isinstance(part, ToolCall)}
        return tuple(current_call(self._core, by_id[call]) for call in waiting if call in by_id)

    @property
    def failure(self) -> str | None:
        """The reason of an incomplete answer that neither a rule nor a user interrupted."""
        return None if self._answer is None else self._answer.failure

    @property
    def stop_reason(self) -> str | None:
        """The stop reason of the answer in the provider's word, such as `end_turn`, `max_tokens` or `refusal`.

        None while it streams, and if it was interrupted or failed. After `pause_turn` the turn makes another request
        by itself, up to `RequestLimits.pauses` times.
        """
        return self._answer.stop_reason if self.is_answered and self._answer is not None else None

    @property
    def usage(self) -> Usage | None:
        """The tokens of the answer, as far as the provider reported them; None if it did not."""
        return None if self._answer is None else self._answer.usage

    @property
    def is_answered(self) -> bool:
        """True if the answer is complete."""
        return self._answer is not None and self._answer.is_complete

    def retry(self) -> None:
        """Retries a failed request: the next iteration of the turn returns a new request.

        The received part of the failed answer stays in the history, and the model continues after it. Each retry counts
        towards `RequestLimits`. Raises UsageError if the request did not fail, or the turn is over.
        """
        if self.failure is None or self._is_abandoned or self._core.machine.phase is not Phase.DONE:
            raise UsageError("only a request that failed can be retried, while its turn is under way")
        self._core.handle(Inject(()))

    async def result(self, call: str, text: str, *, is_error: bool = False, images: tuple[Image, ...] = ()) -> None:
        """Records the result of a tool call. Reminders of rules are put in front of it.

        Ignored if the user stopped the turn or rewound meanwhile. Raises UsageError for a call that waits for no
        result, and for an error with images.
        """
        if is_error and images:
            raise UsageError("the result of a failed call takes no images: leave out images=, or is_error=")
        state = CallRefused(text) if is_error else CallDone(text, images)
        check_result(state)
        if not self._is_abandoned:
            await self._core.on_tool_result(self._call(call), state)

    def has_tool(self, call: ToolCall) -> bool:
        """Returns whether a feature has the tool of a call, so that `run` can run it."""
        return self._core.features.owner(call.tool) is not None

    async def run(self, call: ToolCall) -> None:
        """Runs a call of a feature's tool, and records its result.

        Raises UsageError if no feature has the tool, or the call waits for no result or is run already.
        """
        owner = self._core.features.owner(call.tool)
        if owner is None:
            raise UsageError(f"no feature has the tool {call.tool}")
        if self._is_abandoned:
            return
        call = self._call(call.id)
        if call.id in self._running:
            raise UsageError(f"the tool call {call.id!r} is run already")
        self._running.add(call.id)
        try:
            await self._run(call, *owner)
        finally:
            self._running.discard(call.id)

    async def _run(self, call: ToolCall, feature: Feature, tool: FeatureTool) -> None:
        try:
            arguments = json_object(call.arguments)
        except ValueError as error:
            await self._core.on_tool_result(call, CallRefused(f"The arguments are not a JSON object: {error}"))
            return
        try:
            ran = await self._core.features.run(tool, feature, arguments)
            if self._is_abandoned or not self._core.is_pending(call):
                return  # A tool acts by its records, so an unrecorded run has no effect.
            self._core.note_all(ran.records)
        except LogWriteError as error:
            await self._core.on_tool_result(call, CallRefused(f"Nothing was done: {error}"))
        except FeatureFailedError as error:
            await self._core.on_tool_result(call, CallRefused(str(error)))
        else:
            result = CallDone(ran.text) if isinstance(ran, ToolDone) else CallRefused(ran.text)
            await self._core.on_tool_result(call, result)

    async def close(self) -> None:
        """Ends an answer that the host stopped reading early.

        Raises UsageError if the answer was not watched or a call has no result.
        """
        if self._is_abandoned:
            return
        if self._answer is None:
            raise UsageError("the answer to the last request was not watched")
        await self._answer.finish()
        if self._core.machine.phase is Phase.TOOLS:
            missing_name = ", ".join(self._core.machine.transient.unfinished_calls)
            raise UsageError(f"these tool calls of the last answer have no result: {missing_name}")

    async def leave(self) -> None:
        """Ends `watch` and cancels pending work."""
        if self._answer is not None:
            await self._answer.finish()

    @property
    def _is_current(self) -> bool:
        return self._core.machine.position.turn == self._turn

    @property
    def _is_abandoned(self) -> bool:
        return not self._is_current or self._core.machine.transient.user_interrupted

    def _call(self, call_id: str) -> ToolCall:
        tool_call = next((tool_call for tool_call in self.calls if tool_call.id == call_id), None)
        if tool_call is None:
            raise UsageError(f"no tool call {call_id!r} waits for a result")
        return tool_call
