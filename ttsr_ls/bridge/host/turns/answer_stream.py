"""Matches rules against one answer of the model, and forwards the provider's events until a rule interrupts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from enum import Enum
from functools import partial
from typing import Generic, TypeVar, assert_never

from ttsr_ls.bridge.host.session_core import SessionCore
from ttsr_ls.bridge.host.turns.provider_stream import ProviderStream, StreamInterrupted
from ttsr_ls.bridge.host.turns.tool_checks import check_calls, refuse_calls, refuse_unchecked_calls
from ttsr_ls.bridge.host.turns.turn_hooks import ask_on_aborted
from ttsr_ls.errors import error_text
from ttsr_ls.session.history.turn_events import CallRefused, Output, ToolCall, Usage
from ttsr_ls.session.hooks.contract import Ending
from ttsr_ls.session.lifecycle.transitions import Inject, OutputFailed, OutputFinished, Phase, RequestSent
from ttsr_ls.session.output.stream_texts import StreamTexts
from ttsr_ls.session.output.wire_events import (
    Decoder,
    PartFinished,
    PartTruncated,
    ResponseDelta,
    ResponseFinished,
    ResponseStarted,
    UsageReported,
    WireEvent,
    WireFailed,
)

_Event = TypeVar("_Event")

TRUNCATED = CallRefused("The answer reached its length limit before this call was complete, so the call was not run.")
"""The result of a call whose arguments are truncated."""

PAUSED = "pause_turn"
"""The stop reason of a provider that paused for its own tools and expects the same request with its partial answer."""


class _State(Enum):
    READING = "reading"
    OVER = "over"
    STALE = "the user changed the session before the answer began"


class AnswerStream(AsyncIterator[_Event], Generic[_Event]):
    """An iterator of the provider's events. It ends before the event in which a rule matched. Iterate it to the end."""

    def __init__(self, core: SessionCore, turn: str | None, decoder: Decoder, stream: ProviderStream) -> None:
        self._core = core
        self._decoder = decoder
        self._stream = stream
        self._state = _State.READING
        self._turn = turn
        self._model = ""
        self._output: list[Output] = []
        self._truncated_calls: list[ToolCall] = []
        """The calls whose arguments are truncated, because the answer reached its limit: they cannot run."""
        self._complete = False
        self._is_handed_over = False
        self._texts = StreamTexts()
        self._key = ""
        """The stream of the last delta. Cached with `_read_text`, because nearly all deltas continue that stream."""
        self._read_text: Callable[[], str] = str
        self.usage: Usage | None = None
        """The tokens that the provider reported so far."""
        self.failure: str | None = None
        self.stop_reason: str | None = None
        """The provider's stop reason; None if the answer did not end by itself."""
        if core.machine.position.turn != turn or core.machine.phase is not Phase.READY:
            self._state = _State.STALE
            return
        core.handle(RequestSent())
        core.on_abort = stream.interrupt

    @property
    def is_over(self) -> bool:
        """True if the answer is recorded."""
        return self._state is not _State.READING

    @property
    def is_complete(self) -> bool:
        """True if the answer is recorded and complete."""
        return self.is_over and self._complete

    @property
    def is_handed_over(self) -> bool:
        """True if features were asked about the recorded answer, so that its calls are the host's to run."""
        return self._is_handed_over

    @property
    def output(self) -> tuple[Output, ...]:
        """The parts that were received."""
        return tuple(self._output)

    def __aiter__(self) -> AnswerStream[_Event]:
        return self

    async def __anext__(self) -> _Event:
        if self._state is not _State.READING:
            if self._state is _State.STALE:
                await self._stream.close()
            raise StopAsyncIteration
        try:
            event: _Event = await self._stream.next()
        except StopAsyncIteration:
            self._handle_events(self._decoder.finish())  # Ends the last block, which may complete a match.
            if not self._complete and self.failure is None:
                self.failure = "The stream ended before the answer did."
            await self.finish()
            raise
        except StreamInterrupted:
            await self.finish()
            raise StopAsyncIteration from None
        except BaseException as error:  # The host handles all errors of the provider's SDK.
            self.failure = error_text(error)
            await self.finish()
            raise
        self._handle_events(self._decoder.feed(event))
        if self._is_interrupted:
            await self.finish()
            raise StopAsyncIteration
        return event

    async def aclose(self) -> None:
        """Ends the answer because the host stopped reading. It is recorded as incomplete."""
        await self.finish()

    async def finish(self) -> None:
        """Closes the stream and records the answer. Can be called twice."""
        if self.is_over:
            return
        self._state = _State.OVER
        self._core.on_abort = lambda: None
        self._handle_events(self._decoder.finish())
        is_expected = self._is_expected
        complete = self._complete and not self._is_interrupted
        try:
            if is_expected:  # Otherwise the session was rewound, cleared, or closed meanwhile.
                # Recorded before the first `await`, at which the task may be cancelled.
                self._core.handle((OutputFinished if complete else OutputFailed)(self._model, self.output, self.usage))
            await self._stream.close()
            if is_expected and self._core.machine.position.turn == self._turn:
                await self._ask_features(complete=complete)
        except BaseException:  # The host was cancelled, or the log failed. The host may still continue the turn.
            if self._core.machine.position.turn == self._turn:
                refuse_calls(self._core, (call.id for call in self._truncated_calls), TRUNCATED)
                refuse_unchecked_calls(self._core)
            raise
        finally:
            self._is_handed_over = True

    async def _ask_features(self, *, complete: bool) -> None:
        if self._core.machine.phase is Phase.ABORTED:
            await ask_on_aborted(self._core, self.output)
        elif self._core.machine.transient.user_interrupted:
            await self._core.on_output_end(self.output, Ending.STOPPED)
        else:
            await self._core.on_output_end(self.output, Ending.COMPLETE if complete else Ending.FAILED)
            for call in self._truncated_calls if complete else ():
                await self._core.on_tool_result(call, TRUNCATED)
            if complete and self._core.machine.position.turn == self._turn:
                await check_calls(self._core, self._output)
            if complete:
                self._continue_after_pause()

    def _continue_after_pause(self) -> None:
        is_done = self._core.machine.position.turn == self._turn and self._core.machine.phase is Phase.DONE
        is_paused = self.stop_reason == PAUSED and is_done and not self._core.machine.transient.user_interrupted
        if is_paused and self._core.limits.allow_pause():
            self._core.handle(Inject(()))

    @property
    def _is_expected(self) -> bool:
        return self._core.machine.position.turn == self._turn and self._core.machine.phase in (
            Phase.ANSWERING,
            Phase.ABORTING,
        )

    @property
    def _is_interrupted(self) -> bool:
        machine = self._core.machine
        return machine.transient.phase is not Phase.ANSWERING or machine.position.turn != self._turn

    def _handle_delta(self, delta: ResponseDelta) -> None:
        key = self._texts.add(delta.event)
        if key != self._key:
            self._key, self._read_text = key, partial(self._texts.text, key)
        self._core.on_delta(delta, self._read_text)

    def _handle_events(self, events: tuple[WireEvent, ...]) -> None:
        for event in events:
            if type(event) is ResponseDelta:  # Checked first, because nearly all events are deltas.
                if self._state is _State.READING and not self._is_interrupted:
                    self._handle_delta(event)
                continue
            match event:
                case ResponseStarted():
                    self._model = event.model
                case ResponseDelta():
                    raise AssertionError("it was handled above")
                case PartFinished():
                    self._output.append(event.output)
                case PartTruncated():
                    self._output.append(event.output)
                    if isinstance(event.output, ToolCall):
                        self._truncated_calls.append(event.output)
                case UsageReported():
                    self.usage = event.usage
                case ResponseFinished():
                    self._complete = True
                    self.stop_reason = event.reason
                case WireFailed():
                    self.failure = event.message
                case _:
                    assert_never(event)
