"""Shortens the history of an agent's session: on demand, near the end of the context window, and after its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar, assert_never

from ttsr_ls.agent.compaction import Summarizer, Summary, SummaryFailed, summary_message
from ttsr_ls.agent.context_window import ALL_RESULTS, OLD_RESULTS, ContextWindow, MakeRoom
from ttsr_ls.agent.stop_reasons import CONTEXT_WINDOW_EXCEEDED
from ttsr_ls.agent.view import HistoryShortened, NoticeShown, TroubleReported, ViewEvent
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.host.turns.turn_request import TurnRequest
from ttsr_ls.bridge.model.prompt_too_long import is_prompt_too_long
from ttsr_ls.session.history.turn import Turn, UserInput
from ttsr_ls.session.projection.trimming import Trimming
from ttsr_ls.store.log.turn_log import LogWriteError
from ttsr_ls.text import truncate

_Result = TypeVar("_Result")
_MAX_SHOWN_LENGTH = 80


class Interruptible(Protocol):
    """Runs a coroutine until it is done, or until the user interrupts it: then there is no result."""

    async def __call__(self, work: Coroutine[Any, Any, _Result]) -> tuple[_Result] | tuple[()]: ...


class HistoryShortener:
    """Shortens the history of one session. `show` gets the events.

    A change that cannot be recorded is not made. With `LogFailurePolicy.STOP`, methods that change the history raise
    LogWriteError in that case.
    """

    def __init__(
        self,
        session: Session,
        summarizer: Summarizer,
        window: ContextWindow,
        show: Callable[[ViewEvent], None],
        until_interrupted: Interruptible,
        on_log_failure: LogFailurePolicy,
    ) -> None:
        self._session = session
        self._summarizer = summarizer
        self._window = window
        self._show = show
        self._until_interrupted = until_interrupted
        self._on_log_failure = on_log_failure
        self._next_step = MakeRoom.NOTHING

    def after_answer(self, request: TurnRequest) -> None:
        """Decides from an answer whether the history must be shortened before the next request."""
        if request.stop_reason == CONTEXT_WINDOW_EXCEEDED:
            self._next_step = MakeRoom.COMPACT
        elif request.is_answered:
            self._next_step = self._window.after_answer(request.usage)

    async def before_request(self, prompt: str | None) -> None:
        """Shortens the history if needed. `prompt` is that of the current turn; None between turns."""
        step, self._next_step = self._next_step, MakeRoom.NOTHING
        match step:
            case MakeRoom.NOTHING:
                pass
            case MakeRoom.TRIM:
                self._session.trimming = OLD_RESULTS
                self._show(
                    NoticeShown(
                        "The context window is nearly full. Old tool results are left out of requests from now on."
                    )
                )
            case MakeRoom.COMPACT:
                self._show(NoticeShown("The context window is nearly full. The history is compacted."))
                await self._compact("", self._session.trimming or OLD_RESULTS, prompt)
            case _:
                assert_never(step)

    async def recover(self, request: TurnRequest, prompt: str) -> bool:
        """Compacts the history if a request failed because of its length; returns whether it can be retried."""
        if request.failure is None or not is_prompt_too_long(request.failure):
            return False
        self._show(
            NoticeShown("The prompt is too long for the model. The history is compacted, and the model asked again.")
        )
        return await self._compact("", ALL_RESULTS, prompt)

    async def compact(self, instructions: str) -> bool:
        """Compacts the history on demand, with instructions for the summary; False if that failed."""
        if not self._session.messages:
            self._show(NoticeShown("There is no history to compact."))
            return True
        return await self._compact(instructions, self._session.trimming, None)

    async def clear(self) -> bool:
        """Empties the history; False if that failed."""
        if not await self._on_record(self._session.clear()):
            return False
        self._restart()
        self._show(NoticeShown("The history is empty, and every rule can fire again. Files do not change."))
        return True

    async def rewind(self, turns: int) -> bool:
        """Rewinds the history by a number of turns; False if it has fewer, or if that failed."""
        all_turns = self._session.turns
        if not 1 <= turns <= len(all_turns):
            there = f"only {len(all_turns)} turn{'' if len(all_turns) == 1 else 's'}" if all_turns else "no turn"
            self._show(TroubleReported(f"The history has {there} to go back to."))
            return False
        first = all_turns[-turns]
        if not await self._on_record(self._session.rewind(first.id)):
            return False
        self._restart()
        self._show(NoticeShown(f"The history is what it was before {_described(first)}. Files do not change."))
        return True

    def _restart(self) -> None:
        self._session.trimming = None
        self._next_step = MakeRoom.NOTHING
        self._window.restarted()

    async def _compact(self, instructions: str, trimming: Trimming | None, prompt: str | None) -> bool:
        done = await self._until_interrupted(self._summary(instructions, trimming))
        if not done:
            self._show(TroubleReported("The history is not compacted: you stopped it."))
            return False
        summary = done[0]
        if isinstance(summary, SummaryFailed):
            self._window.compaction_failed()
            self._show(TroubleReported(f"The history cannot be compacted. {summary.reason}"))
            return False
        message = summary_message(summary.text, prompt)
        if not await self._on_record(self._session.compact(message, usage=summary.usage)):
            self._window.compaction_failed()
            return False
        self._session.trimming = None
        self._next_step = MakeRoom.NOTHING
        self._window.compacted()
        self._show(HistoryShortened(summary.text))
        return True

    async def _on_record(self, change: Awaitable[None]) -> bool:
        """Makes a change of the history; False if it cannot be recorded, so that nothing changes."""
        try:
            await change
        except LogWriteError as error:
            if self._on_log_failure is LogFailurePolicy.STOP:
                raise
            self._show(TroubleReported(f"The history stays as it is, because the change cannot be recorded: {error}"))
            return False
        return True

    async def _summary(self, instructions: str, trimming: Trimming | None) -> Summary | SummaryFailed:
        """Returns a summary; if the request for it is too long as well, one of the history without long results."""
        summary = await self._summarizer.summarize(instructions, trimming)
        too_long = isinstance(summary, SummaryFailed) and is_prompt_too_long(summary.reason)
        if too_long and trimming != ALL_RESULTS:
            return await self._summarizer.summarize(instructions, ALL_RESULTS)
        return summary


def _described(turn: Turn) -> str:
    if not isinstance(turn.trigger, UserInput):
        return "the last compaction" if turn.steps else "a turn without a prompt"
    text = " ".join(turn.trigger.text.split())
    return f"the prompt {truncate(text, _MAX_SHOWN_LENGTH)}"
