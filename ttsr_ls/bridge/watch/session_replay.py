"""Replays a recorded session of an agent and returns the rules that would have fired."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.bridge.watch.notices import (
    SessionJoinedNotice,
    SkippedInputNotice,
    TriggerNotice,
    UnloggedTriggerNotice,
)
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.session.output.agent_events import Adapter, AgentEvent

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


def replay_session(chunks: Iterable[bytes], adapter: Adapter, observer: Observer) -> ReplayedSession:
    """Feeds a session through the rules of `observer`, which keeps no log."""
    triggers: list[ReplayedTrigger] = []
    names: dict[str, None] = {}
    skipped = size = 0
    observer.start(0)
    for chunk in chunks:
        size += len(chunk)
        skipped += _collect(adapter.feed(chunk), observer, triggers, names)
    skipped += _collect(adapter.finish(), observer, triggers, names)
    return ReplayedSession(tuple(triggers), skipped, size, tuple(filter(None, names)))


def _collect(
    events: Iterable[AgentEvent], observer: Observer, triggers: list[ReplayedTrigger], names: dict[str, None]
) -> int:
    """Adds the triggers and names of sessions; returns how many lines were skipped."""
    skipped = 0
    # One by one: a rule that fired counts as injected from the next event on.
    for notice in (notice for event in events for notice in observer.feed_event(event, 0)):
        match notice:
            case TriggerNotice() | UnloggedTriggerNotice():
                event = notice.event
                excerpt = event.excerpt.text[event.excerpt.start : event.excerpt.end][:MAX_EXCERPT_LENGTH]
                path = None if event.target is None else event.target.path
                stream = event.tool or str(event.source)
                dialect = str(notice.rule.profile.id)
                triggers.append(ReplayedTrigger(event.rule, event.turn, stream, path, excerpt, dialect))
                # As in a session: a rule that was injected fires again when its repeat policy says so.
                observer.mark_injected((RuleRef(event.rule, event.rule_path),))
            case SkippedInputNotice():
                skipped += 1
            case SessionJoinedNotice() if len(names) < MAX_NAMES:
                names[notice.session] = None
            case _:
                pass
    return skipped
