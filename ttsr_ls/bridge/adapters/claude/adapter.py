"""Claude Code's `--output-format stream-json` (spec W1), with and without `--include-partial-messages`.

Owns which lines mean what, which agent they are about, and where turns begin and end. What cannot be read is reported
and skipped; what is not known is skipped.
"""

from __future__ import annotations

from collections import deque
from pathlib import PurePath

from ttsr_ls.bridge.adapters.claude.answer import ClaudeAnswer
from ttsr_ls.bridge.adapters.claude.lines import parse_delta_line
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.bridge.adapters.lines import LineSplitter, OversizedLine
from ttsr_ls.bridge.adapters.wire_values import JsonObject, content_text, mapping, mappings, parse_object, text
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRefused,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnOutcome,
    TurnTrigger,
    UnseenTrigger,
    UserInput,
)
from ttsr_ls.session.output.agent_events import (
    AgentEvent,
    AnswerStarted,
    SessionSeen,
    StreamDamaged,
    ToolResultSeen,
    TurnClosed,
    TurnOpened,
)

_REMEMBERED_MESSAGES = 256
_SYNTHETIC_MODEL = "<synthetic>"
_INTERRUPTED = "[Request interrupted by user"


class ClaudeAdapter:
    """Reads one session. `cwd` is the folder that relative paths are taken from; None: what the session itself says."""

    def __init__(self, cwd: PurePath | None = None, limits: AdapterLimits = ADAPTER_LIMITS) -> None:
        self._limits = limits
        self._splitter = LineSplitter(limits.line)
        self._line = 0
        self._damaged = 0
        self._fixed_cwd = cwd is not None
        self._cwd = PurePath("/") if cwd is None else cwd
        self._in_turn = False
        self._answers: dict[str, ClaudeAnswer] = {}
        self._streamed: deque[str] = deque(maxlen=_REMEMBERED_MESSAGES)
        """Ids of answers that came as events, whose whole blocks are repetitions."""

    def feed(self, data: bytes) -> list[AgentEvent]:
        """What `data` completes."""
        events: list[AgentEvent] = []
        for line in self._splitter.feed(data):
            events += self._read(line)
        return events

    def finish(self) -> list[AgentEvent]:
        """Ends the stream. An open turn counts as interrupted."""
        events = [event for line in self._splitter.finish() for event in self._read(line)]
        return events + self._close_turn(self.outcome_at_end())

    def outcome_at_end(self) -> TurnOutcome:
        """How a turn ended that was open when the stream ended."""
        return TurnCancelled("the stream ended")

    def outcome_at_next_prompt(self) -> TurnOutcome:
        """How a turn ended during which another prompt came."""
        return TurnCancelled("another prompt came")

    def _read(self, line: bytes | OversizedLine) -> list[AgentEvent]:
        self._line += 1
        if isinstance(line, OversizedLine):
            return self._skipped("it is too long")
        delta = parse_delta_line(line)
        if delta is not None:
            answer = self._answers.get(delta.parent_tool_use_id or MAIN_AGENT)
            return [] if answer is None else answer.delta(delta.event.index, delta.event.delta)
        if not line.strip():
            return []
        message = parse_object(line)
        return self._skipped(message) if isinstance(message, str) else self.message(message)

    def message(self, message: JsonObject) -> list[AgentEvent]:
        """What one line says."""
        agent = text(message, "parent_tool_use_id") or MAIN_AGENT
        match message.get("type"):
            case "stream_event":
                return self._stream_event(agent, mapping(message, "event"))
            case "assistant":
                return self._assistant(agent, mapping(message, "message"))
            case "user":
                return self._user(agent, message)
            case "result":
                return self._close_turn(_outcome(message))
            case "system" if message.get("subtype") == "init":
                return self._session(message)
            case _:
                return []

    def _skipped(self, reason: str) -> list[AgentEvent]:
        self._damaged += 1
        if self._damaged > self._limits.damaged_lines:
            return []
        more = (
            " Further lines that cannot be read are not reported."
            if self._damaged == self._limits.damaged_lines
            else ""
        )
        return [StreamDamaged(f"Line {self._line} of the stream was skipped: {reason}.{more}")]

    def _session(self, message: JsonObject) -> list[AgentEvent]:
        cwd = text(message, "cwd")
        if cwd and not self._fixed_cwd:
            self._cwd = PurePath(cwd)
        return [SessionSeen(text(message, "session_id"), cwd)]

    def _stream_event(self, agent: str, event: JsonObject) -> list[AgentEvent]:
        match event.get("type"):
            case "message_start":
                message = mapping(event, "message")
                if text(message, "id"):
                    self._streamed.append(text(message, "id"))
                events = self._start_answer(agent, text(message, "id"), text(message, "model"))
                return events + self._answers[agent].event(event)
            case kind:
                answer = self._answers.get(agent)
                events = [] if answer is None else answer.event(event)
                return events + self._end_answer(agent) if kind in ("message_stop", "error") else events

    def _assistant(self, agent: str, message: JsonObject) -> list[AgentEvent]:
        identity, model = text(message, "id"), text(message, "model")
        if identity in self._streamed or model == _SYNTHETIC_MODEL:  # The latter are Claude Code's own words.
            return []
        events: list[AgentEvent] = []
        answer = self._answers.get(agent)
        if answer is None or not identity or answer.message != identity:
            events += self._start_answer(agent, identity, model)
            answer = self._answers[agent]
        return events + answer.whole_blocks(message)

    def _user(self, agent: str, message: JsonObject) -> list[AgentEvent]:
        content = mapping(message, "message")
        results = [block for block in mappings(content, "content") if block.get("type") == "tool_result"]
        if results:
            return [ToolResultSeen(agent, text(block, "tool_use_id"), _state(block)) for block in results]
        prompt = content_text(content, "content")
        if agent != MAIN_AGENT or message.get("isSynthetic") is True or not prompt:
            return []
        if prompt.startswith(_INTERRUPTED):
            return self._close_turn(TurnCancelled("interrupted"))
        return [*self._close_turn(self.outcome_at_next_prompt()), *self._open_turn(UserInput(prompt))]

    def _start_answer(self, agent: str, message: str, model: str) -> list[AgentEvent]:
        events = [*self._end_answer(agent), *self._open_turn(UnseenTrigger())]
        if len(self._answers) >= self._limits.agents:
            events += self._end_answer(next(iter(self._answers)))
        self._answers[agent] = ClaudeAnswer(agent, message, self._cwd, self._limits.answer)
        return [*events, AnswerStarted(agent, model)]

    def _end_answer(self, agent: str) -> list[AgentEvent]:
        answer = self._answers.pop(agent, None)
        return [] if answer is None else answer.end()

    def _open_turn(self, trigger: TurnTrigger) -> list[AgentEvent]:
        if self._in_turn:
            return []
        self._in_turn = True
        return [TurnOpened(trigger)]

    def _close_turn(self, outcome: TurnOutcome) -> list[AgentEvent]:
        events = [event for agent in list(self._answers) for event in self._end_answer(agent)]
        if self._in_turn:
            self._in_turn = False
            events.append(TurnClosed(outcome))
        return events


def _state(block: JsonObject) -> CallDone | CallRefused:
    result = content_text(block, "content")
    return CallRefused(result) if block.get("is_error") is True else CallDone(result)


def _outcome(message: JsonObject) -> TurnOutcome:
    reason = text(message, "terminal_reason")
    if reason.startswith("aborted"):
        return TurnCancelled(reason)
    if message.get("is_error") is True or text(message, "subtype") not in ("", "success"):
        return TurnFailed(text(message, "result") or text(message, "subtype"))
    return TurnCompleted()
