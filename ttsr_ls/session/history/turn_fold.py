"""The history of a session as the fold of its events: `TurnFold.evolve`, live and at replay.

A running session appends an event to its log and then evolves by it; a reader of the log evolves by the same events. Of
a damaged or misused log, the valid part is kept and the rest reported: an invalid event changes nothing. Pure; it must
not know where events come from. The log reader reports numbers that are missing from a log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from ttsr_ls.session.history.open_turn import OpenTurn
from ttsr_ls.session.history.turn import ResumedSession, Step, Turn, TurnCancelled, TurnIdle
from ttsr_ls.session.history.turn_events import (
    HistoryCleared,
    HistoryCompacted,
    HistoryRewound,
    InjectionCommitted,
    OutputInterrupted,
    ReminderFolded,
    SessionResumed,
    StepAppended,
    StepUpdated,
    ToolInputChanged,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_output import ToolItem

CRASHED = TurnCancelled("crash recovery")
"""The outcome of a turn whose end is not on record (spec H6)."""


class FoldProblemKind(StrEnum):
    """The kinds of problems in the events of a session."""

    UNFINISHED_TURN = "unfinished-turn"
    REPEATED_TURN = "repeated-turn"
    UNKNOWN_TURN = "unknown-turn"
    TURN_OVER = "turn-over"
    REPEATED_STEP = "repeated-step"
    UNKNOWN_CALL = "unknown-call"
    SETTLED_CALL = "settled-call"


class FoldProblem(Struct, frozen=True):
    """The problem of event number `event` (from 0) about `turn`. `message` is a full sentence."""

    kind: FoldProblemKind
    event: int
    turn: str
    message: str


class TurnFold:
    """The turns so far. Call `evolve` with each event in order; reading in between is cheap."""

    __slots__ = ("_count", "_finished", "_known", "_open", "_problems", "epoch")

    def __init__(self) -> None:
        self._finished: list[Turn] = []
        self._known: dict[str, int] = {}
        """The index of each turn that has started, by its id."""
        self._open: OpenTurn | None = None
        self._problems: list[FoldProblem] = []
        self._count = 0
        self.epoch = 0
        """Increases when turns are removed. While it stays the same, turns are only added to `finished`."""

    @property
    def finished(self) -> Sequence[Turn]:
        """The turns that ended."""
        return self._finished

    @property
    def open_turn(self) -> OpenTurn | None:
        """The turn in progress, or None. It is the same object until it ends, and is then the next one in
        `finished`.
        """
        return self._open

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, the one in progress last."""
        return tuple(self._finished) if self._open is None else (*self._finished, self._open.turn())

    @property
    def problems(self) -> tuple[FoldProblem, ...]:
        """The problems of the events so far."""
        return tuple(self._problems)

    def open_call(self, step: int, call_id: str) -> ToolItem | None:
        """Returns a call in a tool batch of the turn in progress; None if there is none."""
        return None if self._open is None else self._open.call_item(step, call_id)

    def evolve(self, event: TurnEvent) -> None:
        """Updates the history by `event`. An invalid event is reported and changes nothing."""
        match event:
            case TurnStarted():
                self._started(event)
            case StepAppended():
                self._append(event.turn, event.step, event.content)
            case HistoryCompacted():
                self._compacted(event)
            case OutputInterrupted():
                self._append(event.turn, event.step, event.interruption)
            case InjectionCommitted():
                self._append(event.turn, event.step, event.injection)
            case StepUpdated() | ReminderFolded() | ToolInputChanged():
                self._updated(event)
            case TurnEnded():
                open_turn = self._at(event.turn)
                if open_turn is not None:
                    self._end(open_turn.finished_turn(event.outcome))
            case SessionResumed():
                self.recover()
            case HistoryRewound():
                self._rewound(event.turn)
            case HistoryCleared():
                self._finished, self._open, self._known = [], None, {}
                self.epoch += 1
            case _:
                pass  # All other events change no turn.
        self._count += 1

    def recover(self) -> None:
        """Closes a turn without an end, with its running tools (spec H6)."""
        if self._open is not None:
            message = f"Turn {self._open.id} has no end; it counts as cancelled by crash recovery."
            self._report(FoldProblemKind.UNFINISHED_TURN, self._open.id, message)
            self._end(self._open.finished_turn(CRASHED))

    def _started(self, event: TurnStarted) -> None:
        if event.turn in self._known:
            self._report(FoldProblemKind.REPEATED_TURN, event.turn, f"Turn {event.turn} began a second time.")
            return
        self.recover()
        self._known[event.turn] = len(self._finished)
        self._open = OpenTurn(event.turn, event.trigger)

    def _compacted(self, event: HistoryCompacted) -> None:
        """Adds the steps to their turn; between turns, adds a finished turn of these steps."""
        is_between_turns = self._open is None and event.turn not in self._known
        if is_between_turns:
            self._known[event.turn] = len(self._finished)
            self._open = OpenTurn(event.turn, ResumedSession())
        for number, step in enumerate(event.steps, event.step):
            self._append(event.turn, number, step)
        if is_between_turns and self._open is not None:
            self._end(self._open.finished_turn(TurnIdle()))

    def _end(self, turn: Turn) -> None:
        self._finished.append(turn)
        self._open = None

    def _append(self, turn: str, number: int, step: Step) -> None:
        open_turn = self._at(turn)
        if open_turn is not None and not open_turn.append(number, step):
            message = f"Turn {turn} has two steps {number}; the first is kept."
            self._report(FoldProblemKind.REPEATED_STEP, turn, message)

    def _updated(self, event: StepUpdated | ReminderFolded | ToolInputChanged) -> None:
        open_turn = self._at(event.turn)
        if open_turn is None:
            return
        if not open_turn.knows_call(event.step, event.call):
            message = f"Step {event.step} of turn {event.turn} has no tool call {event.call}."
            self._report(FoldProblemKind.UNKNOWN_CALL, event.turn, message)
        elif isinstance(event, ReminderFolded):
            open_turn.add_tool_reminder(event.step, event.call, event.text)
        elif not (
            open_turn.change_input(event.step, event.call, event.arguments)
            if isinstance(event, ToolInputChanged)
            else open_turn.update(event.step, event.call, event.state)
        ):
            message = f"The tool call {event.call} of turn {event.turn} had its result already; the first is kept."
            self._report(FoldProblemKind.SETTLED_CALL, event.turn, message)

    def _rewound(self, turn: str) -> None:
        index = self._known.get(turn)
        if index is None:
            self._report(FoldProblemKind.UNKNOWN_TURN, turn, f"There is no turn {turn} to go back to.")
            return
        removed = [turn.id for turn in self._finished[index:]]
        if self._open is not None:
            removed.append(self._open.id)
        del self._finished[index:]
        self._open = None
        self.epoch += 1
        for name in removed:
            del self._known[name]

    def _at(self, turn: str) -> OpenTurn | None:
        """Returns the turn in progress if its id is `turn`; else reports an event outside of its turn."""
        if self._open is not None and self._open.id == turn:
            return self._open
        if turn in self._known:
            self._report(FoldProblemKind.TURN_OVER, turn, f"There is an event of turn {turn} after its end.")
        else:
            self._report(FoldProblemKind.UNKNOWN_TURN, turn, f"There is an event of turn {turn}, which never began.")
        return None

    def _report(self, kind: FoldProblemKind, turn: str, message: str) -> None:
        self._problems.append(FoldProblem(kind, self._count, turn, message))


class FoldedHistory(Struct, frozen=True):
    """The history of a whole log, with its problems. No turn is in progress."""

    turns: tuple[Turn, ...]
    problems: tuple[FoldProblem, ...]


def fold(events: Iterable[TurnEvent]) -> FoldedHistory:
    """Returns the history of a session whose program has ended: a turn without its end is closed."""
    state = TurnFold()
    for event in events:
        state.evolve(event)
    state.recover()
    return FoldedHistory(state.turns, state.problems)
