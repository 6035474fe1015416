"""Histories, their cached projection, and the projection of the whole history."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.session.projection.whole import (
    anthropic_messages,
    chat_messages,
    conversation,
    gemini_contents,
    responses_input,
    trimmed,
)
from ttsr_ls.session.history.turn import UserInput
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRunning,
    ModelCall,
    StepAppended,
    StepUpdated,
    Text,
    ToolBatch,
    ToolCall,
    ToolItem,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.projection.anthropic import AnthropicWire
from ttsr_ls.session.projection.cache import ProjectionCache
from ttsr_ls.session.projection.conversation import Item
from ttsr_ls.session.projection.gemini import GeminiWire
from ttsr_ls.session.projection.openai_chat import ChatWire
from ttsr_ls.session.projection.openai_responses import ResponsesWire
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.trimming import Trimming
from ttsr_ls.session.projection.wire import Wire

Whole = Callable[[tuple[Item, ...]], list[dict[str, Any]]]
WIRES: list[tuple[Callable[[], Wire], Whole]] = [
    (AnthropicWire, anthropic_messages),
    (ChatWire, chat_messages),
    (ResponsesWire, responses_input),
    (GeminiWire, gemini_contents),
    (
        partial(AnthropicWire, system_messages=SystemMessages.ACCEPTED),
        partial(anthropic_messages, system_messages=SystemMessages.ACCEPTED),
    ),
    (
        partial(ChatWire, system_messages=SystemMessages.REFUSED),
        partial(chat_messages, system_messages=SystemMessages.REFUSED),
    ),
]


def whole(history: TurnFold, agent: str, project: Whole, trimming: Trimming | None) -> list[dict[str, Any]]:
    """The specification: a projection of all turns without a cache."""
    return project(sent_items(history, agent, trimming))


def sent_items(history: TurnFold, agent: str, trimming: Trimming | None) -> tuple[Item, ...]:
    """What `whole` projects."""
    items = conversation(history.turns, agent, top=agent)
    return items if trimming is None else trimmed(items, trimming)


def spoil(messages: Any) -> None:
    """Changes all mutable values in some messages."""
    containers = [messages]
    while containers:
        container = containers.pop()
        children = list(container.values() if isinstance(container, dict) else container)
        containers += [child for child in children if isinstance(child, dict | list)]
        container.clear()


def turn(number: int) -> list[TurnEvent]:
    name, call = f"t{number}", ToolCall(f"c{number}", "bash", '{"command": ["ls", {"deep": []}]}')
    return [
        TurnStarted(name, UserInput(f"prompt {number}")),
        StepAppended(name, 0, ModelCall(MAIN_AGENT, "m", (Text(f"answer {number}"), call), complete=True)),
        StepAppended(name, 1, ToolBatch(MAIN_AGENT, (ToolItem(call.id, "bash", CallRunning()),))),
        StepUpdated(name, 1, call.id, CallDone(f"result {number}")),
        StepAppended(name, 2, ModelCall(MAIN_AGENT, "m", (Text("done"),), complete=True)),
        TurnEnded(name, TurnCompleted()),
    ]


def cached(turns: int, new: Callable[[], Wire] = AnthropicWire) -> tuple[TurnFold, ProjectionCache]:
    history = TurnFold()
    for number in range(turns):
        for event in turn(number):
            history.evolve(event)
    return history, ProjectionCache(history, MAIN_AGENT, new)
