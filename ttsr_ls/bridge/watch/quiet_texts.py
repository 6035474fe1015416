"""Leaves out the texts of an agent's output on which no rule fires, where they come as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ttsr_ls.rules.stream import BlockEnd
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent


def without_quiet_texts(events: Iterable[AgentEvent], is_quiet: Callable[[AgentDelta], bool]) -> Iterator[AgentEvent]:
    """Yields the events without texts that end their stream, and the end of the stream, if `is_quiet` is true for the
    text.

    `is_quiet` is called after the consumer has handled the events before the text. So it knows which streams are open.
    """
    text: AgentDelta | None = None
    for event in events:
        if type(event) is not AgentDelta:
            if text is not None:
                yield text
                text = None
            yield event
            continue
        if text is not None:
            if _is_end_of(event, text) and is_quiet(text):
                text = None
                continue
            yield text
            text = None
        if type(event.event) is BlockEnd:
            yield event
        else:
            text = event
    if text is not None:
        yield text


def _is_end_of(event: AgentDelta, text: AgentDelta) -> bool:
    is_same_stream = event.event.context is text.event.context and event.agent == text.agent
    return is_same_stream and type(event.event) is BlockEnd
