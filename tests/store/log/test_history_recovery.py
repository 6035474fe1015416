"""The history of a log that was truncated at any byte ends with its last complete record."""

from __future__ import annotations

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import (
    Injection,
    InjectionKind,
    InterruptedByRules,
    Interruption,
    ModelCall,
    ToolBatch,
    TurnCompleted,
    TurnInProgress,
    UserInput,
)
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    InjectionCommitted,
    OutputInterrupted,
    ReminderFolded,
    RetryStarted,
    SessionResumed,
    StepAppended,
    StepUpdated,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_fold import TurnFold, fold
from ttsr_ls.session.history.turn_output import CallDone, CallRunning, Text, ToolCall, ToolItem
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.header import Header, encode_header
from ttsr_ls.store.log.reader import LogDecoder

CUT = ModelCall(MAIN_AGENT, "m", (Text("I unw\u00e4rap"),), complete=False)
CALL = ModelCall(MAIN_AGENT, "m", (ToolCall("a", "bash", "{}"),), complete=True)
NOTE = Injection(MAIN_AGENT, InjectionKind.INTERRUPT, Role.USER, "do not")
SESSION: list[TurnEvent] = [
    TurnStarted("t1", UserInput("go")),
    OutputInterrupted("t1", 1, Interruption(MAIN_AGENT, 0, InterruptedByRules(("r",)), ContextMode.DISCARD)),
    StepAppended("t1", 0, CUT),
    InjectionCommitted("t1", 2, NOTE, ("r",)),
    RetryStarted("t1", 3, MAIN_AGENT, 1),
    StepAppended("t1", 3, CALL),
    StepAppended("t1", 4, ToolBatch(MAIN_AGENT, (ToolItem("a", "bash", CallRunning()),))),
    ReminderFolded("t1", 4, "a", ("r",), "mind"),
    StepUpdated("t1", 4, "a", CallDone("ok")),
    TurnEnded("t1", TurnCompleted()),
]
LINES = [encode_record(Record(number, 0, event)) for number, event in enumerate(SESSION, 1)]
HEADER = encode_header(Header("s", "test", "/w", 0, "tests"))


def read(data: bytes) -> list[TurnEvent]:
    records, _ = LogDecoder().feed(data)
    return [record.event for record in records]


def test_a_log_truncated_at_any_byte_has_the_history_of_its_complete_records() -> None:
    log = b"".join(LINES)
    ends = [len(b"".join(LINES[:count])) for count in range(len(LINES) + 1)]
    for cut in range(len(log) + 1):
        whole = sum(end <= cut for end in ends) - 1
        assert read(HEADER + log[:cut]) == SESSION[:whole]


def test_a_log_that_ends_after_any_record_folds_like_an_interrupted_session() -> None:
    for whole in range(len(SESSION) + 1):
        state = TurnFold()
        for event in [*SESSION[:whole], SessionResumed()]:
            state.evolve(event)
        folded = fold(read(HEADER + b"".join(LINES[:whole])))
        assert folded.turns == state.turns
        assert not [turn for turn in folded.turns if isinstance(turn.state, TurnInProgress)]


def test_a_broken_record_has_no_effect_on_the_fold_of_the_others() -> None:
    for lost_count in range(1, len(SESSION)):
        kept = SESSION[:lost_count] + SESSION[lost_count + 1 :]
        broken = b"".join([*LINES[:lost_count], b"{broken\n", *LINES[lost_count + 1 :]])
        assert fold(read(HEADER + broken)) == fold(kept)
        (turn,) = fold(kept).turns
        assert len(turn.steps) >= 4
