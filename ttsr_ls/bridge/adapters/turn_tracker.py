"""Tracks where turns and answers of a session begin and end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from pathlib import PurePath
from typing import ClassVar, Generic, Protocol, TypeVar

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    TurnCancelled,
    TurnOutcome,
    TurnTrigger,
    UnseenTrigger,
    UserInput,
)
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import AgentEvent, AnswerStarted, SessionSeen, TurnClosed, TurnOpened
from ttsr_ls.session.output.common_tools import COMMON_TOOLS
from ttsr_ls.session.output.tool_vocabulary import Vocabulary

_REMEMBERED_ITEMS = 256


class OpenAnswer(Protocol):
    """An unfinished answer of an agent."""

    def end(self, complete: bool, usage: Usage | None, /) -> list[AgentEvent]:
        """Ends the answer. `complete` and `usage` apply unless the stream of the answer contains them."""


AnswerT = TypeVar("AnswerT", bound=OpenAnswer)


class TurnTracker(ABC, Generic[AnswerT]):
    """The state of one session. Relative paths are resolved against `cwd`; None: against the session's own folder."""

    def __init__(self, cwd: PurePath | None = None, limits: AdapterLimits = ADAPTER_LIMITS) -> None:
        self._limits = limits
        self._fixed_cwd = cwd is not None
        self._cwd = PurePath("/") if cwd is None else cwd
        self._in_turn = False
        self._seen: deque[str] = deque(maxlen=_REMEMBERED_ITEMS)
        self._answers: dict[str, AnswerT] = {}

    @abstractmethod
    def new_answer(self, agent: str) -> AnswerT:
        """Creates an empty answer of `agent`."""

    def outcome_at_next_prompt(self) -> TurnOutcome:
        """The outcome of a turn that is open when another prompt comes."""
        return TurnCancelled("another prompt came")

    def identify_session(self, identity: str, cwd: str) -> list[AgentEvent]:
        """Handles a line that names the session and its folder; both may be blank."""
        if cwd and not self._fixed_cwd and cwd != str(self._cwd):
            self._cwd = PurePath(cwd)
        return [SessionSeen(identity, cwd)]

    def start_prompted_turn(self, text: str) -> list[AgentEvent]:
        """Starts a turn with a user's prompt."""
        return [*self.close_turn(self.outcome_at_next_prompt()), *self.open_turn(UserInput(text))]

    @property
    def is_in_turn(self) -> bool:
        """True if a turn is open."""
        return self._in_turn

    def is_first_occurrence(self, item: str) -> bool:
        """Returns whether an item of the stream is new among the last 256 new ones."""
        if item in self._seen:
            return False
        self._seen.append(item)
        return True

    def open_turn(self, trigger: TurnTrigger) -> list[AgentEvent]:
        """Starts a turn unless one is open."""
        if self._in_turn:
            return []
        self._in_turn = True
        return [TurnOpened(trigger)]

    def close_turn(self, outcome: TurnOutcome, usage: Usage | None = None) -> list[AgentEvent]:
        """Ends the open turn, if any. `usage` is that of the answer that is still open."""
        complete = not isinstance(outcome, TurnCancelled)
        events = self.end_answers(complete, usage)
        if self._in_turn:
            self._in_turn = False
            events.append(TurnClosed(outcome))
        return events

    def end_answers(self, complete: bool = True, usage: Usage | None = None) -> list[AgentEvent]:
        """Ends the open answers of all agents."""
        return [event for agent in list(self._answers) for event in self.end_answer(agent, complete, usage)]

    def answer_of(self, agent: str = MAIN_AGENT) -> AnswerT | None:
        """Returns the unfinished answer of `agent`; None if there is none."""
        return self._answers.get(agent)

    def start_answer(self, agent: str = MAIN_AGENT, model: str = "") -> list[AgentEvent]:
        """Starts an answer, after ending an open one of the same agent."""
        events = [*self.end_answer(agent), *self.open_turn(UnseenTrigger())]
        if len(self._answers) >= self._limits.agents:
            events += self.end_answer(next(iter(self._answers)), complete=False)
        self._answers[agent] = self.new_answer(agent)
        return [*events, AnswerStarted(agent, model)]

    def ensure_answer(self, agent: str = MAIN_AGENT) -> tuple[list[AgentEvent], AnswerT]:
        """Returns the unfinished answer of `agent`, a new one if there is none, and the events of its start."""
        answer = self._answers.get(agent)
        events = self.start_answer(agent) if answer is None else []
        return events, self._answers[agent]

    def end_answer(
        self, agent: str = MAIN_AGENT, complete: bool = True, usage: Usage | None = None
    ) -> list[AgentEvent]:
        """Ends the open answer of `agent`."""
        answer = self._answers.pop(agent, None)
        return [] if answer is None else answer.end(complete, usage)


class PartsTracker(TurnTracker[AnswerParts]):
    """The state of a session whose answers are tracked by their parts. `tools` names the agent's tools."""

    tools: ClassVar[Vocabulary] = COMMON_TOOLS

    def new_answer(self, agent: str) -> AnswerParts:
        return AnswerParts(agent, self._cwd, self.tools, self._limits.answer)
