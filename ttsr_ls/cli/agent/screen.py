"""Prints the progress of `ttsr-ls agent`: the model's text as it streams, tool calls, and the effects of rules.

The model's text begins at the margin; all other lines are marked or indented. Text of models, tools, and rules is
escaped before it is printed.
"""

from __future__ import annotations

import json
from typing import TextIO, assert_never

from ttsr_ls.agent.view import (
    HistoryShortened,
    ModelText,
    ModelThought,
    NoticeShown,
    ToolCalled,
    ToolReturned,
    TroubleReported,
    ViewEvent,
)
from ttsr_ls.bridge.host.events import (
    AnswerInterrupted,
    CallDenied,
    CallInputChanged,
    FeatureDisabled,
    LimitReached,
    LogFailed,
    LogIncomplete,
    LogRecovered,
    ReminderInjected,
    RequestRetried,
    RuleReloadFailed,
    RulesDeferred,
    RulesReloaded,
    RulesTriggered,
    TextInjected,
    TurnFinished,
    WarningInjected,
)
from ttsr_ls.bridge.watch.limit_messages import WHY_STREAM_DISABLED
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import TextStyle, one_line, palette_for, printable
from ttsr_ls.cli.watch import log_messages
from ttsr_ls.cli.watch.trigger_report import SUPPRESSED
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.request_limits import LimitKind, RequestLimitReached
from ttsr_ls.session.history.turn import InterruptedByRules, InterruptedByUser
from ttsr_ls.session.history.turn_events import (
    ConditionTooSlow,
    RuleTriggered,
    StreamMatchingEnded,
    TriggersSuppressed,
    TurnCancelled,
    TurnFailed,
)
from ttsr_ls.text import truncate

_MAX_LENGTH = 100
_MAX_SHOWN_LINES = 5
_SHOWN_ARGUMENTS = ("path", "command", "subject", "taskId")


