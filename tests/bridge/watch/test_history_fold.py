"""The observed sessions of a real agent fold without problems, and project to messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bridge.watch.watching import NO_OLD, MemoryLog, rules, watch
from tests.session.projection.whole import anthropic_messages, conversation
from ttsr_ls.session.history.turn import TurnCancelled, TurnCompleted, TurnOutcome
from ttsr_ls.session.history.turn_events import MAIN_AGENT
from ttsr_ls.session.history.turn_fold import fold

SAMPLES = Path(__file__).parents[2] / "samples" / "claude"


@pytest.mark.parametrize(
    ("sample", "outcome", "answers"),
    [("print-partial", TurnCompleted, 2), ("interrupted", TurnCancelled, 1), ("hooks-whole", TurnCancelled, 4)],
)
def test_an_observed_session_folds_to_a_valid_history(sample: str, outcome: type[TurnOutcome], answers: int) -> None:
    log = MemoryLog()
    watch((SAMPLES / f"{sample}.jsonl").read_bytes(), log, rules(no_old=NO_OLD))
    folded = fold(log.events)
    assert not folded.problems
    assert [type(turn.state) for turn in folded.turns] == [outcome]
    messages = anthropic_messages(conversation(folded.turns, MAIN_AGENT))
    assert [message["role"] for message in messages] == ["user", *["assistant", "user"] * answers]
