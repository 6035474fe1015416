"""A turn as an async iterator of the requests that the host has to send."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from ttsr_ls.bridge.host.session_core import SessionCore
from ttsr_ls.bridge.host.turns.turn_hooks import ask_on_turn_end
from ttsr_ls.bridge.host.turns.turn_request import TurnEnvironment, TurnRequest
from ttsr_ls.errors import UsageError, error_text
from ttsr_ls.session.history.turn import TurnTrigger
from ttsr_ls.session.history.turn_events import TurnCancelled, TurnCompleted, TurnFailed, TurnOutcome
from ttsr_ls.session.lifecycle.transitions import CANCELLED_BY_USER, EndTurn, Phase, StartTurn

LEFT_EARLY = TurnCancelled("the host left the turn")
INTERRUPTED = TurnCancelled("its answer was interrupted, and no feature resumed the turn")


class TurnRun(AsyncIterator[TurnRequest]):
    """One turn. Use it as an async context manager, and iterate it within."""

    def __init__(self, core: SessionCore, trigger: TurnTrigger, environment: TurnEnvironment) -> None:
        self._core = core
        self._trigger = trigger
        self._environment = environment
        self._request: TurnRequest | None = None
        self._id: str | None = None
        self._requests_made: int | None = None
        """The number of requests after which their limit ended the turn; None if it did not."""

    @property
    def id(self) -> str:
        """The turn's id in its session. Raises UsageError before the turn began."""
        if self._id is None:
            raise UsageError("the turn has not begun")
        return self._id

    async def __aenter__(self) -> Self:
        self._core.handle(StartTurn(self._trigger))
        self._core.limits.start_turn()
        self._requests_made = None
        self._id = self._core.machine.position.turn
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        try:
            if self._request is not None:
                await self._request.leave()
            if self._is_current:
                await ask_on_turn_end(self._core, self._outcome(error))
        finally:
            # Also after a failure or a cancellation, the session must not stay within a turn.
            if self._is_current:
                self._core.handle(EndTurn(self._outcome(error)))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> TurnRequest:
        if self._id is None:
            raise UsageError("a turn is iterated inside of its `async with`")
        if self._request is not None:
            await self._request.close()
        if self._is_current:
            await self._environment.refresh()
        while self._is_current and self._core.machine.phase is Phase.WAITING:
            timer = self._core.retry_timer
            assert timer is not None, "waiting begins with a timer"
            await self._core.retry_wait.wait_until_over(self._environment.sleep(timer.after))
            self._core.on_retry_timer(timer.token)
        if not self._is_current or self._core.machine.phase is not Phase.READY:
            raise StopAsyncIteration
        if not self._core.limits.allow_request():
            self._requests_made = self._core.limits.requests_made
            raise StopAsyncIteration
        await self._core.before_request()
        if not self._is_current or self._core.machine.phase is not Phase.READY:
            raise StopAsyncIteration
        request = TurnRequest(self._core, self._environment)
        if not request.messages:
            raise UsageError("there is nothing to send: the turn has no prompt, and the history is empty")
        self._request = request
        return request

    @property
    def stop_reason(self) -> str | None:
        """The `stop_reason` of the last request so far. A turn counts as completed with every stop reason."""
        return None if self._request is None else self._request.stop_reason

    @property
    def is_exhausted(self) -> bool:
        """True if the turn ended, or will end, because it made as many requests as `RequestLimits.requests` allows."""
        return self._requests_made is not None

    @property
    def _is_current(self) -> bool:
        return self._id is not None and self._core.machine.position.turn == self._id

    def _outcome(self, error: BaseException | None) -> TurnOutcome:
        if self._core.machine.transient.user_interrupted:
            return CANCELLED_BY_USER
        match error:
            case None:
                if self._request is not None and self._request.failure is not None:
                    return TurnFailed(self._request.failure)
                if self.is_exhausted:
                    text = f"The model was asked {self._requests_made} times in this turn, which is the limit."
                    return TurnFailed(text)
                if self._core.machine.phase is Phase.ABORTED:
                    return INTERRUPTED
                answered = self._request is not None and self._request.is_answered
                return TurnCompleted() if answered and self._core.machine.phase is Phase.DONE else LEFT_EARLY
            case asyncio.CancelledError() | GeneratorExit():
                return TurnCancelled("the host was cancelled")
            case _:
                return TurnFailed(f"{type(error).__name__}: {error_text(error)}"[:1000])
