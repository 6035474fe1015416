"""Marks for triggers of a run: on the condition that fired, and on the file that it fired for.

Pure: the caller supplies the texts. Paths in triggers come from agents and logs; they are compared here, never opened.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.ide.triggers.target_location import TargetText
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_outcome import TriggerOutcome
from ttsr_ls.ide.triggers.trigger_text import outcome_clause, quoted_excerpt, trigger_surface
from ttsr_ls.lint.finding import Severity
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue
from ttsr_ls.text import Span

_MAX_RELATED = 10
_ONLY_WATCHED = "The run is only watched: otherwise the agent would have been interrupted."
_TRIGGER_KEYS = ("condition", "astCondition", "trigger", "ttsr_trigger", "ttsrTrigger")


class TriggerOccurrence(Struct, frozen=True):
    """One trigger of a rule as related information, at its target if there is one."""

    message: str
    trigger: LiveTrigger


TRIGGERED = "triggered"


class TriggerMark(Struct, frozen=True):
    """A mark of a run at `span` of a text; `code` says which kind."""

    code: str
    span: Span
    severity: Severity
    message: str
    occurrences: tuple[TriggerOccurrence, ...]
    trigger: LiveTrigger | None = None
    """The trigger of a mark on a file that the agent writes."""


def marks_on_rule(file: RuleFile, path: str, triggers: Iterable[LiveTrigger]) -> tuple[TriggerMark, ...]:
    """One mark for each condition of the rule in `file` that fired, the latest time in its message."""
    by_span: dict[Span, list[LiveTrigger]] = {}
    for trigger in triggers:
        if trigger.rule_path == path:
            by_span.setdefault(condition_span(file, trigger.event.condition), []).append(trigger)
    return tuple(
        TriggerMark(TRIGGERED, span, _severity(triggers), _fired_text(triggers), _occurrences(triggers))
        for span, triggers in by_span.items()
    )


def marks_on_target(text: TargetText, path: str, triggers: Iterable[LiveTrigger]) -> tuple[TriggerMark, ...]:
    """One mark for each trigger on the file at `path` whose text is still there."""
    return tuple(
        TriggerMark(TRIGGERED, span, _severity([trigger]), _target_text(trigger), (), trigger)
        for trigger in triggers
        if trigger.target_path == path and (span := text.span(trigger)) is not None
    )


def condition_span(file: RuleFile, text: str) -> Span:
    """The span of the condition with this text; if it was edited, the span of its key, else the start of the file."""
    for condition in (*file.fields.conditions, *file.fields.ast_conditions):
        if condition.value == text:
            return condition.span
    entries = () if file.frontmatter is None else tuple(map(file.frontmatter.entry, _TRIGGER_KEYS))
    for entry in entries:
        if entry is not None and isinstance(entry.value, ScalarValue) and entry.value.data == text:
            return entry.value.span
    return next((entry.key_span for entry in entries if entry is not None), Span(0, 0))


def _severity(triggers: list[LiveTrigger]) -> Severity:
    return Severity.WARNING if any(trigger.event.interrupts for trigger in triggers) else Severity.INFO


def _fired_text(triggers: list[LiveTrigger]) -> str:
    latest = triggers[-1].event
    times = "once in this run, on" if len(triggers) == 1 else f"{len(triggers)} times in this run, the last time on"
    outcome = "" if _was_only_watched(triggers[-1]) else outcome_clause(triggers[-1])
    text = f"Rule '{latest.rule}' fired {times} {trigger_surface(triggers[-1])}{outcome}: {quoted_excerpt(latest)}."
    return f"{text} {_ONLY_WATCHED}" if _was_only_watched(triggers[-1]) else text


def _target_text(trigger: LiveTrigger) -> str:
    event = trigger.event
    fired_rule = "denied" if trigger.outcome is TriggerOutcome.DENIED else "fired on"
    text = f"Rule '{event.rule}' {fired_rule} what the agent {_verb(trigger)} here: {quoted_excerpt(event)}."
    if trigger.outcome is not None and trigger.outcome.is_prevented:
        interrupted = "The answer was interrupted. " if trigger.outcome is TriggerOutcome.STOPPED else ""
        return f"{text} {interrupted}It was not written."
    if trigger.outcome is TriggerOutcome.REMINDED:
        return f"{text} The agent was reminded."
    return f"{text} {_ONLY_WATCHED}" if _was_only_watched(trigger) else text


def _was_only_watched(trigger: LiveTrigger) -> bool:
    """Returns whether the rule interrupts, but the agent was not interrupted because its run is only watched."""
    return trigger.event.interrupts and trigger.outcome is TriggerOutcome.DONE


def _occurrences(triggers: list[LiveTrigger]) -> tuple[TriggerOccurrence, ...]:
    newest_first = triggers[: -_MAX_RELATED - 1 : -1]
    return tuple(
        TriggerOccurrence(f"{trigger_surface(trigger)}: {quoted_excerpt(trigger.event)}", trigger)
        for trigger in newest_first
    )


def _verb(trigger: LiveTrigger) -> str:
    match trigger.outcome:
        case TriggerOutcome.DONE | TriggerOutcome.REMINDED:
            return "wrote"
        case TriggerOutcome.STOPPED | TriggerOutcome.NOT_RUN | TriggerOutcome.DENIED:
            return "was about to write"
        case _:
            return "is about to write" if trigger.event.interrupts else "writes"
