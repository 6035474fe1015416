"""The messages of any session are valid for all providers, and contain nothing that must not be sent."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.session.history.sessions import OTHER_AGENT, sessions
from tests.session.projection.projections import WIRES
from tests.session.projection.whole import (
    anthropic_messages,
    chat_messages,
    conversation,
    gemini_contents,
    responses_input,
    trimmed,
)
from tests.session.projection.wire_rules import (
    check_anthropic,
    check_anthropic_with_system,
    check_chat,
    check_gemini,
    check_responses,
)
from ttsr_ls.session.history.turn import CompactionRehydration, CompactionSummary, RehydratedFile, Step, Turn, UserInput
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    HistoryRewound,
    ModelCall,
    SessionResumed,
    StepAppended,
    Text,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_fold import TurnFold, fold
from ttsr_ls.session.projection.cache import ProjectionCache
from ttsr_ls.session.projection.conversation import Item
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.trimming import Trimming

TRIMMINGS = st.builds(Trimming, st.integers(0, 3), st.integers(0, 5))


def check_all(items: tuple[Item, ...]) -> None:
    check_anthropic(anthropic_messages(items))
    check_anthropic_with_system(anthropic_messages(items, SystemMessages.ACCEPTED))
    check_chat(chat_messages(items))
    check_responses(responses_input(items))
    check_gemini(gemini_contents(items))


def folded(events: Iterable[TurnEvent]) -> TurnFold:
    state = TurnFold()
    for event in events:
        state.evolve(event)
    return state


def caches(history: TurnFold) -> list[ProjectionCache]:
    """As sessions have them, one for each provider."""
    return [ProjectionCache(history, MAIN_AGENT, new) for new, _ in WIRES]


def sent(projections: Iterable[ProjectionCache], trimming: Trimming | None = None) -> list[list[dict[str, Any]]]:
    return [projection.messages(trimming) for projection in projections]


# To generate a session takes longer than to check it, so a test checks several things of each.
@given(sessions(), TRIMMINGS, st.data())
def test_any_prefix_of_any_session_projects_to_valid_messages(
    events: list[TurnEvent], trimming: Trimming, data: st.DataObject
) -> None:
    state = TurnFold()
    for event in events[: data.draw(st.integers(0, len(events)))]:
        state.evolve(event)
    check_all(conversation(state.turns, MAIN_AGENT))
    state.recover()
    check_all(conversation(state.turns, MAIN_AGENT))
    turns = fold(events).turns
    check_all(conversation(turns, OTHER_AGENT))
    check_all(trimmed(conversation(turns, MAIN_AGENT), trimming))
    check_beginning(turns)


def check_beginning(turns: tuple[Turn, ...]) -> None:
    """Providers cache the beginnings of requests, so earlier messages must not change, except by a compaction."""
    if any(isinstance(step.content, CompactionSummary) for turn in turns for step in turn.steps):
        return
    shorter = conversation(turns[:-1], MAIN_AGENT)
    assert conversation(turns, MAIN_AGENT)[: len(shorter)] == shorter


@given(sessions(), st.lists(st.text(min_size=1), max_size=2), st.booleans())
def test_messages_from_before_a_compaction_are_not_sent(
    events: list[TurnEvent], contents: list[str], is_sent_before: bool
) -> None:
    summary = CompactionSummary(MAIN_AGENT, "what happened so far", "understood")
    files = tuple(RehydratedFile('{"path": "a.rs"}', content) for content in contents)
    begun = TurnStarted("t99", UserInput("now compact"))
    steps: tuple[Step, ...] = (summary, CompactionRehydration(MAIN_AGENT, "read", files))
    history = folded([*events, SessionResumed(), begun])
    with_history = caches(history)
    if is_sent_before:
        assert "now compact" in json.dumps(sent(with_history))
    for number, step in enumerate(steps):
        history.evolve(StepAppended("t99", number, step))
    alone = folded([begun, *(StepAppended("t99", number, step) for number, step in enumerate(steps))])
    answer = ModelCall(MAIN_AGENT, "m", (Text("an answer"),), complete=True)
    later: list[TurnEvent] = [StepAppended("t99", number, answer) for number in (2, 3)]
    for event in (*later, TurnEnded("t99", TurnCompleted()), TurnStarted("t100", UserInput("and then?"))):
        assert sent(with_history) == sent(caches(alone))
        assert "now compact" not in json.dumps(sent(with_history))
        history.evolve(event)
        alone.evolve(event)
    assert sent(with_history) == sent(caches(alone))


@given(sessions(), TRIMMINGS, st.data())
def test_trimming_changes_the_messages_and_not_the_history(
    events: list[TurnEvent], trimming: Trimming, data: st.DataObject
) -> None:
    """Seed 003: neither another request nor rewinding restores trimmed results."""
    history = folded(events)
    turns = history.turns
    projections = caches(history)
    shortened, full = sent(projections, trimming), sent(projections)
    items = conversation(turns, MAIN_AGENT)
    assert full == [project(items) for _, project in WIRES]
    assert shortened == [project(trimmed(items, trimming)) for _, project in WIRES]
    assert sent(projections, trimming) == shortened
    assert history.turns == turns
    if turns:
        history.evolve(HistoryRewound(data.draw(st.sampled_from(turns)).id))
        left = trimmed(conversation(history.turns, MAIN_AGENT), trimming)
        assert sent(projections, trimming) == [project(left) for _, project in WIRES]
