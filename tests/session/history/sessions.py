"""Generated sessions: sequences of events that a correct host could have logged."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import (
    AgentMessage,
    BackgroundHook,
    ChannelMessage,
    CompactionRehydration,
    CompactionSummary,
    GoalContinuation,
    Injection,
    InjectionKind,
    InterruptedByRules,
    InterruptedByUser,
    Interruption,
    InterruptionCause,
    ModelCall,
    RehydratedFile,
    ResumedSession,
    ScheduledTask,
    ToolBatch,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnIdle,
    TurnOutcome,
    UnseenTrigger,
    UserInput,
)
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    HistoryCleared,
    HistoryCompacted,
    HistoryRewound,
    InjectionCommitted,
    OutputInterrupted,
    ReminderFolded,
    RetryStarted,
    SessionResumed,
    StepAppended,
    StepUpdated,
    ToolInputChanged,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_output import (
    CallAbandoned,
    CallDone,
    CallRefused,
    CallRunning,
    Image,
    RedactedThinking,
    SealedReasoning,
    ServerTool,
    Text,
    Thinking,
    ToolCall,
    ToolItem,
)

OTHER_AGENT = "call_sub"
TEXT = st.sampled_from(["hello", "", " \n", "half \ud83d", "two\u2028lines", "[scheduled]"]) | st.text(max_size=8)
IMAGE = st.builds(Image, st.sampled_from(["image/png", "image/gif"]), st.sampled_from(["aGk=", "eA=="]))
IMAGES = st.lists(IMAGE, max_size=2).map(tuple)
JSON_TEXT = st.one_of(
    st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=2).map(json.dumps),
    st.sampled_from(["", "{", '{"a": "\\ud83d"}', '{"a": NaN}', '{"a": 1e999}', "[1]", "null", '{"path": "a.r']),
)
RESULT_TEXT = JSON_TEXT | st.just('[{"type": "web_search_result", "url": "u", "encrypted_content": "e=="}]')
TRIGGER = st.one_of(
    st.builds(UserInput, TEXT, IMAGES),
    st.builds(ScheduledTask, TEXT),
    st.builds(AgentMessage, TEXT, TEXT),
    st.builds(ChannelMessage, TEXT, TEXT, TEXT),
    st.builds(GoalContinuation, TEXT),
    st.builds(BackgroundHook, TEXT),
    st.builds(ResumedSession),
    st.builds(UnseenTrigger),
)
CALL_ID = st.sampled_from(["call_0", "call_1", "toolu_1", "bad id!", "", "x" * 99, "rehydrated_1", "call_0_2"])
SIGNED = st.sampled_from([None, "c2ln"])
CALL = st.builds(ToolCall, CALL_ID, st.sampled_from(["read", "bash", "3d-view"]), JSON_TEXT, SIGNED)
SERVER = st.builds(
    ServerTool, CALL_ID, st.just("web_search"), JSON_TEXT, st.just("web_search_tool_result"), RESULT_TEXT
)
OUTPUT = st.one_of(
    st.builds(Text, TEXT, SIGNED),
    st.builds(Thinking, TEXT, st.sampled_from([None, "c2ln", "==\u00e9 "]), SIGNED),
    st.builds(RedactedThinking, st.just("opaque=")),
    st.builds(SealedReasoning, st.sampled_from(["rs_1", "rs_2"]), st.lists(TEXT, max_size=2).map(tuple), st.just("s=")),
    CALL,
    SERVER,
)
DENIED_BY = st.sampled_from([None, "guard"])
FINAL = st.one_of(
    st.builds(CallDone, TEXT, IMAGES), st.builds(CallRefused, TEXT, DENIED_BY), st.builds(CallAbandoned, TEXT)
)
OUTCOMES: list[TurnOutcome] = [TurnCompleted(), TurnIdle(), TurnFailed("no credit"), TurnCancelled("a person")]
CUTS: list[InterruptionCause] = [InterruptedByRules(("no-unwrap",)), InterruptedByUser()]
AGENT = st.sampled_from([MAIN_AGENT, MAIN_AGENT, MAIN_AGENT, OTHER_AGENT])


def injections(agent: str) -> SearchStrategy[Injection]:
    return st.builds(Injection, st.just(agent), st.sampled_from(InjectionKind), st.sampled_from(Role), TEXT)


def _answer(draw: DrawFn, turn: str, number: int, agent: str, *, complete: bool) -> Iterator[TurnEvent]:
    output = tuple(draw(st.lists(OUTPUT, max_size=5)))
    yield StepAppended(turn, number, ModelCall(agent, "model-1", output, complete))
    calls = {part.id: part for part in output if isinstance(part, ToolCall)}.values()
    if not calls:
        return
    items = tuple(ToolItem(call.id, call.tool, CallRunning()) for call in calls)
    yield StepAppended(turn, number + 1, ToolBatch(agent, items))
    for call in draw(st.permutations(list(calls))):
        if draw(st.integers(0, 4)) == 0:
            yield ReminderFolded(turn, number + 1, call.id, ("rule",), draw(TEXT))
        if draw(st.integers(0, 4)) == 0:
            yield ToolInputChanged(turn, number + 1, call.id, "guard", draw(JSON_TEXT))
        if draw(st.integers(0, 9)):
            yield StepUpdated(turn, number + 1, call.id, draw(FINAL))


def _steps(draw: DrawFn, turn: str) -> Iterator[TurnEvent]:
    number = 0
    for _ in range(draw(st.integers(0, 4))):
        agent = draw(AGENT)
        match draw(st.sampled_from(["answer", "answer", "cut", "injection", "compaction"])):
            case "answer":
                yield from _answer(draw, turn, number, agent, complete=True)
            case "cut":
                cut = draw(st.sampled_from(CUTS))
                mode = draw(st.sampled_from(ContextMode))
                yield OutputInterrupted(turn, number + 2, Interruption(agent, number, cut, mode))
                yield from _answer(draw, turn, number, agent, complete=False)
                yield InjectionCommitted(turn, number + 3, draw(injections(agent)), ("no-unwrap",))
                yield RetryStarted(turn, number + 4, agent, 1)
            case "injection":
                yield StepAppended(turn, number, draw(injections(agent)))
            case _:
                files = st.lists(st.builds(RehydratedFile, JSON_TEXT, TEXT), max_size=2).map(tuple)
                summary = CompactionSummary(agent, draw(TEXT), draw(TEXT))
                rehydration = CompactionRehydration(agent, "read", draw(files))
                if draw(st.booleans()):
                    yield HistoryCompacted(turn, number, (summary, rehydration))
                else:  # The form in older logs.
                    yield StepAppended(turn, number, summary)
                    yield StepAppended(turn, number + 1, rehydration)
        number += draw(st.integers(4, 6))


@st.composite
def sessions(draw: DrawFn) -> list[TurnEvent]:
    """Events of up to four turns; only the last may have no end."""
    events: list[TurnEvent] = []
    count = draw(st.integers(0, 4))
    begun: list[str] = []
    for index in range(count):
        turn = f"t{index + 1}"
        begun.append(turn)
        events.append(TurnStarted(turn, draw(TRIGGER)))
        events += _steps(draw, turn)
        if index < count - 1 or draw(st.booleans()):
            events.append(TurnEnded(turn, draw(st.sampled_from(OUTCOMES))))
        match draw(st.integers(0, 9)):
            case 0:
                events.append(SessionResumed())
            case 1:
                events.append(HistoryCleared())
                begun.clear()
            case 2:
                back = draw(st.sampled_from(begun))
                events.append(HistoryRewound(back))
                del begun[begun.index(back) :]
            case _:
                pass
    return events
