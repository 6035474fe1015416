"""The live view of `watch` below the triggers: the turn, its streams, and the counts. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.bridge.watch.notices import Notice, TriggerNotice, TurnFinishedNotice, UnloggedTriggerNotice
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.rule_labels import rule_labels
from ttsr_ls.cli.printing.terminal import TextStyle
from ttsr_ls.escaping import one_line
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, Source, stream_key
from ttsr_ls.session.history.turn_events import MAIN_AGENT
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    AnswerEnded,
    AnswerStarted,
    TurnClosed,
    TurnOpened,
)

_MAX_STREAMS = 6
_MAX_RULES = 6
_MAX_NAME_LENGTH = 40
_MAX_KEPT_STREAMS = 1000
_WAITING = "waiting for the agent"


class PanelLine(Struct, frozen=True):
    """A line of the view and its style; None: plain text."""

    text: str
    style: TextStyle | None = None


class _Stream(Struct):
    name: str
    characters: int = 0
    is_open: bool = True


class TurnPanel:
    """Follows the events of a session."""

    def __init__(self, rules: int) -> None:
        """`rules` is how many rules are matched."""
        self._rules = rules
        self._turn = 0
        self._state = _WAITING
        self._is_answering = False
        self._streams: dict[tuple[str, str], _Stream] = {}
        self._fired: Counter[tuple[str, str]] = Counter()

    def follow(self, events: Iterable[AgentEvent]) -> None:
        """Updates the panel with an event of the agent."""
        for event in events:
            match event:
                case TurnOpened():
                    self._turn += 1
                    self._streams.clear()
                    self._state = "started"
                case AnswerStarted():
                    self._is_answering = True
                    self._streams = {key: stream for key, stream in self._streams.items() if key[0] != event.agent}
                    self._state = f"{one_line(event.model)[:_MAX_NAME_LENGTH]} answers" if event.model else "answers"
                case AgentDelta():
                    self._delta(event)
                case AnswerEnded():
                    self._is_answering = False
                    for key, stream in self._streams.items():
                        stream.is_open &= key[0] != event.agent
                    self._state = "answer complete" if event.complete else "answer interrupted"
                case TurnClosed():
                    self._is_answering = False
                    self._state = "ended"
                case _:
                    pass

    def count(self, notices: Iterable[Notice]) -> None:
        """Counts how often each rule fired."""
        for notice in notices:
            if isinstance(notice, TriggerNotice | UnloggedTriggerNotice):
                self._fired[notice.rule.name, str(notice.rule.profile.id)] += 1
            elif isinstance(notice, TurnFinishedNotice):
                self._turn = max(self._turn, 1)

    def lines(self) -> tuple[PanelLine, ...]:
        """The lines of the view. The first one has the number and the state of the turn."""
        turn = f"turn {self._turn}" if self._turn else "no turn yet"
        head = f"{turn} · {self._shown_state()} · {count(self._rules, 'rule')}"
        panel_lines = [PanelLine(head, TextStyle.STRONG)]
        shown = list(self._streams.items())[-_MAX_STREAMS:]
        for (agent, _), stream in shown:
            agent_suffix = "" if agent == MAIN_AGENT else " (subagent)"
            text = f"{'▸' if stream.is_open else ' '} {stream.name}{agent_suffix}: {stream.characters:,} characters"
            panel_lines.append(PanelLine(text, None if stream.is_open else TextStyle.FAINT))
        if len(self._streams) > len(shown):
            panel_lines.append(PanelLine(f"  and {len(self._streams) - len(shown)} earlier streams", TextStyle.FAINT))
        if not self._fired:
            panel_lines.append(PanelLine("no rule fired", TextStyle.FAINT))
            return tuple(panel_lines)
        first = self._fired.most_common(_MAX_RULES)
        labels = rule_labels([rule for rule, _ in first])
        rules = ", ".join(f"{_short(label)} × {times}" for label, (_, times) in zip(labels, first, strict=True))
        details = f", and {count(len(self._fired) - len(first), 'more rule')}" if len(self._fired) > len(first) else ""
        panel_lines.append(PanelLine(f"{count(self._fired.total(), 'trigger')}: {rules}{details}", TextStyle.WARNING))
        return tuple(panel_lines)

    def _shown_state(self) -> str:
        # A transcript has no record of the end of a session, and the end of an answer is recorded with the next one.
        is_still = self._is_answering and self._streams and not any(item.is_open for item in self._streams.values())
        return _WAITING if is_still else self._state

    def _delta(self, event: AgentDelta) -> None:
        context = event.event.context
        key = (event.agent, stream_key(context))
        stream = self._streams.get(key)
        if stream is None:
            if len(self._streams) >= _MAX_KEPT_STREAMS:
                return
            path = f" {_short(event.write.path)}" if event.write is not None else ""
            name = f"{_short(context.tool or 'tool')}{path}" if context.source is Source.TOOL else str(context.source)
            stream = self._streams[key] = _Stream(name)
        match event.event:
            case Delta(text=text):
                stream.characters += len(text)
            case Snapshot(text=text):
                stream.characters = len(text)
            case BlockEnd():
                stream.is_open = False


def _short(name: str) -> str:
    display = one_line(name)
    return display if len(display) <= _MAX_NAME_LENGTH else f"…{display[1 - _MAX_NAME_LENGTH :]}"
