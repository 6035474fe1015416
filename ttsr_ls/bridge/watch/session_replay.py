"""Replays a recorded session of an agent and returns the rules that would have fired."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.bridge.watch.agent_monitors import AgentMonitors
from ttsr_ls.bridge.watch.quiet_texts import without_quiet_texts
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.session.output.agent_events import (
    Adapter,
    AgentDelta,
    AgentEvent,
    AnswerStarted,
    BlockFinished,
    SessionSeen,
    StreamDamaged,
    TurnClosed,
    TurnOpened,
)

MAX_EXCERPT_LENGTH = 200
MAX_NAMES = 1_000


class ReplayedTrigger(Struct, frozen=True):
    """A trigger. `stream` is `text`, `thinking` or the tool, `path` the file that was written, `excerpt` the match.

    `dialect` is that of the rule: rules of several dialects may have one name.
    """

    rule: str
    turn: str
    stream: str
    path: str | None
    excerpt: str
    dialect: str


class ReplayedSession(Struct, frozen=True):
    """The result of one file: its triggers, the number of unreadable lines, and the file's size in bytes.

    `names` are the ids that the agent gave the sessions in the file.
    """

    triggers: tuple[ReplayedTrigger, ...]
    skipped: int
    size: int
    names: tuple[str, ...] = ()


def replay_session(chunks: Iterable[bytes], adapter: Adapter, monitors: AgentMonitors) -> ReplayedSession:
    """Feeds a session through the monitors of its agents, with `stable` matching."""
    replay = _Replay(monitors)
    size = 0
    for chunk in chunks:
        size += len(chunk)
        replay.feed(adapter.feed(chunk))
    replay.feed(adapter.finish())
    return ReplayedSession(tuple(replay.triggers), replay.skipped, size, tuple(filter(None, replay.names)))


class _Replay:
    """The triggers of the events so far. Turns are numbered as an observer with a log numbers them."""

    __slots__ = ("_is_in_turn", "_monitors", "_turns", "names", "skipped", "triggers")

    def __init__(self, monitors: AgentMonitors) -> None:
        self._monitors = monitors
        self._turns = 0
        self._is_in_turn = False
        self.triggers: list[ReplayedTrigger] = []
        self.names: dict[str, None] = {}
        self.skipped = 0

    def feed(self, events: Iterable[AgentEvent]) -> None:
        for event in without_quiet_texts(events, lambda text: self._monitors.is_quiet(text, 0)):
            # Not `match`, which takes several times as long: there are many events.
            if type(event) is AgentDelta:
                self._match(event)
                continue
            if type(event) is BlockFinished:
                continue
            if isinstance(event, AnswerStarted):
                if not self._is_in_turn:
                    self._start_turn()
            elif isinstance(event, TurnOpened):
                self._start_turn()
            elif isinstance(event, TurnClosed):
                self._is_in_turn = False
            elif isinstance(event, StreamDamaged):
                self.skipped += 1
            elif isinstance(event, SessionSeen) and len(self.names) < MAX_NAMES:
                self.names[event.session] = None
            self._monitors.follow(event)

    def _start_turn(self) -> None:
        self._turns += 1
        self._is_in_turn = True

    def _match(self, delta: AgentDelta) -> None:
        triggers = self._monitors.of_agent(delta.agent).monitor.feed(delta.event)
        if triggers and not self._is_in_turn:
            self._start_turn()
        path = None if delta.write is None else delta.write.path
        for trigger in triggers:
            context, excerpt, rule = trigger.context, trigger.excerpt, trigger.rule
            matched = excerpt.text[excerpt.start : excerpt.end][:MAX_EXCERPT_LENGTH]
            stream = context.tool or str(context.source)
            dialect = str(rule.profile.id)
            self.triggers.append(ReplayedTrigger(rule.name, f"t{self._turns}", stream, path, matched, dialect))
            # As in a session: a rule that was injected fires again when its repeat policy says so.
            self._monitors.mark_injected((RuleRef(rule.name, rule.path),))
