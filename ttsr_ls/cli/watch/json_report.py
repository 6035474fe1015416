"""The report of `watch` as JSON lines: one object for each trigger, turn, warning, and note, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TextIO, assert_never

from ttsr_ls.bridge.watch.limit_messages import limit_message
from ttsr_ls.bridge.watch.notices import (
    LogFailedNotice,
    LogRecoveredNotice,
    Notice,
    RulesReplacedNotice,
    SessionJoinedNotice,
    SkippedInputNotice,
    SuppressedTriggerNotice,
    TriggerNotice,
    TurnFinishedNotice,
    UndecidedRuleNotice,
    UnloggedTriggerNotice,
)
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_json
from ttsr_ls.cli.watch import log_messages
from ttsr_ls.cli.watch.hook_denials import HookDenials
from ttsr_ls.cli.watch.observation import EMPTY_INPUT, NO_TURN
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.session.history.turn_events import RuleTriggered, StreamMatchingEnded, TurnCancelled, TurnFailed
from ttsr_ls.session.output.agent_events import AgentEvent


class JsonLinesReport:
    """Prints on `stream`; `started` is when the session began, in milliseconds since the epoch."""

    def __init__(self, stream: TextIO, started_at: int) -> None:
        self._stream = stream
        self._started = started_at
        self._fired: Counter[str] = Counter()
        self._suppressed: Counter[str] = Counter()
        self._denials = HookDenials()
        self._turns = 0

    def follow(self, events: Iterable[AgentEvent]) -> None:
        """Prints the calls with a trigger that a hook denied; prints no other events of the agent."""
        for trigger in self._denials.take_results(events):
            self._denied(trigger)

    def show(self, notices: Iterable[Notice]) -> None:
        """Prints notices at once."""
        for notice in notices:
            match notice:
                case SessionJoinedNotice():
                    self._print({"type": "session", "session": notice.session, "cwd": notice.cwd})
                case TriggerNotice():
                    self._trigger(notice.event, notice.time, None)
                case UnloggedTriggerNotice():
                    self._trigger(notice.event, notice.time, notice.reason)
                case SuppressedTriggerNotice():
                    self._suppressed[notice.rule.name] += 1
                    self._print({"type": "suppressed", "rule": notice.rule.name, "reason": str(notice.reason)})
                case LogFailedNotice():
                    self.warn(log_messages.recording_stopped_message(notice.reason))
                case LogRecoveredNotice():
                    self.line(f"The session log works again; {count(notice.lost, 'record')} could not be written.")
                case RulesReplacedNotice():
                    self.line(notice.changes.summary)
                    for warning in notice.changes.warnings:
                        self.warn(warning)
                case SkippedInputNotice():
                    self.warn(notice.message)
                case DisabledCondition() | StreamMatchingEnded() | UndecidedRuleNotice():
                    self.warn(limit_message(notice))
                case TurnFinishedNotice():
                    self._turn_finished(notice)
                case _:
                    assert_never(notice)

    def line(self, text: str) -> None:
        """Prints a note."""
        self._print({"type": "note", "message": text})

    def warn(self, text: str) -> None:
        """Prints a warning."""
        self._print({"type": "warning", "message": text})

    def report_not_recorded(self, reason: str) -> None:
        """Reports that the session is not recorded."""
        self.warn(log_messages.not_recorded_message(reason))

    def report_unwritten_records(self, records: int) -> None:
        """Reports how many records could not be written, if any."""
        if records:
            self.warn(log_messages.lost_records_message(records))

    def summary(self, now: int, *, is_input_empty: bool = False) -> None:
        """Prints the summary."""
        if is_input_empty:
            self.warn(EMPTY_INPUT)
        elif not self._turns:
            self.warn(NO_TURN)
        seconds = (now - self._started) / 1000
        self._print(
            {
                "type": "summary",
                "triggers": dict(self._fired),
                "suppressed": dict(self._suppressed),
                "turns": self._turns,
                "seconds": seconds,
            }
        )

    def close(self) -> None:
        """Ends the report."""

    def _trigger(self, event: RuleTriggered, time: int, unlogged: str | None) -> None:
        self._fired[event.rule] += 1
        excerpt, target = event.excerpt, event.target
        self._print(
            {
                "type": "trigger",
                "time": time,
                "rule": event.rule,
                "rulePath": event.rule_path,
                "condition": event.condition,
                "turn": event.turn,
                "agent": event.agent,
                "source": str(event.source),
                "tool": event.tool,
                "path": None if target is None else target.path,
                "match": excerpt.text[excerpt.start : excerpt.end],
                "interrupts": event.interrupts,
                "notLogged": unlogged,
            }
        )
        if self._denials.is_denied(event):
            self._denied(event)

    def _denied(self, event: RuleTriggered) -> None:
        self._print({"type": "denied", "rule": event.rule, "tool": event.tool, "call": event.call})

    def _turn_finished(self, notice: TurnFinishedNotice) -> None:
        self._turns += 1
        match notice.outcome:
            case TurnFailed(message):
                self._print({"type": "turn", "outcome": "failed", "message": message})
            case TurnCancelled(reason):
                self._print({"type": "turn", "outcome": "cancelled", "message": reason})
            case _:
                self._print({"type": "turn", "outcome": "completed", "message": None})

    def _print(self, value: dict[str, Any]) -> None:
        write_json(value, self._stream)
        self._stream.flush()
