"""The projections of whole histories, which specify those of the cache."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ttsr_ls.session.history.turn import CompactionSummary, Turn
from ttsr_ls.session.history.turn_events import MAIN_AGENT
from ttsr_ls.session.projection.anthropic import AnthropicWire
from ttsr_ls.session.projection.build import ConversationBuilder
from ttsr_ls.session.projection.conversation import AssistantMessage, Item
from ttsr_ls.session.projection.gemini import GeminiWire
from ttsr_ls.session.projection.openai_chat import ChatWire
from ttsr_ls.session.projection.openai_responses import ResponsesWire
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.trimming import Trimming, trim_old_answers
from ttsr_ls.session.projection.visible import Visible, discarded_answers, visible_steps
from ttsr_ls.session.projection.wire import Wire

Messages = list[dict[str, Any]]


def visible(turns: Iterable[Turn], agent: str, top: str) -> list[Visible]:
    """The entries that the model of `agent` sees, in order. Triggers of turns are sent to the agent `top` only."""
    found: list[Visible] = []
    for turn in turns:
        if agent == top:
            found.append(turn.trigger)
        for step in visible_steps(turn.steps, agent, discarded_answers(turn.steps, agent)):
            if isinstance(step, CompactionSummary):
                found.clear()  # The summary replaces all entries before it.
            found.append(step)
    return found


def conversation(turns: Iterable[Turn], agent: str, top: str = MAIN_AGENT) -> tuple[Item, ...]:
    """The entries for the model of `agent` since its last compaction."""
    builder = ConversationBuilder()
    for entry in visible(turns, agent, top):
        builder.add(entry)
    return tuple(builder.items)


def trimmed(items: tuple[Item, ...], trimming: Trimming) -> tuple[Item, ...]:
    """The conversation without old, long results."""
    answers = sum(isinstance(item, AssistantMessage) for item in items)
    return tuple(trim_old_answers(items, max(0, answers - trimming.answers_kept), trimming))


def anthropic_messages(items: Iterable[Item], system_messages: SystemMessages = SystemMessages.REFUSED) -> Messages:
    return _finished(AnthropicWire(system_messages=system_messages), items)


def chat_messages(items: Iterable[Item], system_messages: SystemMessages = SystemMessages.ACCEPTED) -> Messages:
    return _finished(ChatWire(system_messages=system_messages), items)


def responses_input(items: Iterable[Item], system_messages: SystemMessages = SystemMessages.ACCEPTED) -> Messages:
    return _finished(ResponsesWire(system_messages=system_messages), items)


def gemini_contents(items: Iterable[Item]) -> Messages:
    return _finished(GeminiWire(), items)


def _finished(wire: Wire, items: Iterable[Item]) -> Messages:
    for item in items:
        wire.add(item)
    wire.finish()
    return wire.messages
