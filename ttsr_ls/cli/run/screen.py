"""Prints the progress of `ttsr-ls run`: the agent's text on standard output, everything else on standard error."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from ttsr_ls.bridge.control.running import RunResult
from ttsr_ls.bridge.control.views import (
    AgentAwaited,
    AgentInterrupted,
    AgentLimit,
    AgentTrouble,
    CallFailedShown,
    CallRanAnyway,
    CallShown,
    ProseShown,
    RulesInjected,
    RunView,
    StopRequested,
)
from ttsr_ls.bridge.watch.notices import (
    SuppressedTriggerNotice,
    TriggerNotice,
    TurnFinishedNotice,
    UnloggedTriggerNotice,
)
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import TextStyle, one_line, palette_for, printable
from ttsr_ls.cli.proxy.notice_text import unprotected_notice
from ttsr_ls.cli.watch.log_messages import not_recorded_message
from ttsr_ls.cli.watch.trigger_report import TriggerReport, TriggerWording
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import TurnCancelled, TurnFailed
from ttsr_ls.session.rules.rule_problems import problem_line
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.text import truncate

_MAX_LENGTH = 110
_ENFORCED = TriggerWording("fired on", "fired on", "Breaks the rule, which says:")

_STEPS = {
    "": "it is starting",
    "models": "it is loading its models",
    "initialize": "it is starting",
    "ready": "it is starting",
    "get_state": "it is starting",
    "session": "it opens a session",
    "thread/start": "it opens a session",
}
"""The meaning of steps that an agent takes long for, by their names in its protocol."""


class RunScreen:
    """Prints to `out`, which gets the text of the agent and nothing else, and to `err`.

    `started` is in milliseconds since the Unix epoch.
    """

    def __init__(self, out: TextIO, err: TextIO, cwd: Path, started_at: int) -> None:
        self._out = out
        self._err = err
        self._palette = palette_for(err)
        self._report = TriggerReport(err, started_at, cwd, _ENFORCED)
        self._interrupts = 0
        self._triggers = self._suppressed = 0
        self._at_margin = True
        self._title = "the agent"
        self._is_stopping = False
        """The user stopped the agent; its further text is not shown."""

    def begin(self, title: str, rules: RulesByDialect, log: Path | None, limits: tuple[str, ...]) -> None:
        """Prints the agent, the rules, and the limits of this agent."""
        self._title = title
        place = "no session log" if log is None else f"session log {log}"
        self._note(f"Running {title} with {count(len(rules.rules), 'rule')}, {place}", TextStyle.FAINT)
        if not rules.rules:
            self._note(f"{title}: {unprotected_notice(title)}.", TextStyle.WARNING)
        for sentence in limits:
            self._note(f"{title}: {sentence}", TextStyle.FAINT)
        for problem in rules.problems:
            self._report.warn(problem_line(problem))

    def show(self, view: RunView) -> None:
        """Prints a view immediately."""
        match view:
            case ProseShown(source, text):
                if source is Source.TEXT and not self._is_stopping:
                    write_line(printable(text), self._out, end="", flush=True)
                    self._at_margin = text.endswith("\n")
            case CallShown():
                display = f"{view.tool} {view.subject}".strip()
                incomplete = " (incomplete, not run)" if view.is_incomplete else ""
                self._note(f"* {_shorten(display)}{incomplete}", TextStyle.INFO)
            case CallFailedShown():
                self._note(f"  {_shorten(view.text or 'refused; it did not run')}", TextStyle.WARNING)
            case AgentInterrupted():
                self._interrupts += 1
                self._note(f"! {_names(view.rules)}: {_consequence(view)}", TextStyle.ERROR)
            case RulesInjected():
                self._note(f"! Injected {_names(view.rules)}; the agent continues.", TextStyle.ERROR)
            case CallRanAnyway():
                outcome = "could not be prevented: it ran. The agent is asked to correct it."
                self._note(f"! The call of {view.tool} {outcome}", TextStyle.ERROR)
            case AgentTrouble():
                self._note(f"! {view.message}", TextStyle.ERROR)
            case AgentLimit():
                self._note(f"{self._title}: {view.message}", TextStyle.FAINT)
            case AgentAwaited(step):
                state = _STEPS.get(step, f"it has not answered `{one_line(step)}`")
                self._note(f"Waiting for {self._title}: {state} …", TextStyle.FAINT)
            case StopRequested():
                self._is_stopping = True
                self._note("The agent is asked to stop. Press Ctrl-C again to end it at once.", TextStyle.WARNING)
            case TurnFinishedNotice():
                self._turn_finished(view)
            case SuppressedTriggerNotice():
                self._suppressed += 1
                self._margin()
                self._report.show([view])
            case _:
                self._triggers += isinstance(view, TriggerNotice | UnloggedTriggerNotice)
                self._margin()
                self._report.show([view])

    def show_rules(self, view: RunView) -> None:
        """Prints a view at once, unless it is a part of the agent's output."""
        if not isinstance(view, ProseShown | CallShown | CallFailedShown):
            self.show(view)

    def agent_ended(self, status: int, last_errors: str) -> None:
        """Prints how the agent ended, unless it succeeded."""
        for line in last_errors.splitlines()[-5:]:
            self._note(f"  {_shorten(line)}", TextStyle.FAINT)
        self._note(f"  The agent's exit status is {status}.", TextStyle.FAINT)

    def report_not_recorded(self, reason: str) -> None:
        """Prints that the session is not recorded."""
        self._report.warn(not_recorded_message(reason))

    def end(self, result: RunResult) -> None:
        """Prints how the run ended."""
        if result.failure is not None:
            self._note(f"! {result.failure}", TextStyle.ERROR)
            if result.status:
                self.agent_ended(result.status, result.stderr_tail)
        if result.was_stopped:
            self._note("Stopped.", TextStyle.WARNING)
        fired_rule = count(self._triggers, "trigger") if self._triggers else "No triggers"
        suppressed = f", {count(self._suppressed, 'suppressed trigger')}" if self._suppressed else ""
        self._note(f"{fired_rule}, {count(self._interrupts, 'interrupt')}{suppressed}.", TextStyle.STRONG)

    def _turn_finished(self, notice: TurnFinishedNotice) -> None:
        match notice.outcome:
            case TurnFailed(message):
                self._note(f"! The turn failed: {_shorten(message)}", TextStyle.ERROR)
            case TurnCancelled(reason):
                self._note(f"! The turn was cancelled: {_shorten(reason)}", TextStyle.WARNING)
            case _:
                self._margin()

    def _note(self, text: str, style: TextStyle) -> None:
        self._margin()
        write_line(self._palette.paint(one_line(text), style), self._err, flush=True)

    def _margin(self) -> None:
        if not self._at_margin:
            write_line("", self._out, flush=True)
            self._at_margin = True


def _names(rules: tuple[str, ...]) -> str:
    return ", ".join(map(one_line, rules))


def _consequence(view: AgentInterrupted) -> str:
    if view.call_runs:
        return "the call already runs; the rule is injected immediately"
    return "the answer is interrupted and discarded" if view.is_discarded else "the answer is interrupted"


def _shorten(text: str) -> str:
    return truncate(one_line(text), _MAX_LENGTH)
