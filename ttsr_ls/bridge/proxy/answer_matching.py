"""Matches rules against one answer of a model, over all its attempts, through the observer of the session."""

from __future__ import annotations

from typing import Any

from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.watch.notices import TriggerNotice
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.session.history.turn_output import Output, ToolCall, ToolState
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    AnswerEnded,
    AnswerStarted,
    BlockFinished,
    ToolResultSeen,
)
from ttsr_ls.session.output.wire_events import (
    Api,
    PartFinished,
    PartTruncated,
    ResponseDelta,
    ResponseFinished,
    ResponseStarted,
    UsageReported,
    WireEvent,
    WireFailed,
)


class AnswerMatching:
    """Decodes the attempts of one exchange and feeds them to the rules."""

    def __init__(self, session: ProxySession, api: Api, agent: str) -> None:
        self._session = session
        self._api = api
        self._agent = agent
        self._decoder = build_decoder(api, session.cwd)
        self._is_started = False
        self._is_complete = False
        self._usage: Usage | None = None
        self.calls = 0
        """How many tool calls the current attempt has."""
        self.output: list[Output] = []
        """The complete parts of the current attempt."""
        self._finished_calls: list[ToolCall] = []

    @property
    def ends_turn(self) -> bool:
        """True if the answer was complete and calls no tool."""
        return self._is_complete and not self.calls

    @property
    def step(self) -> int:
        """The number of the answer's step."""
        return self._session.observer.position(self._agent).step

    def feed(self, event: Any, now: int) -> list[TriggerNotice]:
        """Returns the triggers of one event of the API's stream."""
        events = self._agent_events(self._decoder.feed(event))
        return self._session.feed(events, now) if events else []

    def take_calls(self) -> list[ToolCall]:
        """Returns the tool calls that were completed since this method was last called."""
        calls, self._finished_calls = self._finished_calls, []
        return calls

    def record_call_result(self, call_id: str, state: ToolState, now: int) -> None:
        """Records that the proxy answered a tool call of the current attempt."""
        self._session.feed([ToolResultSeen(self._agent, call_id, state)], now)

    def end_interrupted_attempt(self, now: int) -> None:
        """Ends an interrupted attempt; another may follow."""
        self._end(now, complete=False)
        self._restart()

    def end_complete_attempt(self, now: int) -> None:
        """Ends a complete attempt; another follows."""
        self._end(now, complete=True)
        self._restart()

    def _restart(self) -> None:
        self._decoder = build_decoder(self._api, self._session.cwd)
        self._is_complete = False
        self.calls = 0
        self.output = []
        self._finished_calls = []

    def end(self, now: int) -> None:
        """Ends the answer: no more attempts follow."""
        self._end(now, complete=self._is_complete)

    def _end(self, now: int, *, complete: bool) -> None:
        events = self._agent_events(self._decoder.finish())
        if self._is_started:
            self._is_started = False
            self._session.feed([*events, AnswerEnded(self._agent, complete, self._usage)], now)
        self._usage = None

    def _agent_events(self, events: tuple[WireEvent, ...]) -> list[AgentEvent]:
        found_events: list[AgentEvent] = []
        for event in events:
            match event:
                case ResponseDelta():
                    self._start(found_events)
                    found_events.append(AgentDelta(self._agent, event.event, event.call, event.write))
                case ResponseStarted():
                    self._start(found_events, event.model)
                case PartFinished() | PartTruncated():
                    self._start(found_events)
                    if isinstance(event.output, ToolCall):
                        self.calls += 1
                        if isinstance(event, PartFinished):
                            self._finished_calls.append(event.output)
                            self._session.note_call(event.output)
                    if isinstance(event, PartFinished):
                        self.output.append(event.output)
                    found_events.append(BlockFinished(self._agent, event.output))
                case UsageReported():
                    self._usage = event.usage
                case ResponseFinished():
                    self._is_complete = True
                case WireFailed():
                    pass
        return found_events

    def _start(self, events: list[AgentEvent], model: str = "") -> None:
        if not self._is_started:
            self._is_started = True
            events.append(AnswerStarted(self._agent, model))
