"""Writes unfinished answers to a file beside the session log, so that editors show them while they stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.turn_translator import StepPosition
from ttsr_ls.rules.stream import Delta, Snapshot, stream_key
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, AnswerEnded, AnswerStarted, TurnClosed
from ttsr_ls.store.log.live_output import LiveDelta, LiveOutput


class LiveOutputWriter:
    """Follows the events of one session. `position` returns the future position of an agent's output in the log."""

    def __init__(self, output: LiveOutput, position: Callable[[str], StepPosition]) -> None:
        self._output = output
        self._position = position
        self._streams: dict[str, dict[str, str | None]] = {}
        """By answering agent: its streams, each with its last snapshot; None if it has only deltas."""

    def follow(self, events: Iterable[AgentEvent]) -> None:
        """Writes the new output of unfinished answers in these events, which the observer has already handled."""
        pending: dict[tuple[str, str], list[AgentDelta]] = {}
        for event in events:
            match event:
                case AgentDelta(event=Delta() | Snapshot()):
                    stream = stream_key(event.event.context)
                    self._streams.setdefault(event.agent, {}).setdefault(stream, None)
                    pending.setdefault((event.agent, stream), []).append(event)
                case AnswerStarted() | AnswerEnded():
                    # The log contains finished answers.
                    pending = {key: deltas for key, deltas in pending.items() if key[0] != event.agent}
                    self._end_answer(event.agent)
                case TurnClosed():
                    pending.clear()
                    for agent in tuple(self._streams):
                        self._end_answer(agent)
                case _:
                    pass
        self._output.write([self._piece(agent, stream, deltas) for (agent, stream), deltas in pending.items()])

    def close(self) -> None:
        """Closes the file."""
        self._output.close()

    def _end_answer(self, agent: str) -> None:
        self._streams.pop(agent, None)
        if not self._streams:
            self._output.clear()

    def _piece(self, agent: str, stream: str, deltas: list[AgentDelta]) -> LiveDelta:
        text, replaces = "", False
        for delta in deltas:
            match delta.event:
                case Delta():
                    text += delta.event.text
                case Snapshot():
                    before = self._streams[agent][stream]
                    self._streams[agent][stream] = full_text = delta.event.text
                    # A snapshot that only extends the last one is written like a delta.
                    if before is not None and full_text.startswith(before):
                        text += full_text[len(before) :]
                    else:
                        text, replaces = full_text, True
                case _:
                    pass
        position, first = self._position(agent), deltas[0]
        context = first.event.context
        source = context.source.value
        return LiveDelta(position.turn, position.step, agent, source, stream, first.call, context.tool, text, replaces)


class LiveObserver(Observer):
    """An observer that also writes the unfinished answers beside the session log, once `live` is set."""

    live: LiveOutputWriter | None = None

    def feed(self, events: Iterable[AgentEvent], now: int) -> list[Notice]:
        all_events = tuple(events)
        notices = super().feed(all_events, now)
        if self.live is not None:
            self.live.follow(all_events)
        return notices
