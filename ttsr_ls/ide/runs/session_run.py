"""One session of an agent as editors display it: its turns with their triggers, its state, and its transcript."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.ide.runs.inspection_text import counts_text
from ttsr_ls.ide.runs.run_state import RunState
from ttsr_ls.ide.runs.run_trigger import RunTrigger
from ttsr_ls.ide.runs.step_text import first_words, outcome_text, turn_title
from ttsr_ls.ide.runs.transcript import Transcript, transcript_title
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_outcome import outcome_after
from ttsr_ls.session.history.turn_events import (
    ModelCall,
    RequestNotInspected,
    RequestsCounted,
    StepAppended,
    Text,
    TurnCancelled,
    TurnEnded,
    TurnEvent,
    TurnFailed,
    TurnOutcome,
    TurnStarted,
    UnseenTrigger,
)

MAX_TURNS = 200
"""The most turns of a session, the newest; the transcript and the session log have more."""
MAX_TRIGGERS_OF_A_RUN = 500
"""The most triggers of one turn, the newest."""


class RunTurn(Struct, frozen=True):
    """A turn. `title` describes its trigger in one line; `outcome` is None while it is in progress."""

    id: str
    title: str
    started: int
    outcome: str | None
    state: RunState
    triggers: tuple[RunTrigger, ...] = ()


class SessionRun:
    """A session that grows by one event at a time. `id` is unique among all sessions; times are ms since the epoch.

    `replaced` is a former session with this id: a client that knows it takes neither triggers nor lines for its own.
    """

    __slots__ = (
        "_next_trigger",
        "_turns",
        "agent",
        "coverage",
        "id",
        "is_left",
        "last_event",
        "last_sequence",
        "log",
        "started",
        "transcript",
        "trigger_count",
        "uninspected",
        "workspace",
    )

    def __init__(
        self,
        identity: str,
        agent: str,
        workspace: str,
        started_at: int,
        *,
        from_start: bool,
        replaced: SessionRun | None = None,
    ) -> None:
        self.id = identity
        self.agent = agent
        self.workspace = workspace
        self.started = started_at
        self.last_event = started_at
        self.log: str | None = None
        """The path of its session log, where it has one."""
        self.last_sequence = 0
        """The number of the last record of its session log."""
        self.is_left = False
        """True if its program has ended, perhaps in the middle of a turn: nothing is added to its log any more."""
        self.trigger_count = 0
        self.coverage: str | None = None
        """The counts of requests that a proxy could inspect, in one line; None without a proxy."""
        self.uninspected = 0
        """How many requests a proxy could not inspect."""
        self._next_trigger: int = 0 if replaced is None else replaced._next_trigger
        epoch = 0 if replaced is None else replaced.transcript.epoch + 1
        self.transcript: Transcript = Transcript(transcript_title(agent, workspace), epoch)
        self._turns: list[RunTurn] = []
        if not from_start:
            self.transcript.note("· the beginning is not shown: the session began before the editor followed it")

    @property
    def turns(self) -> tuple[RunTurn, ...]:
        """The turns, oldest first."""
        return tuple(self._turns)

    @property
    def triggers(self) -> tuple[RunTrigger, ...]:
        """The triggers, oldest first."""
        return tuple(trigger for turn in self._turns for trigger in turn.triggers)

    @property
    def state(self) -> RunState:
        """The state of the last turn; failed if the session's program has ended without finishing it."""
        state = self._turns[-1].state if self._turns else RunState.WORKING
        return RunState.FAILED if state is RunState.WORKING and self.is_left else state

    def evolve(self, time: int, event: TurnEvent) -> None:
        """Adds an event other than a trigger."""
        self.last_event = max(self.last_event, time)
        self.is_left = False
        match event:
            case TurnStarted():
                self._turns.append(RunTurn(event.turn, turn_title(event.trigger), time, None, RunState.WORKING))
                del self._turns[:-MAX_TURNS]
            case TurnEnded():
                self._change(event.turn, time, _state_after(event.outcome), outcome_text(event.outcome))
            case StepAppended(content=ModelCall() as answer):
                self._name_after_answer(event.turn, answer)
            case RequestsCounted():
                self.coverage = counts_text(event)
            case RequestNotInspected():
                self.uninspected += 1
            case _:
                pass
        self.transcript.evolve(event)
        self._update_outcomes(event)

    def trigger(self, time: int, trigger: LiveTrigger, *, is_live: bool = True) -> RunTrigger:
        """Adds a trigger to its turn, and returns the entry that the editor shows."""
        self.last_event = max(self.last_event, time)
        self.is_left = False
        run_trigger = RunTrigger(self._next_trigger, time, trigger, is_live)
        self._next_trigger += 1
        self.trigger_count += 1
        number = self._turn(trigger.event.turn, time)
        turn = self._turns[number]
        self._turns[number] = replace(turn, triggers=(*turn.triggers, run_trigger)[-MAX_TRIGGERS_OF_A_RUN:])
        self.transcript.trigger(run_trigger)
        return run_trigger

    def _turn(self, turn: str, time: int) -> int:
        """The index of a turn. A turn that began before the session was followed is added."""
        for number in range(len(self._turns) - 1, -1, -1):
            if self._turns[number].id == turn:
                return number
        self._turns.append(RunTurn(turn, "a turn that began earlier", time, None, RunState.WORKING))
        del self._turns[:-MAX_TURNS]
        return len(self._turns) - 1

    def _update_outcomes(self, event: TurnEvent) -> None:
        """Updates the outcomes of triggers. Only the last turn can have some that are not final."""
        if not self._turns or not self._turns[-1].triggers:
            return
        triggers = list(self._turns[-1].triggers)
        for at, fired in enumerate(triggers):
            outcome = outcome_after(fired.trigger, event)
            if outcome is not None:
                triggers[at] = replace(fired, trigger=replace(fired.trigger, outcome=outcome))
                self.transcript.update_outcome(triggers[at])
        self._turns[-1] = replace(self._turns[-1], triggers=tuple(triggers))

    def _name_after_answer(self, turn: str, answer: ModelCall) -> None:
        """Names a turn by the beginning of its answer, if the agent does not print its prompt."""
        number = next((at for at, one in enumerate(self._turns) if one.id == turn), None)
        texts = (part.text for part in answer.output if isinstance(part, Text) and part.text.strip())
        first = next(texts, None)
        if number is not None and first is not None and self._turns[number].title == turn_title(UnseenTrigger()):
            self._turns[number] = replace(self._turns[number], title=f"answer: {first_words(first)}")

    def _change(self, turn: str, time: int, state: RunState, outcome: str) -> None:
        number = self._turn(turn, time)
        self._turns[number] = replace(self._turns[number], state=state, outcome=outcome)


def _state_after(outcome: TurnOutcome) -> RunState:
    return RunState.FAILED if isinstance(outcome, TurnFailed | TurnCancelled) else RunState.ENDED