class Screen:
    """Prints on `stream`. `is_whole`: injected texts are shown in full, and not only the names of their rules."""

    def __init__(self, stream: TextIO, *, is_whole: bool) -> None:
        self._stream = stream
        self._palette = palette_for(stream)
        self._whole = is_whole
        self._at_margin = True
        self._thinking = False
        self._trouble = ""
        """The last error that was shown. A turn that fails with the same message does not repeat it."""
        self._held: list[str] = []
        """Output that waits for the end of the line that the model is writing."""

    def prompt(self, text: str) -> None:
        """Prints a prompt that was not typed in this terminal."""
        for line in text.splitlines() or [""]:
            self._line(self._palette.paint(f"> {printable(line)}", TextStyle.STRONG))

    def show(self, view: ViewEvent) -> None:
        """Prints an event of the session immediately."""
        match view:
            case ModelText():
                self._flow(view.text, thinking=False)
            case ModelThought():
                self._flow(view.text, thinking=True)
            case ToolCalled():
                self._line(f"{self._palette.paint('*', TextStyle.INFO)} {one_line(view.tool)}{_arguments(view)}")
            case ToolReturned():
                style = TextStyle.WARNING if view.failed else TextStyle.FAINT
                self._block(view.text, _MAX_SHOWN_LINES, style)
            case TroubleReported():
                self._trouble = view.message
                self._note(view.message, TextStyle.ERROR)
            case NoticeShown():
                self._note(view.message, TextStyle.FAINT)
            case HistoryShortened():
                self._note("The history is compacted. The model gets this summary:", TextStyle.FAINT)
                self._block(view.summary, None if self._whole else _MAX_SHOWN_LINES, TextStyle.FAINT)
            case RulesTriggered():
                for trigger in view.triggers:
                    self._triggered(trigger)
            case ConditionTooSlow():
                notice = f"A condition of {one_line(view.rule)} takes too long and is disabled."
                self._note(notice, TextStyle.WARNING)
            case StreamMatchingEnded():
                self._note(f"The stream {one_line(view.stream)} {WHY_STREAM_DISABLED}", TextStyle.WARNING)
            case TriggersSuppressed():
                for rule in view.rules:
                    notice = f"{rule.triggers} × {one_line(rule.rule)} suppressed: {SUPPRESSED[rule.reason]}"
                    self._note(notice, TextStyle.FAINT)
            case RulesReloaded():
                self._note(view.changes.summary, TextStyle.FAINT)
                for problem in view.problems:
                    self._note(problem, TextStyle.WARNING)
            case RuleReloadFailed():
                self._note(f"Rules changed and cannot be read: {view.reason}", TextStyle.ERROR)
            case AnswerInterrupted():
                self._note(_interrupted(view), TextStyle.ERROR)
            case RulesDeferred():
                self._aside(f"Injected after the answer: {_names(view.rules)}.", TextStyle.WARNING)
            case TextInjected():
                self._show_text("Injected into the conversation", view.rules, view.text)
            case WarningInjected():
                self._note(f"The judge finds that this breaks {_names(view.rules)}.", TextStyle.WARNING)
                self._show_text("Injected into the conversation", view.rules, view.text)
            case ReminderInjected():
                self._show_text("Added to the result of the call", view.rules, view.text)
            case CallDenied():
                self._note(f"{_shorten(one_line(view.feature))} did not let a tool call run.", TextStyle.WARNING)
                self._show_text("Its result for the model", (), view.text)
            case CallInputChanged():
                display = view.arguments if self._whole else _shorten(view.arguments)
                notice = f"{_shorten(one_line(view.feature))} changed the input of a tool call to {one_line(display)}"
                self._note(notice, TextStyle.WARNING)
            case RequestRetried():
                self._note("The model is asked again.", TextStyle.FAINT)
            case LimitReached():
                self._note(_limit_reached(view.event), TextStyle.WARNING)
            case TurnFinished():
                self._turn_finished(view)
            case LogFailed():
                self._note(log_messages.rules_disabled_message(view.reason), TextStyle.ERROR)
            case LogRecovered():
                self._note(log_messages.RULES_ENABLED, TextStyle.GOOD)
            case LogIncomplete():
                self._note(log_messages.lost_records_message(view.lost), TextStyle.ERROR)
            case FeatureDisabled():
                self._note(view.reason, TextStyle.ERROR)
            case _:
                assert_never(view)

    def note(self, text: str) -> None:
        """Prints a message of this program on a line."""
        self._note(text, TextStyle.FAINT)

    def ask(self, question: str) -> None:
        """Prints a question; the answer is typed behind it."""
        self._break()
        write_line(
            self._palette.paint(f"{one_line(question)} ", TextStyle.STRONG), end="", stream=self._stream, flush=True
        )

    def answered(self) -> None:
        """Marks the line of the question as ended by the user's answer."""
        self._at_margin = True

    def _flow(self, text: str, *, thinking: bool) -> None:
        if thinking is not self._thinking:
            self._break()
            self._thinking = thinking
        style = TextStyle.FAINT if thinking else None
        for line in text.splitlines(keepends=True):
            display = printable(line.rstrip("\r\n"))
            if self._at_margin and thinking and display:
                display = f"~ {display}"
            ending = "\n" if line.endswith(("\n", "\r")) else ""
            write_line(
                self._palette.paint(display, style) if style else display, end=ending, stream=self._stream, flush=True
            )
            self._at_margin = bool(ending) or (self._at_margin and not display)
            if ending:
                self._break()

    def _triggered(self, event: RuleTriggered) -> None:
        excerpt = event.excerpt
        match = _shorten(one_line(excerpt.text[excerpt.start : excerpt.end].strip()))
        write = self._note if event.interrupts else self._aside
        write(f"{event.rule} fires on {event.tool or event.source}: »{match}«", TextStyle.WARNING)

    def _show_text(self, intro: str, rules: tuple[str, ...], text: str) -> None:
        if rules and not self._whole:
            self._note(f"{intro}: {_names(rules)}.", TextStyle.FAINT)
            return
        self._note(f"{intro}:", TextStyle.FAINT)
        self._block(text, None if self._whole else _MAX_SHOWN_LINES, TextStyle.FAINT)

    def _turn_finished(self, event: TurnFinished) -> None:
        self._break()
        match event.outcome:
            case TurnFailed(message):
                cause = "." if message == self._trouble else f": {message}"
                self._note(f"The turn failed{cause}", TextStyle.ERROR)
            case TurnCancelled(reason):
                self._note(f"The turn was cancelled: {reason}", TextStyle.WARNING)
            case _:
                pass

    def _note(self, text: str, style: TextStyle) -> None:
        self._line(self._palette.paint(f"-- {one_line(text)}", style))

    def _aside(self, text: str, style: TextStyle) -> None:
        """Prints a note after the line that the model is writing."""
        if self._at_margin:
            self._note(text, style)
        else:
            self._held.append(self._palette.paint(f"-- {one_line(text)}", style))

    def _block(self, text: str, limit: int | None, style: TextStyle) -> None:
        lines = text.splitlines()
        labels = lines if limit is None or len(lines) <= limit else lines[: limit - 1]
        for line in labels:
            full_text = printable(line)
            self._line(self._palette.paint(f"   {full_text if limit is None else _shorten(full_text)}".rstrip(), style))
        if len(labels) < len(lines):
            self._line(self._palette.paint(f"   ({len(lines) - len(labels)} more lines)", style))

    def _line(self, text: str) -> None:
        self._break()
        write_line(text, stream=self._stream, flush=True)

    def _break(self) -> None:
        if not self._at_margin:
            write_line(stream=self._stream)
            self._at_margin = True
        buffer, self._held = self._held, []
        for text in buffer:
            write_line(text, stream=self._stream, flush=True)


def _arguments(called: ToolCalled) -> str:
    """The argument that identifies a call for the user, such as its path."""
    try:
        arguments = json.loads(called.arguments)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(arguments, dict):
        return ""
    found = next((arguments[key] for key in _SHOWN_ARGUMENTS if isinstance(arguments.get(key), str)), "")
    return f" {_shorten(one_line(found))}" if found else ""


def _interrupted(view: AnswerInterrupted) -> str:
    match view.cause:
        case InterruptedByUser():
            return "You interrupted the answer."
        case InterruptedByRules(rules):
            context_note = (
                "It is removed from the model's context."
                if view.context is ContextMode.DISCARD
                else "It stays in the model's context."
            )
            return f"The answer is interrupted by {_names(rules)}. {context_note}"
    assert_never(view.cause)


def _limit_reached(event: RequestLimitReached) -> str:
    times = f"{event.requests} times in this turn"
    match event.limit:
        case LimitKind.RETRIES_PER_FEATURE:
            feature_name = one_line(event.feature or "")
            return f"{feature_name} retried the request {times}; until the turn ends, it only reports."
        case LimitKind.RETRIES:
            return f"Rules and features retried the request {times}; until the turn ends, they only report."
        case LimitKind.PAUSES:
            return f"The provider paused {times}; it is not asked to continue."
        case LimitKind.REQUESTS:
            return f"The model was asked {times}; the turn ends."
    assert_never(event.limit)


def _names(rules: tuple[str, ...]) -> str:
    return ", ".join(rules)


def _shorten(text: str) -> str:
    return truncate(text, _MAX_LENGTH)
