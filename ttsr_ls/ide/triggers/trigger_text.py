"""Triggers in words. Messages are one line without control characters, whatever the model wrote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import assert_never

from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_outcome import TriggerOutcome
from ttsr_ls.matching.excerpt import LEADING_CONTEXT, MAX_EXCERPT
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import RuleTriggered

_LINE_ENDS = re.compile(r"[ \t]*(?:\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029])\s*")
_BLANKS = re.compile(r"\s+")
_MAX_NAMED = 3
_MAX_BEFORE = 40
_MAX_SHOWN = 120
"""The most characters of an excerpt in a message before the match, and from the match on."""
_LINE_END = "↵"


NOT_RUN = "did not run"


def outcome_word(trigger: LiveTrigger) -> str | None:
    """The outcome of a trigger as every view names it; None while it is not known."""
    match trigger.outcome:
        case None | TriggerOutcome.PENDING:
            return None
        case TriggerOutcome.DONE:
            return f"would have been {'interrupted' if trigger.event.interrupts else 'reminded'}"
        case TriggerOutcome.REMINDED:
            return "reminded"
        case TriggerOutcome.STOPPED:
            return "interrupted"
        case TriggerOutcome.NOT_RUN:
            return NOT_RUN
        case TriggerOutcome.DENIED:
            return "denied"
    assert_never(trigger.outcome)


def outcome_clause(trigger: LiveTrigger) -> str:
    """The outcome as the end of a sentence about the trigger; empty while it is not known."""
    word = outcome_word(trigger)
    match trigger.outcome:
        case None | TriggerOutcome.PENDING:
            return ""
        case TriggerOutcome.DONE:
            return f", which {word}" if trigger.event.interrupts else f", and the agent {word}"
        case TriggerOutcome.REMINDED:
            return f", and the agent was {word}"
        case TriggerOutcome.NOT_RUN:
            return f", which {word}"
        case TriggerOutcome.STOPPED | TriggerOutcome.DENIED:
            return f", which was {word}"
    assert_never(trigger.outcome)


def notification_of_trigger(trigger: LiveTrigger) -> str:
    """One line for a notification: which rule fired on what, and the outcome as far as it is known."""
    surface = trigger_surface(trigger)
    if trigger.outcome is TriggerOutcome.DENIED:
        fired = f"denied {surface}"
    else:
        fired = f"fired on {surface}{outcome_clause(trigger)}"
    return f"TTSR: rule '{trigger.event.rule}' {fired}: {quoted_excerpt(trigger.event)}"


def notification_of_triggers(triggers: Sequence[LiveTrigger]) -> str:
    """One line for a notification about triggers that came soon after each other, of which there is at least one."""
    if len(triggers) == 1:
        return notification_of_trigger(triggers[0])
    times = Counter((trigger.event.rule, trigger.rule_path) for trigger in triggers).most_common()
    rules_of_name = Counter(rule for (rule, _), _ in times)
    # A fourth name is as short as "and 1 other rules".
    shown = _MAX_NAMED + 1 if len(times) == _MAX_NAMED + 1 else _MAX_NAMED
    names = [
        f"'{rule}'{_folder(path) if rules_of_name[rule] > 1 else ''} {'once' if count == 1 else f'{count} times'}"
        for (rule, path), count in times[:shown]
    ]
    details = f", and {len(times) - shown} other rules" if len(times) > shown else ""
    last = f"{trigger_surface(triggers[-1])}: {quoted_excerpt(triggers[-1].event)}"
    return f"TTSR: {len(triggers)} triggers: {', '.join(names)}{details}; the last one on {last}"


def _folder(path: str) -> str:
    """The end of a rule's folder, which tells rules of one name apart."""
    return f" in {_one_line('/'.join(PurePath(path).parts[-3:-1]))}"


def trigger_surface(trigger: LiveTrigger) -> str:
    """Describes in a few words the output on which a rule fired."""
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


def quoted_excerpt(event: RuleTriggered) -> str:
    """The text on which a rule fired, with the words before it on its line, cut between words.

    It is one line; `↵` stands for the line ends within the match.
    """
    excerpt = event.excerpt
    # A damaged log may have excerpts that are longer than the limit, and many of them.
    before, is_line_start = _rest_of_line(excerpt.text[max(0, excerpt.start - MAX_EXCERPT) : excerpt.start])
    rest = with_visible_line_ends(excerpt.text[excerpt.start : excerpt.start + MAX_EXCERPT])
    # The excerpt itself was truncated at these limits, perhaps within a word.
    is_cut = (excerpt.start >= LEADING_CONTEXT and not is_line_start) or len(before) > _MAX_BEFORE
    goes_on = len(excerpt.text) >= MAX_EXCERPT or len(rest) > _MAX_SHOWN
    display = f"{_last_words(before) if is_cut else before}{_first_words(rest) if goes_on else rest}"
    return f"“{' '.join(display.split())}”"


def with_visible_line_ends(text: str) -> str:
    """A text as one printable line, in which `↵` stands for its line ends; those around it are left out."""
    return _printable(_LINE_ENDS.sub(f" {_LINE_END} ", text.strip("\r\n")))


def _rest_of_line(text: str) -> tuple[str, bool]:
    """The last line of a text, and whether there is a line before it."""
    *earlier, last = _LINE_ENDS.split(text)
    return _printable(last), bool(earlier)


def _last_words(text: str) -> str:
    """The end of a text, from the beginning of a word on."""
    end = text[-_MAX_BEFORE:]
    _, blank, words = end.partition(" ")
    return f"…{blank}{words}"


def _first_words(text: str) -> str:
    """The beginning of a text, up to the end of a word; a longer word is truncated."""
    words, _, _ = text[:_MAX_SHOWN].rpartition(" ")
    return f"{words.rstrip() or text[: _MAX_SHOWN - 1]} …"


def _one_line(text: str) -> str:
    return " ".join(_printable(text).split())


def _printable(text: str) -> str:
    """A text without line ends and control characters: the text of a model must not format messages."""
    return _BLANKS.sub(" ", "".join(char if char.isprintable() else " " for char in text))
