"""Triggers of a run as something to show: on the condition that fired, and on the file that it fired for.

Pure: the texts are handed in. Paths in triggers come from agents and logs and are compared, never opened, here.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.lint.finding import Severity
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import Extent, RuleTriggered, Target
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue
from ttsr_ls.text import LineIndex, Position, Span

_MOST_RELATED = 10
_TRIGGER_KEYS = ("condition", "astCondition", "trigger", "ttsr_trigger", "ttsrTrigger")


class TriggerOccurrence(Struct, frozen=True):
    """One time that a rule fired, told as related information: on `trigger`'s target where there is one."""

    message: str
    trigger: LiveTrigger


TRIGGERED = "triggered"


class TriggerMark(Struct, frozen=True):
    """Something of a run to show at `span` of a text; `code` says of what kind."""

    code: str
    span: Span
    severity: Severity
    message: str
    occurrences: tuple[TriggerOccurrence, ...]


def on_rule(file: RuleFile, path: str, triggers: Iterable[LiveTrigger]) -> tuple[TriggerMark, ...]:
    """One mark for each condition of the rule in `file` that fired, the latest time in its message."""
    by_span: dict[Span, list[LiveTrigger]] = {}
    for trigger in triggers:
        if trigger.rule_path == path:
            by_span.setdefault(condition_span(file, trigger.event.condition), []).append(trigger)
    return tuple(
        TriggerMark(TRIGGERED, span, _severity(fired), _fired_text(fired), _occurrences(fired))
        for span, fired in by_span.items()
    )


def on_target(index: LineIndex, path: str, triggers: Iterable[LiveTrigger]) -> tuple[TriggerMark, ...]:
    """One mark for each time that a rule fired for the file at `path`, whose text `index` is of."""
    return tuple(
        TriggerMark(
            TRIGGERED,
            target_span(index, trigger.event.target),
            _severity([trigger]),
            _target_text(trigger.event),
            (),
        )
        for trigger in triggers
        if trigger.target_path == path and trigger.event.target is not None
    )


def target_span(index: LineIndex, target: Target) -> Span:
    """Where in a text the match of a target is; the start of the text where the text does not have it.

    The text may be older than the call (it was cut off) or newer (somebody went on), so the line itself is looked for.
    """
    wanted = target.first_line
    if target.extent is Extent.WHOLE:
        line = index.line_span(target.start.line)
        if index.text[line.start : line.end].startswith(wanted):
            return Span(index.offset(target.start), index.offset(target.end))
    found = index.text.find(wanted) if wanted.strip() else -1
    if found < 0:
        return Span(0, 0)
    # The line may stand further in than it was written; what counts is where in the line the match is.
    inside = LineIndex(wanted)
    start = inside.offset(Position(0, target.start.character))
    on_one_line = target.end.line == target.start.line
    end = inside.offset(Position(0, target.end.character)) if on_one_line else len(wanted)
    return Span(found + start, found + max(start, end))


def trigger_text(trigger: LiveTrigger) -> str:
    """One line for a notification: which rule fired on what."""
    return f"TTSR: rule '{trigger.event.rule}' fired on {trigger_surface(trigger)}: {_quoted(trigger.event)}"


def condition_span(file: RuleFile, text: str) -> Span:
    """The condition with this text, as the file is now; its key where it was edited away, else the file's start."""
    for condition in (*file.fields.conditions, *file.fields.ast_conditions):
        if condition.value == text:
            return condition.span
    entries = () if file.frontmatter is None else tuple(map(file.frontmatter.entry, _TRIGGER_KEYS))
    for entry in entries:
        if entry is not None and isinstance(entry.value, ScalarValue) and entry.value.data == text:
            return entry.value.span
    return next((entry.key_span for entry in entries if entry is not None), Span(0, 0))


def _severity(fired: list[LiveTrigger]) -> Severity:
    return Severity.WARNING if any(trigger.event.interrupts for trigger in fired) else Severity.INFO


def _fired_text(fired: list[LiveTrigger]) -> str:
    latest = fired[-1].event
    times = "once" if len(fired) == 1 else f"{len(fired)} times, lastly"
    return f"Rule '{latest.rule}' fired {times} in this run, on {trigger_surface(fired[-1])}: {_quoted(latest)}."


def _target_text(event: RuleTriggered) -> str:
    return f"Rule '{event.rule}' fired on what the agent {_verb(event)} here: {_quoted(event)}."


def _occurrences(fired: list[LiveTrigger]) -> tuple[TriggerOccurrence, ...]:
    newest_first = fired[: -_MOST_RELATED - 1 : -1]
    return tuple(TriggerOccurrence(f"{trigger_surface(one)}: {_quoted(one.event)}", one) for one in newest_first)


def trigger_surface(trigger: LiveTrigger) -> str:
    """On what a rule fired, in a few words."""
    match trigger.event.source:
        case Source.TEXT:
            return "the agent's text"
        case Source.THINKING:
            return "the agent's thinking"
        case Source.TOOL:
            tool = trigger.event.tool or "tool"
            return (
                f"a call of {tool}" if trigger.shown_target is None else f"{tool} of {_one_line(trigger.shown_target)}"
            )


def _verb(event: RuleTriggered) -> str:
    return "was about to write" if event.interrupts else "writes"


def _quoted(event: RuleTriggered) -> str:
    return f"“{_one_line(event.excerpt.text)}”"


def _one_line(text: str) -> str:
    """An excerpt holds whatever a model wrote: line ends and control characters must not shape the message."""
    return "".join(char if char.isprintable() else " " for char in " ".join(text.split()))
