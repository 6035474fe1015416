"""The transcript of a session: the agent's output, the rules that fired on it, and the injections, in order."""

from __future__ import annotations

from ttsr_ls.escaping import one_line, printable
from ttsr_ls.ide.runs.inspection_text import counts_text, not_inspected_text
from ttsr_ls.ide.runs.live_stream import LiveStream, live_block
from ttsr_ls.ide.runs.run_trigger import RunTrigger
from ttsr_ls.ide.runs.step_text import StepBlock, blocks_of_step, outcome_text, result_blocks, turn_start_block
from ttsr_ls.ide.runs.transcript_text import TranscriptPart, TranscriptText
from ttsr_ls.ide.triggers.trigger_text import notification_of_trigger
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.request_limits import RequestLimitReached
from ttsr_ls.session.history.turn_events import (
    AgentSessionIdentified,
    ConditionTooSlow,
    HistoryCleared,
    HistoryCompacted,
    HistoryRewound,
    InjectionCommitted,
    InjectionDeferred,
    InputSkipped,
    InstructionsLoaded,
    OutputInterrupted,
    ReminderFolded,
    RequestNotInspected,
    RequestsCounted,
    RetryStarted,
    RuleChanges,
    RulesLoaded,
    SessionResumed,
    Step,
    StepAppended,
    StepUpdated,
    StreamMatchingEnded,
    ToolBatch,
    TriggersSuppressed,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)

_MAX_WAITING = 20
"""The most triggers that wait for their answer. A log with more is damaged; they stay where they are."""
_MAX_CALLS = 1_000
"""The most calls whose tool is remembered; results of older calls are shown without its name."""


