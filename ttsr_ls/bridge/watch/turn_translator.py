"""Translates an agent's events to turn events, and keeps the state of the turns.

Pure. `decide` returns the turn events to log and does not change the state that is a fold of the log; `evolve` is
that fold and is called for each recorded event (spec U1). Unfinished answers, which the log does not contain, are
kept separately.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.abandoned import MAY_HAVE_RUN
from ttsr_ls.session.history.suppressed import SuppressedRule, TriggersSuppressed
from ttsr_ls.session.history.turn import Injection, InterruptedByRules, Interruption
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    AgentSessionIdentified,
    CallAbandoned,
    CallRunning,
    InjectionCommitted,
    InputSkipped,
    ModelCall,
    Output,
    OutputInterrupted,
    RetryStarted,
    StepAppended,
    StepUpdated,
    ToolBatch,
    ToolCall,
    ToolItem,
    ToolState,
    TurnCancelled,
    TurnEnded,
    TurnEvent,
    TurnStarted,
    UnseenTrigger,
)
from ttsr_ls.session.lifecycle.history_position import HistoryPosition
from ttsr_ls.session.lifecycle.rule_state import RuleRef, names_of, paths_of
from ttsr_ls.session.output.agent_events import (
    AgentEvent,
    AnswerEnded,
    AnswerStarted,
    BlockFinished,
    SessionSeen,
    StreamDamaged,
    ToolResultSeen,
    TurnClosed,
    TurnOpened,
)

_INTERRUPTED = CallAbandoned("the answer was cut off")
_UNRECORDED = TurnCancelled("its end could not be recorded")
_TURN_OVER = CallAbandoned(MAY_HAVE_RUN)


class StepPosition(Struct, frozen=True):
    """The position of an event in the history."""

    turn: str
    step: int


class _OpenAnswer:
    """An unfinished answer. Its step number is reserved from the start, though the step is recorded at its end."""

    __slots__ = ("batch", "model", "output", "results", "step")

    def __init__(self, step: int, model: str) -> None:
        self.step = step
        self.batch: int | None = None
        """The reserved step number of its tool calls; None if not reserved yet."""
        self.model = model
        self.output: list[Output] = []
        self.results: dict[str, ToolState] = {}


class TurnTranslator:
    """Translates the events of an agent into the turn events of one session."""

    __slots__ = ("_answers", "_position", "_reserved", "_running", "_session")

    def __init__(self) -> None:
        self._position = HistoryPosition()
        self._running: dict[str, int] = {}
        """The tool calls of this turn without a result, with the step numbers of their batches."""
        self._reserved = 0
        self._answers: dict[str, _OpenAnswer] = {}
        self._session = ""
        """The recorded id of the agent's session."""

    @property
    def in_turn(self) -> bool:
        """True if the log has an unfinished turn."""
        return self._position.turn is not None

    def position(self, agent: str) -> StepPosition:
        """The position of the current output of `agent`: in the recorded turn, else in the next one."""
        answer = self._answers.get(agent)
        return StepPosition(
            self._position.turn or self._position.next_turn, self._reserved if answer is None else answer.step
        )

    def step_of_pending_call(self, call_id: str) -> int | None:
        """Returns the step that contains the tool call, if the call has no result yet; else None."""
        return self._running.get(call_id)

    def reserve_step(self) -> StepPosition | None:
        """Reserves the next step number of the turn; None if no turn is on record."""
        turn = self._position.turn
        return None if turn is None else StepPosition(turn, self._reserve())

    def decide(self, event: AgentEvent) -> list[TurnEvent]:
        """The turn events to log for an agent event."""
        match event:
            case TurnOpened():
                return [*self._end_unrecorded_turn(), TurnStarted(self._position.next_turn, event.trigger)]
            case AnswerStarted():
                return self._answer_started(event)
            case BlockFinished():
                if event.agent in self._answers:
                    self._answers[event.agent].output.append(event.output)
                return []
            case AnswerEnded():
                return self._answered(event)
            case ToolResultSeen():
                return self._tool_finished(event)
            case TurnClosed():
                return self._closed(event)
            case SessionSeen():
                is_known = event.session in ("", self._session)
                return [] if is_known else [AgentSessionIdentified(event.session)]
            case StreamDamaged():
                return [InputSkipped(event.message)]
            case _:
                return []

    def interruption_event(self, rules: tuple[str, ...], context: ContextMode) -> OutputInterrupted | None:
        """Returns the event for an interrupt of the main agent's answer; None if no recorded turn has one.

        The step numbers of the answer and its calls are reserved, because these are recorded later.
        """
        answer = self._answers.get(MAIN_AGENT)
        if answer is None or self._position.turn is None:
            return None
        if answer.batch is None:
            answer.batch = self._reserve(answer.step + 1)
        interruption = Interruption(MAIN_AGENT, answer.step, InterruptedByRules(rules), context)
        return OutputInterrupted(self._position.turn, self._reserve(), interruption)

    def is_answering(self, agent: str) -> bool:
        """Returns whether `agent` has an unfinished answer."""
        return agent in self._answers

    def suppression_events(self, rules: tuple[SuppressedRule, ...]) -> list[TurnEvent]:
        """Returns the event for the suppressed triggers of the current turn; none without such triggers."""
        turn = self._position.turn
        return [TriggersSuppressed(turn, rules)] if rules and turn is not None else []

    def injection_event(self, injection: Injection, rules: tuple[RuleRef, ...]) -> InjectionCommitted | None:
        """Returns the event for an injection; None if no turn is recorded."""
        turn = self._position.turn
        if turn is None:
            return None
        return InjectionCommitted(turn, self._reserve(), injection, names_of(rules), rule_paths=paths_of(rules))

    def retry_event(self, attempt: int) -> RetryStarted | None:
        """Returns the event for a retry of the main agent after an interrupt; None if no turn is recorded."""
        turn = self._position.turn
        step = max(self._position.step, self._reserved)
        return None if turn is None else RetryStarted(turn, step, MAIN_AGENT, attempt)

    def _reserve(self, at_least: int = 0) -> int:
        step = max(self._position.step, self._reserved, at_least)
        self._reserved = step + 1
        return step

    def evolve(self, event: TurnEvent) -> None:
        """Applies a recorded event to the state."""
        self._position = self._position.after(event)
        match event:
            case StepAppended(content=ToolBatch() as batch):
                waiting = (item.call for item in batch.items if item.state == CallRunning())
                self._running.update(dict.fromkeys(waiting, event.step))
            case StepUpdated():
                self._running.pop(event.call, None)
            case TurnStarted() | TurnEnded():
                self._running.clear()
            case AgentSessionIdentified():
                self._session = event.session
            case _:
                pass

    def _end_unrecorded_turn(self) -> list[TurnEvent]:
        """Ends a turn whose end could not be recorded, when another turn starts."""
        return [] if self._position.turn is None else [TurnEnded(self._position.turn, _UNRECORDED)]

    def _answer_started(self, event: AnswerStarted) -> list[TurnEvent]:
        """Starts an answer; and a turn for it, if the start of its turn could not be recorded."""
        step = 0 if self._position.turn is None else max(self._position.step, self._reserved)
        self._reserved = step + 1
        self._answers[event.agent] = _OpenAnswer(step, event.model)
        return [TurnStarted(self._position.next_turn, UnseenTrigger())] if self._position.turn is None else []

    def _answered(self, event: AnswerEnded) -> list[TurnEvent]:
        answer = self._answers.pop(event.agent, None)
        if answer is None or self._position.turn is None:
            return []
        call = ModelCall(event.agent, answer.model, tuple(answer.output), event.complete, event.usage)
        events: list[TurnEvent] = [StepAppended(self._position.turn, answer.step, call)]
        calls = [output for output in answer.output if isinstance(output, ToolCall)]
        if calls:
            unanswered: ToolState = CallRunning() if event.complete else _INTERRUPTED
            states = [answer.results.get(call.id, unanswered) for call in calls]
            items = tuple(ToolItem(call.id, call.tool, state) for call, state in zip(calls, states, strict=True))
            step = self._reserve(answer.step + 1) if answer.batch is None else answer.batch
            events.append(StepAppended(self._position.turn, step, ToolBatch(event.agent, items)))
        return events

    def _tool_finished(self, event: ToolResultSeen) -> list[TurnEvent]:
        if self._position.turn is not None and event.call in self._running:
            return [StepUpdated(self._position.turn, self._running[event.call], event.call, event.state)]
        answer = self._answers.get(event.agent)
        if answer is not None and any(
            isinstance(output, ToolCall) and output.id == event.call for output in answer.output
        ):
            # Tools start, and may end, before the answer that called them does (spec W3).
            answer.results[event.call] = event.state
        return []

    def _closed(self, event: TurnClosed) -> list[TurnEvent]:
        self._answers.clear()
        self._reserved = 0
        if self._position.turn is None:
            return []
        abandoned = [StepUpdated(self._position.turn, step, call, _TURN_OVER) for call, step in self._running.items()]
        return [*abandoned, TurnEnded(self._position.turn, event.outcome)]
