"""Joins deltas of one stream that are read at once, so that a recorded run with many deltas is processed fast.

With `stable` matching, triggers and their records do not depend on how a text is split into deltas and snapshots. With
`reference` matching they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ttsr_ls.rules.stream import BlockEnd, Delta
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent

MAX_JOINED = 512
"""Deltas are joined up to about this many characters: the search limits for one delta assume short ones."""


def join_deltas(events: Iterable[AgentEvent]) -> Iterator[AgentEvent]:
    """Yields the events with consecutive deltas of a stream joined, and without snapshots that the next one extends."""
    last: AgentDelta | None = None
    texts: list[str] = []
    size = 0
    for event in events:
        if last is not None:
            if size < MAX_JOINED and isinstance(event, AgentDelta) and _continues(last, event):
                size += _grown(last, event)
                if isinstance(event.event, Delta):
                    texts.append(event.event.text)
                last = event
                continue
            yield _joined(last, texts)
            last = None
        if not isinstance(event, AgentDelta) or isinstance(event.event, BlockEnd):
            yield event
            continue
        last = event
        texts, size = ([event.event.text], len(event.event.text)) if isinstance(event.event, Delta) else ([], 0)
    if last is not None:
        yield _joined(last, texts)


def _continues(last: AgentDelta, event: AgentDelta) -> bool:
    before, after = last.event, event.event
    # The context of a stream stays the same object until something changes in it.
    if before.context is not after.context or last.agent != event.agent or last.write is not event.write:
        return False
    if isinstance(before, BlockEnd) or isinstance(after, BlockEnd) or type(before) is not type(after):
        return False
    return isinstance(after, Delta) or after.text.startswith(before.text)


def _grown(last: AgentDelta, event: AgentDelta) -> int:
    assert not isinstance(last.event, BlockEnd)
    assert not isinstance(event.event, BlockEnd)
    return len(event.event.text) - (0 if isinstance(event.event, Delta) else len(last.event.text))


def _joined(last: AgentDelta, texts: list[str]) -> AgentDelta:
    if len(texts) < 2:
        return last
    return AgentDelta(last.agent, Delta(last.event.context, "".join(texts)), last.call, last.write)