class Transcript:
    """A transcript that grows by one event at a time.

    A rule fires before its answer is on record. So a trigger is shown at the end until the answer is recorded, and then
    below the text that matched.
    """

    __slots__ = ("_headings_of", "_lines_of", "_live", "_text", "_tools", "_waiting")

    def __init__(self, title: str, epoch: int = 0) -> None:
        self._text = TranscriptText(epoch)
        self._waiting: list[RunTrigger] = []
        self._live: tuple[LiveStream, ...] = ()
        self._tools: dict[tuple[str, str], str] = {}
        self._lines_of: dict[int, int] = {}
        self._headings_of: dict[int, int] = {}
        self._text.heading(title)
        self._text.settle()

    @property
    def epoch(self) -> int:
        """The number of the state of the permanent lines."""
        return self._text.epoch

    def note(self, text: str) -> None:
        """Adds a line of this program."""
        self._text.heading(text)
        self._text.settle()

    def line_of(self, trigger: int) -> int | None:
        """Returns the line of the trigger with this number: that of its text if known, else that of its name."""
        return self._lines_of.get(trigger)

    def line(self, number: int) -> str:
        """The line with this number."""
        return self._text.line(number)

    def part(self, epoch: int, first: int) -> TranscriptPart:
        """The lines from `first` on."""
        return self._text.part(epoch, first)

    def trigger(self, trigger: RunTrigger) -> None:
        """Adds a trigger."""
        self._waiting.append(trigger)
        self._text.drop_unstable()
        self._add_unstable()
        if len(self._waiting) > _MAX_WAITING:
            self._text.drop_unstable()
            self._settle_waiting()
            self._keep()

    def update_outcome(self, trigger: RunTrigger) -> None:
        """Updates the line of a trigger with its new outcome."""
        self._waiting = [trigger if one.number == trigger.number else one for one in self._waiting]
        line = self._headings_of.get(trigger.number)
        if line is not None and line < self._text.end:
            self._text.replace_heading(line, _heading_of(trigger))

    def evolve(self, event: TurnEvent) -> None:
        """Adds an event."""
        self._text.drop_unstable()
        self._add(event)
        self._keep()
        match event:
            case StepAppended():
                self._live = tuple(
                    [stream for stream in self._live if (stream.turn, stream.step) != (event.turn, event.step)]
                )
            case TurnEnded():
                self._live = ()
            case _:
                pass
        self._add_unstable()

    def live(self, streams: tuple[LiveStream, ...]) -> None:
        """Replaces the displayed unfinished answers."""
        self._live = streams
        self._text.drop_unstable()
        self._add_unstable()

    def _add_unstable(self) -> None:
        """Adds the temporary lines: the unfinished answers, and their triggers."""
        triggers = list(self._waiting)
        for stream in self._live:
            block = live_block(stream)
            lines = self._block(block)
            for trigger in [
                trigger for trigger in triggers if _may_be_of(block, trigger) and self._mark(lines, trigger)
            ]:
                triggers.remove(trigger)
        for trigger in triggers:
            self._trigger_line(trigger)

    def _keep(self) -> None:
        """Makes all lines permanent, and drops the oldest if there are too many."""
        self._text.settle()
        gone = self._text.shorten()
        if gone:
            self._lines_of = {number: line - gone for number, line in self._lines_of.items() if line >= gone}
            self._headings_of = {number: line - gone for number, line in self._headings_of.items() if line >= gone}

    def _trigger_line(self, trigger: RunTrigger) -> None:
        line = self._text.heading(_heading_of(trigger))
        self._text.mark_line(line, trigger.number)
        self._lines_of[trigger.number] = self._headings_of[trigger.number] = line

    def _add(self, event: TurnEvent) -> None:
        match event:
            case TurnStarted():
                self._settle_waiting()
                self._block(turn_start_block(event.trigger))
            case StepAppended():
                self._step(event.turn, event.step, event.content)
            case OutputInterrupted():
                self._step(event.turn, event.step, event.interruption)
            case InjectionCommitted():
                self._step(event.turn, event.step, event.injection, event.rules)
            case HistoryCompacted():
                for number, step in enumerate(event.steps, event.step):
                    self._step(event.turn, number, step)
            case StepUpdated():
                for block in result_blocks(self._tools.get((event.turn, event.call), "the call"), event.state):
                    self._block(block)
            case ReminderFolded():
                self._block(StepBlock(f"◀ added to the result: {', '.join(event.rules)}", event.text, folded=True))
            case TurnEnded():
                self._settle_waiting()
                self._text.heading(f"■ {outcome_text(event.outcome)}")
            case _:
                self._add_remark(event)

    def _add_remark(self, event: TurnEvent) -> None:
        """Adds one line for an event that is no part of an answer."""
        match event:
            case RulesLoaded(changes=RuleChanges() as changes):
                self._text.heading(f"· {changes.text}")
            case RulesLoaded():
                count = len(event.rules)
                self._text.heading("· 1 rule is in force" if count == 1 else f"· {count} rules are in force")
            case ConditionTooSlow():
                self._text.heading(f"· a condition of {event.rule} took too long and is disabled: {event.condition}")
            case StreamMatchingEnded():
                self._text.heading(f"· the stream {event.stream} is not matched any further")
            case RetryStarted():
                self._text.heading("· the model is asked again")
            case RequestLimitReached():
                self._text.heading(f"· the model is not asked again in this turn: the limit {event.limit} is reached")
            case TriggersSuppressed():
                display = ", ".join(f"{rule.rule} {rule.triggers} × ({rule.reason})" for rule in event.rules)
                self._text.heading(f"· triggers that did not count: {display}")
            case RequestNotInspected():
                self._text.heading(f"! {not_inspected_text(event)}")
            case RequestsCounted():
                self._text.heading(f"· {counts_text(event)}")
            case InstructionsLoaded():
                self._text.heading(f"· the agent loaded {event.path} ({event.level}, {event.reason})")
            case AgentSessionIdentified():
                self._text.heading(f"· the agent's id of this session is {event.session}")
            case InputSkipped():
                self._text.heading(f"! {event.message}")
            case InjectionDeferred():
                self._text.heading(f"· injected after the answer: {', '.join(event.rules)}")
            case SessionResumed():
                self._text.heading("· the session is resumed")
            case HistoryRewound():
                self._text.heading("· the history is rewound")
            case HistoryCleared():
                self._text.heading("· the history is cleared")
            case _:
                pass  # Events of the state of features are not shown.

    def _step(self, turn: str, number: int, step: Step, injected: tuple[str, ...] = ()) -> None:
        if isinstance(step, ToolBatch):
            self._tools.update({(turn, item.call): item.tool for item in step.items})
            for old in list(self._tools)[:-_MAX_CALLS]:
                del self._tools[old]
        mine = [
            trigger
            for trigger in self._waiting
            if (trigger.trigger.event.turn, trigger.trigger.event.step) == (turn, number)
        ]
        for block in blocks_of_step(step, injected):
            lines = self._block(block)
            for trigger in [trigger for trigger in mine if _may_be_of(block, trigger) and self._mark(lines, trigger)]:
                mine.remove(trigger)
                self._waiting.remove(trigger)
        for trigger in mine:  # The matched text is not found: it is another form of the tool's arguments.
            self._trigger_line(trigger)
            self._waiting.remove(trigger)

    def _block(self, block: StepBlock) -> range:
        self._text.heading(block.title)
        if block.body is None or not block.body.strip():
            return range(0)
        return self._text.content(block.body, folded=block.folded)

    def _mark(self, lines: range, trigger: RunTrigger) -> bool:
        """Underlines the match of a trigger in lines, and names the rule below them."""
        excerpt = trigger.trigger.event.excerpt
        matched_text = printable(trigger.matched.strip("\n")).split("\n")[0].strip()
        before = printable(excerpt.text[: excerpt.start]).rpartition("\n")[2].lstrip()
        if not matched_text:
            return False
        for wanted, skipped in ((before + matched_text, len(before)), (matched_text, 0)):
            for number in lines:
                position = self._text.line(number).find(wanted)
                if position >= 0:
                    self._text.mark(number, position + skipped, position + len(wanted), trigger.number)
                    self._trigger_line(trigger)
                    self._lines_of[trigger.number] = number
                    return True
        return False

    def _settle_waiting(self) -> None:
        """Makes the waiting triggers permanent: their answers will not be recorded any more."""
        for trigger in self._waiting:
            self._trigger_line(trigger)
        self._waiting.clear()


def _may_be_of(block: StepBlock, trigger: RunTrigger) -> bool:
    event = trigger.trigger.event
    if block.source is not event.source:
        return False
    return event.source is not Source.TOOL or event.call is None or block.call == event.call


def _heading_of(trigger: RunTrigger) -> str:
    return f"⚡ {notification_of_trigger(trigger.trigger).removeprefix('TTSR: ')}"


def transcript_title(agent: str, workspace: str) -> str:
    """The first line of a transcript."""
    return f"{one_line(agent)} in {one_line(workspace)}"
