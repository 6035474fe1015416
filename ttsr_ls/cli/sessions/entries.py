"""A session log as entries to show: the agent's output, the rules that fired on it, and the injected texts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.cli.printing.counting import count
from ttsr_ls.ide.runs.inspection_text import counts_text, not_inspected_text
from ttsr_ls.ide.runs.step_text import StepBlock, blocks_of_step, outcome_text, result_blocks, turn_start_block
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_outcome import outcome_after
from ttsr_ls.ide.triggers.trigger_text import outcome_word
from ttsr_ls.session.history.turn_events import (
    AgentSessionIdentified,
    CallRefused,
    InjectionCommitted,
    InputSkipped,
    InstructionsLoaded,
    OutputInterrupted,
    ReminderFolded,
    RequestNotInspected,
    RequestsCounted,
    RetryStarted,
    RuleChanges,
    RulesLoaded,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    ToolBatch,
    TriggersSuppressed,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.store.log.codec import Record


class BlockEntry(Struct, frozen=True):
    """A block of the transcript at `time`, in milliseconds since the Unix epoch."""

    time: int
    block: StepBlock


class TurnEntry(Struct, frozen=True):
    """A turn began."""

    time: int
    turn: str
    block: StepBlock


_MAX_RECENT = 32
"""The maximum of triggers whose outcome is awaited: in a log, it follows soon after the trigger."""


class TriggerEntry(Struct, frozen=True):
    """A rule fired. `outcome` is in the words of every view; None while it is not known."""

    time: int
    event: RuleTriggered
    outcome: str | None = None


SessionEntry = BlockEntry | TurnEntry | TriggerEntry


class SessionCounts(Struct, frozen=True):
    """The numbers of a session. `denied` counts the tool calls that a rule or a feature denied; `ended` is the time of
    the last record.
    """

    turns: int
    triggers: int
    interrupts: int
    denied: int
    suppressed: int
    ended: int

    @property
    def shown(self) -> str:
        """The numbers as text."""
        numbers = ((self.turns, "turn"), (self.triggers, "trigger"), (self.interrupts, "interrupt"))
        display = ", ".join(count(number, noun) for number, noun in numbers)
        display += f", {count(self.denied, 'denied call')}" if self.denied else ""
        return f"{display}, {count(self.suppressed, 'suppressed trigger')}" if self.suppressed else display


def entries_of(records: Iterable[Record]) -> list[SessionEntry]:
    """The entries, in the order of the log: a rule fires before the answer that it fired on is on record."""
    entries: list[SessionEntry] = []
    tools: dict[tuple[str, str], str] = {}
    recent: dict[int, LiveTrigger] = {}
    for record in records:
        for number, trigger in recent.items():
            if (outcome := outcome_after(trigger, record.event)) is not None:
                recent[number] = replace(trigger, outcome=outcome)
                entries[number] = TriggerEntry(entries[number].time, trigger.event, outcome_word(recent[number]))
        match record.event:
            case TurnStarted() as event:
                entries.append(TurnEntry(record.time, event.turn, turn_start_block(event.trigger)))
            case RuleTriggered() as event:
                recent[len(entries)] = LiveTrigger(event, "", None, None)
                if len(recent) > _MAX_RECENT:
                    del recent[next(iter(recent))]
                entries.append(TriggerEntry(record.time, event))
            case event:
                if isinstance(event, StepAppended) and isinstance(event.content, ToolBatch):
                    tools.update({(event.turn, item.call): item.tool for item in event.content.items})
                entries += [BlockEntry(record.time, block) for block in _blocks(event, tools)]
    return entries


def counts_of(records: Iterable[Record], started_at: int) -> SessionCounts:
    """The numbers of a session that began at `started_at`."""
    turns = triggers = interrupts = denied = suppressed = 0
    ended = started_at
    for record in records:
        ended = max(ended, record.time)
        match record.event:
            case TurnStarted():
                turns += 1
            case RuleTriggered():
                triggers += 1
            case OutputInterrupted():
                interrupts += 1
            case StepUpdated(state=CallRefused(denied_by=str())):
                denied += 1
            case StepAppended(content=ToolBatch(items=items)):
                denied += sum(isinstance(item.state, CallRefused) and bool(item.state.denied_by) for item in items)
            case TriggersSuppressed() as event:
                suppressed += sum(rule.triggers for rule in event.rules)
            case _:
                pass
    return SessionCounts(turns, triggers, interrupts, denied, suppressed, ended)


def _blocks(event: TurnEvent, tools: dict[tuple[str, str], str]) -> list[StepBlock]:
    match event:
        case StepAppended():
            return blocks_of_step(event.content)
        case OutputInterrupted():
            return blocks_of_step(event.interruption)
        case InjectionCommitted():
            return blocks_of_step(event.injection, event.rules)
        case StepUpdated():
            return result_blocks(tools.get((event.turn, event.call), "the call"), event.state)
        case ReminderFolded():
            return [StepBlock(f"◀ added to the result: {', '.join(event.rules)}", event.text, folded=True)]
        case RetryStarted():
            return [StepBlock("· the model is asked again")]
        case TriggersSuppressed():
            display = ", ".join(f"{rule.rule} {rule.triggers} × ({rule.reason})" for rule in event.rules)
            return [StepBlock(f"· triggers that did not count: {display}")]
        case RulesLoaded(changes=RuleChanges() as changes):
            return [StepBlock(f"· {changes.text}")]
        case RequestNotInspected():
            return [StepBlock(f"! {not_inspected_text(event)}")]
        case RequestsCounted():
            return [StepBlock(f"· {counts_text(event)}")]
        case InstructionsLoaded():
            return [StepBlock(f"· the agent loaded {event.path} ({event.level}, {event.reason})")]
        case AgentSessionIdentified():
            return [StepBlock(f"· the agent's id of this session is {event.session}")]
        case InputSkipped():
            return [StepBlock(f"! {event.message}")]
        case TurnEnded():
            return [StepBlock(f"■ {outcome_text(event.outcome)}")]
        case _:
            return []


def shown_moment(milliseconds: int) -> str:
    """Formats a time in milliseconds since the Unix epoch. A log may have any number."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, OSError, ValueError):
        return "unknown time"
