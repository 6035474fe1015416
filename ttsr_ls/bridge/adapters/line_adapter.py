"""What the adapters of agents with JSON lines have in common: lines, turns, answers, and reports of the unknown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from pathlib import PurePath
from typing import ClassVar

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.bridge.adapters.lines import LineSplitter, Overlong
from ttsr_ls.bridge.adapters.wire_values import JsonObject, parse_object
from ttsr_ls.escaping import one_line
from ttsr_ls.session.history.turn_events import MAIN_AGENT, Cancelled, Outcome, TurnTrigger, Unseen, UserInput
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import (
    AgentEvent,
    AnswerStarted,
    SessionSeen,
    StreamDamaged,
    TurnClosed,
    TurnOpened,
)
from ttsr_ls.session.output.common_tools import COMMON_TOOLS
from ttsr_ls.session.output.tool_vocabulary import Vocabulary

MAX_AGENTS = 256
"""How many agents of one session may be in the middle of an answer; of more, the oldest answers are given up."""

MOST_DAMAGED = 1_000
"""How many lines are reported that cannot be read."""

MOST_UNKNOWN = 50
"""How many unknown kinds of messages are reported."""

_LONGEST_KIND = 80
_REMEMBERED_ITEMS = 256


class LineAdapter(ABC):
    """Reads one session. `cwd` is the folder that relative paths are taken from; None: what the session itself says."""

    tools: ClassVar[Vocabulary] = COMMON_TOOLS

    def __init__(self, cwd: PurePath | None = None) -> None:
        self._splitter = LineSplitter()
        self._line = 0
        self._damaged = 0
        self._unknown: set[str] = set()
        self._fixed_cwd = cwd is not None
        self._cwd = PurePath("/") if cwd is None else cwd
        self._in_turn = False
        self._seen: deque[str] = deque(maxlen=_REMEMBERED_ITEMS)
        self._answers: dict[str, AnswerParts] = {}

    def feed(self, data: bytes) -> list[AgentEvent]:
        """What `data` completes."""
        events: list[AgentEvent] = []
        for line in self._splitter.feed(data):
            events += self._read(line)
        return events

    def finish(self) -> list[AgentEvent]:
        """The stream is over; a turn that is still open was cut off with it."""
        events = [event for line in self._splitter.finish() for event in self._read(line)]
        return events + self.close_turn(self.outcome_at_end())

    def outcome_at_end(self) -> Outcome:
        """How a turn ended that was open when the stream ended."""
        return Cancelled("the stream ended")

    @abstractmethod
    def message(self, message: JsonObject) -> list[AgentEvent]:
        """What one line says."""

    def _read(self, line: bytes | Overlong) -> list[AgentEvent]:
        self._line += 1
        if isinstance(line, Overlong):
            return self.damaged("it is too long")
        if not line.strip():
            return []
        message = parse_object(line)
        return self.damaged(message) if isinstance(message, str) else self.message(message)

    def damaged(self, reason: str) -> list[AgentEvent]:
        """The line cannot be read."""
        self._damaged += 1
        if self._damaged > MOST_DAMAGED:
            return []
        more = " Further lines that cannot be read are not reported." if self._damaged == MOST_DAMAGED else ""
        return [StreamDamaged(f"Line {self._line} of the stream was skipped: {reason}.{more}")]

    def unknown(self, kind: str) -> list[AgentEvent]:
        """The line can be read but is of a kind that this adapter does not know. Each kind is reported once."""
        kind = one_line(kind[:_LONGEST_KIND])
        if kind in self._unknown or len(self._unknown) >= MOST_UNKNOWN:
            return []
        self._unknown.add(kind)
        return [StreamDamaged(f"Line {self._line} of the stream was skipped: its kind, '{kind}', is not known.")]

    def session(self, identity: str, cwd: str) -> list[AgentEvent]:
        """The stream names its session and its folder, which may be blank."""
        if cwd and not self._fixed_cwd:
            self._cwd = PurePath(cwd)
        return [SessionSeen(identity, cwd)]

    def prompted(self, text: str) -> list[AgentEvent]:
        """A person's prompt begins a turn."""
        return [*self.close_turn(Cancelled("another prompt came")), *self.open_turn(UserInput(text))]

    @property
    def is_in_turn(self) -> bool:
        """Whether a turn is open."""
        return self._in_turn

    def sees_first(self, item: str) -> bool:
        """Whether an item of the stream is seen for the first time, as far as is remembered."""
        if item in self._seen:
            return False
        self._seen.append(item)
        return True

    def open_turn(self, trigger: TurnTrigger) -> list[AgentEvent]:
        """A turn begins, if none is open."""
        if self._in_turn:
            return []
        self._in_turn = True
        return [TurnOpened(trigger)]

    def close_turn(self, outcome: Outcome, usage: Usage | None = None) -> list[AgentEvent]:
        """The turn ends, if one is open. `usage` is that of the answer that is still open."""
        complete = not isinstance(outcome, Cancelled)
        events = [event for agent in list(self._answers) for event in self.end_answer(agent, complete, usage)]
        if self._in_turn:
            self._in_turn = False
            events.append(TurnClosed(outcome))
        return events

    def answer_of(self, agent: str = MAIN_AGENT) -> AnswerParts | None:
        """The answer that `agent` is in the middle of."""
        return self._answers.get(agent)

    def start_answer(self, agent: str = MAIN_AGENT, model: str = "") -> list[AgentEvent]:
        """A model begins to answer; an answer of the same agent that is open ends before."""
        events = [*self.end_answer(agent), *self.open_turn(Unseen())]
        if len(self._answers) >= MAX_AGENTS:
            events += self.end_answer(next(iter(self._answers)), complete=False)
        self._answers[agent] = AnswerParts(agent, self._cwd, self.tools)
        return [*events, AnswerStarted(agent, model)]

    def in_answer(self, agent: str = MAIN_AGENT) -> tuple[list[AgentEvent], AnswerParts]:
        """The answer that `agent` is in the middle of, begun if there is none, with the events of its beginning."""
        answer = self._answers.get(agent)
        events = self.start_answer(agent) if answer is None else []
        return events, self._answers[agent]

    def end_answer(
        self, agent: str = MAIN_AGENT, complete: bool = True, usage: Usage | None = None
    ) -> list[AgentEvent]:
        """The open answer of `agent` is over."""
        answer = self._answers.pop(agent, None)
        return [] if answer is None else answer.end(complete, usage)
