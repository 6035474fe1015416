"""The body of a streamed answer of a model API, as `curl -N` prints it: server-sent events of a provider.

Several answers may follow each other; each is an answer of one turn.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import assert_never

from ttsr_ls.bridge.adapters.damage_report import DamageReport
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS
from ttsr_ls.bridge.model.sse import OversizedEvent, ServerSentEvent, SseParser
from ttsr_ls.bridge.wire.anthropic import STREAM_EVENTS
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.bridge.wire.fields import get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_object
from ttsr_ls.session.history.turn_events import MAIN_AGENT, TurnCancelled, TurnCompleted, TurnOutcome, UnseenTrigger
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    AnswerEnded,
    AnswerStarted,
    BlockFinished,
    StreamDamaged,
    TurnClosed,
    TurnOpened,
)
from ttsr_ls.session.output.wire_events import (
    Api,
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

_DONE = "[DONE]"
_RESPONSES_KINDS = ("error", "keepalive", "ping")


class ProviderStreamAdapter:
    """Reads the stream of `api`. Relative paths in tool calls are resolved against `cwd`."""

    def __init__(self, api: Api, cwd: PurePath | None = None) -> None:
        self._api = api
        self._cwd = cwd or PurePath("/")
        self._parser = SseParser()
        self._decoder: Decoder | None = None
        self._is_over = True
        self._is_complete = False
        self._in_turn = False
        self._usage: Usage | None = None
        self._unknown_lines = 0
        self._damage = DamageReport("event", ADAPTER_LIMITS)

    def feed(self, data: bytes) -> list[AgentEvent]:
        """The events of the server-sent events that `data` completes."""
        events: list[AgentEvent] = []
        with self._damage.malformed:
            for event in self._parser.feed(data):
                self._damage.number += 1
                events += self._read(event)
                if self._damage.malformed.has_notes:
                    events += self._damage.report_malformed()
        for _ in range(min(self._parser.unknown_lines - self._unknown_lines, ADAPTER_LIMITS.damaged_lines + 1)):
            events += self._damage.report("A line of the stream was skipped: it is not part of a server-sent event.")
        self._unknown_lines = self._parser.unknown_lines
        return events

    def finish(self) -> list[AgentEvent]:
        """Handles the end of the stream."""
        events: list[AgentEvent] = []
        if self._parser.has_partial_event:
            events.append(StreamDamaged("The stream ends in the middle of an event."))
        events += self._end_answer()
        if not self._in_turn:
            return events
        outcome: TurnOutcome = TurnCompleted() if self._is_complete else TurnCancelled("the stream ended")
        return [*events, TurnClosed(outcome)]

    def _read(self, event: ServerSentEvent | OversizedEvent) -> list[AgentEvent]:
        if isinstance(event, OversizedEvent):
            return self._damage.report_skipped("it is too long")
        if event.data == _DONE:
            return self._end_answer()
        value = parse_object(event.data.encode("utf-8", "surrogatepass"))
        if not isinstance(value, str) and not event.is_damaged:
            return self._value(value)
        # Providers send one line of data per event, so two lines are two events whose separating blank line was lost.
        events: list[AgentEvent] = []
        for line in event.data.split("\n"):
            item = parse_object(line.encode("utf-8", "surrogatepass"))
            if event.is_damaged and "\ufffd" in line:
                item = "it is not UTF-8"
            events += self._damage.report_skipped(item) if isinstance(item, str) else self._value(item)
        return events

    def _value(self, value: JsonObject) -> list[AgentEvent]:
        events: list[AgentEvent] = []
        if (kind := unknown_kind(self._api, value)) is not None:
            return self._damage.report_unknown_kind(kind)
        if self._decoder is None:
            events = self._start_answer()
        assert self._decoder is not None
        for event in self._decoder.feed(value):
            events += self._agent_events(event)
        if self._is_over and self._api in (Api.ANTHROPIC, Api.OPENAI_RESPONSES):
            # Their last event ends the answer; in the other APIs, the usage may follow the end.
            events += self._end_answer()
        return events

    def _start_answer(self) -> list[AgentEvent]:
        self._decoder = build_decoder(self._api, self._cwd)
        self._is_over = self._is_complete = False
        self._usage = None
        events: list[AgentEvent] = [] if self._in_turn else [TurnOpened(UnseenTrigger())]
        self._in_turn = True
        return [*events, AnswerStarted(MAIN_AGENT, "")]

    def _end_answer(self) -> list[AgentEvent]:
        if self._decoder is None:
            return []
        events = [event for wire_event in self._decoder.finish() for event in self._agent_events(wire_event)]
        self._decoder = None
        return [*events, AnswerEnded(MAIN_AGENT, self._is_complete, self._usage)]

    def _agent_events(self, event: WireEvent) -> list[AgentEvent]:
        match event:
            case ResponseDelta():
                return [AgentDelta(MAIN_AGENT, event.event, event.call, event.write)]
            case PartFinished() | PartTruncated():
                return [BlockFinished(MAIN_AGENT, event.output)]
            case UsageReported():
                self._usage = event.usage
            case ResponseFinished():
                self._is_over = self._is_complete = True
            case WireFailed():
                self._is_over = True
                return [StreamDamaged(event.message)]
            case ResponseStarted():
                pass
            case _:
                assert_never(event)
        return []


def unknown_kind(api: Api, value: JsonObject) -> str | None:
    """The kind of an event that an API does not send, or the fields of one that has no kind; None for a known one."""
    kind = get_text(value, "type")
    match api:
        case Api.ANTHROPIC:
            return None if kind in STREAM_EVENTS else kind or _fields(value)
        case Api.OPENAI_RESPONSES:
            return None if kind.startswith("response.") or kind in _RESPONSES_KINDS else kind or _fields(value)
        case Api.OPENAI_CHAT:
            return None if value.keys() & {"choices", "usage", "error"} else _fields(value)
        case Api.GEMINI:
            return None if value.keys() & {"candidates", "usageMetadata", "promptFeedback", "error"} else _fields(value)
    assert_never(api)


def _fields(value: JsonObject) -> str:
    return "an object with " + (", ".join(list(value)[:3]) or "no fields")
