"""The report of `watch` and `demo`: each trigger as it happens, problems, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath
from typing import TextIO, assert_never

from msgspec import Struct

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
from ttsr_ls.cli.printing.output import is_quiet, write_line
from ttsr_ls.cli.printing.rule_labels import rule_labels
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, palette_for
from ttsr_ls.cli.watch import log_messages
from ttsr_ls.cli.watch.hook_denials import HookDenials
from ttsr_ls.cli.watch.observation import EMPTY_INPUT, NO_TURN
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.suppressed import Suppression
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    Excerpt,
    Extent,
    RuleTriggered,
    StreamMatchingEnded,
    TurnCancelled,
    TurnFailed,
)
from ttsr_ls.session.output.agent_events import AgentEvent
from ttsr_ls.text import truncate

_WIDTH = 80
"""The columns of the narrowest terminal that people use; paths alone may make a line longer."""

_INDENT = " " * 9
_MAX_CONTEXT_LENGTH = 40


class TriggerWording(Struct, frozen=True):
    """The words of a report for a trigger: its outcome if it interrupts and if it does not, between the rule and the
    stream, and the words before the message of the rule.
    """

    interrupts: str = "would interrupt"
    reminds: str = "would remind"
    message: str = "The agent would get:"


_DENIED = "denied by a hook"

SUPPRESSED = {
    Suppression.SILENCED: "it is silenced ('ttsr-ls quiet')",
    Suppression.TURN_CAP: "the limit of triggers in the turn is reached",
    Suppression.SESSION_CAP: "the limit of triggers in the session is reached",
}
"""Why a trigger is suppressed."""

WATCHED = TriggerWording()
"""The words for agents that are only watched."""


class TriggerReport:
    """Prints on `stream`; `started` is when the session began, in milliseconds since the epoch."""

    def __init__(self, stream: TextIO, started_at: int, cwd: PurePath, wording: TriggerWording = WATCHED) -> None:
        self._wording = wording
        self._stream = stream
        self._palette: Palette = palette_for(stream)
        self._started = started_at
        self._cwd = cwd
        self._fired: Counter[tuple[str, str]] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._suppressed: Counter[tuple[str, Suppression]] = Counter()
        self._denials = HookDenials()
        self._turns = 0

    def follow(self, events: Iterable[AgentEvent]) -> None:
        """Prints the calls with a trigger that a hook denied; prints no other events of the agent."""
        for trigger in self._denials.take_results(events):
            self._outcomes[self._outcome(trigger)] -= 1
            self._outcomes[_DENIED] += 1
            self.line(f"A hook denied the call of {trigger.tool} that {trigger.rule} fired on; it did not run.")

    def show(self, notices: Iterable[Notice]) -> None:
        """Prints notices at once."""
        for notice in notices:
            match notice:
                case SessionJoinedNotice():
                    self._cwd = PurePath(notice.cwd or self._cwd)
                case TriggerNotice():
                    self._trigger(notice.event, notice.rule, notice.time)
                case UnloggedTriggerNotice():
                    self._trigger(notice.event, notice.rule, notice.time)
                    self._warn_of_log(f"this trigger is not in the session log: {notice.reason}")
                case SuppressedTriggerNotice():
                    self._suppressed_trigger(notice.rule.name, notice.reason)
                case LogFailedNotice():
                    self._warn_of_log(log_messages.recording_stopped_message(notice.reason))
                case LogRecoveredNotice():
                    self._warn_of_log(f"it works again; {count(notice.lost, 'record')} could not be written")
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
        if is_quiet():
            return
        write_line(self._palette.paint(one_line(text), TextStyle.FAINT), stream=self._stream, flush=True)

    def report_not_recorded(self, reason: str) -> None:
        """Reports that the session is not recorded."""
        self._warn_of_log(log_messages.not_recorded_message(reason))

    def report_unwritten_records(self, records: int) -> None:
        """Reports how many records could not be written, if any."""
        if records:
            write_line(one_line(log_messages.lost_records_message(records)), stream=self._stream, flush=True)

    def summary(self, now: int, *, is_input_empty: bool = False) -> None:
        """Prints the summary."""
        if is_quiet():
            return
        total = self._fired.total()
        seconds = (now - self._started) / 1000
        totals = f"{count(total, 'trigger')} of {count(len(self._fired), 'rule')}" if total else "No triggers"
        outcomes = ", ".join(f"{times} {outcome}" for outcome, times in self._outcomes.items() if times)
        text = f"{totals} in {count(self._turns, 'turn')}, {seconds:.1f} s{f': {outcomes}' if outcomes else ''}."
        write_line(self._palette.paint(text, TextStyle.STRONG), stream=self._stream)
        rules = sorted(self._fired, key=lambda rule: (-self._fired[rule], rule))
        for rule, label in zip(rules, rule_labels(rules), strict=True):
            write_line(f"  {self._fired[rule]:>4} × {one_line(label)}", stream=self._stream)
        for (name, reason), times in sorted(self._suppressed.items()):
            write_line(f"  {times:>4} × {one_line(name)} suppressed: {SUPPRESSED[reason]}", stream=self._stream)
        if is_input_empty:
            self.warn(EMPTY_INPUT)
        elif not self._turns:
            self.warn(NO_TURN)
        self._stream.flush()

    def close(self) -> None:
        """Ends the report."""

    def _trigger(self, event: RuleTriggered, rule: Rule, time: int) -> None:
        self._fired[rule.name, str(rule.profile.id)] += 1
        colour = TextStyle.ERROR if event.interrupts else TextStyle.WARNING
        name = self._palette.paint(one_line(rule.name), colour)
        elapsed = self._palette.paint(_elapsed(time - self._started), TextStyle.FAINT)
        is_denied = self._denials.is_denied(event)
        outcome = "fired, and a hook denied" if is_denied else self._outcome(event)
        self._outcomes[_DENIED if is_denied else outcome] += 1
        write_line(f"{elapsed}  {name} {outcome} {one_line(self._surface(event))}", stream=self._stream)
        write_line(f"{_INDENT}{self._marked(event.excerpt)}", stream=self._stream)
        message = "The agent got:" if is_denied else self._wording.message
        first = next((line for line in rule.body.splitlines() if line.strip()), "")
        line = self._palette.paint(_shorten(f"{message} {one_line(first)}"), TextStyle.FAINT)
        write_line(f"{_INDENT}{line}", stream=self._stream, flush=True)

    def _outcome(self, event: RuleTriggered) -> str:
        return self._wording.interrupts if event.interrupts else self._wording.reminds

    def _suppressed_trigger(self, rule: str, reason: Suppression) -> None:
        """Prints the first suppressed trigger of a rule; the summary has the number."""
        self._suppressed[rule, reason] += 1
        if self._suppressed[rule, reason] == 1:
            self.line(f"{rule} fired and is suppressed: {SUPPRESSED[reason]}.")

    def _surface(self, event: RuleTriggered) -> str:
        agent_suffix = "" if event.agent == MAIN_AGENT else " of a subagent"
        match event.source:
            case Source.TEXT:
                return f"text{agent_suffix}"
            case Source.THINKING:
                return f"thinking{agent_suffix}"
            case Source.TOOL:
                if event.target is None:
                    return f"{event.tool}{agent_suffix}"
                display = _shown_path(event.target.path, self._cwd)
                start = event.target.start if event.target.extent is Extent.WHOLE else event.target.in_file
                line = "" if start is None else f", line {start.line + 1}"
                return f"{event.tool}{agent_suffix} of {display}{line}"
        assert_never(event.source)

    def _marked(self, excerpt: Excerpt) -> str:
        """The line on which the match begins, as far as the excerpt has it, with the match marked."""
        before = excerpt.text[: excerpt.start]
        before = one_line(before[before.rfind("\n") + 1 :].lstrip())
        before = before if len(before) <= _MAX_CONTEXT_LENGTH else f"…{before[-_MAX_CONTEXT_LENGTH:].lstrip()}"
        room = _WIDTH - len(_INDENT) - len(before) - len("»«")
        match = _shorten(one_line(excerpt.text[excerpt.start : excerpt.end].strip()), room)
        styled = self._palette.paint(match, TextStyle.STRONG)
        marked_text = styled if styled != match else f"»{match}«"
        return f"{before}{marked_text}"

    def _turn_finished(self, notice: TurnFinishedNotice) -> None:
        self._turns += 1
        match notice.outcome:
            case TurnFailed(message):
                self.line(f"The turn failed: {_shorten(message)}")
            case TurnCancelled(reason):
                self.line(f"The turn was cancelled: {_shorten(reason)}")
            case _:
                pass

    def _warn_of_log(self, text: str) -> None:
        label = self._palette.paint("SESSION LOG:", TextStyle.ERROR)
        write_line(f"{label} {one_line(text)}", stream=self._stream, flush=True)

    def warn(self, text: str) -> None:
        """Prints a warning."""
        label = self._palette.paint("warning:", TextStyle.WARNING)
        write_line(f"{label} {one_line(text)}", stream=self._stream, flush=True)


def _elapsed(milliseconds: int) -> str:
    minutes, rest = divmod(max(milliseconds, 0), 60_000)
    return f"{minutes:>2}:{rest / 1000:04.1f}"


def _shown_path(path: str, cwd: PurePath) -> str:
    try:
        return PurePath(path).relative_to(cwd).as_posix()
    except ValueError:
        return path


def _shorten(text: str, limit: int = _WIDTH - len(_INDENT)) -> str:
    return truncate(text, max(limit, 20))
