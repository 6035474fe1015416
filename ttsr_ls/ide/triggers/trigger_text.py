"""Triggers in words. What a model wrote cannot shape a message: it is one line without control characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.matching.excerpt import LEADING_CONTEXT, MAX_EXCERPT
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import RuleTriggered

_BLANKS = re.compile(r"\s+")
_MAX_NAMED = 3
_MAX_BEFORE = 40
_MAX_SHOWN = 120
"""How many characters of an excerpt a message has before the match, and from the match on."""


def notification_of_trigger(trigger: LiveTrigger) -> str:
    """One line for a notification: which rule fired on what."""
    return f"TTSR: rule '{trigger.event.rule}' fired on {trigger_surface(trigger)}: {quoted_excerpt(trigger.event)}"


def notification_of_triggers(triggers: Sequence[LiveTrigger]) -> str:
    """One line for a notification about triggers that came soon after each other, of which there is at least one."""
    if len(triggers) == 1:
        return notification_of_trigger(triggers[0])
    times = Counter(trigger.event.rule for trigger in triggers).most_common()
    # One more name is as short as its number.
    shown = _MAX_NAMED + 1 if len(times) == _MAX_NAMED + 1 else _MAX_NAMED
    names = [f"'{rule}' {'once' if count == 1 else f'{count} times'}" for rule, count in times[:shown]]
    details = f", and {len(times) - shown} other rules" if len(times) > shown else ""
    last = f"{trigger_surface(triggers[-1])}: {quoted_excerpt(triggers[-1].event)}"
    return f"TTSR: {len(triggers)} triggers: {', '.join(names)}{details}; the last one on {last}"


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
    """The text on which a rule fired, on one line, with a few words before it; it is cut between words."""
    excerpt = event.excerpt
    # A log may hold longer excerpts than any that was made, and many of them.
    before = _printable(excerpt.text[max(0, excerpt.start - MAX_EXCERPT) : excerpt.start])
    rest = _printable(excerpt.text[excerpt.start : excerpt.start + MAX_EXCERPT])
    # The excerpt itself begins after so many characters, and ends after so many, wherever that is.
    is_cut = excerpt.start >= LEADING_CONTEXT or len(before) > _MAX_BEFORE
    goes_on = len(excerpt.text) >= MAX_EXCERPT or len(rest) > _MAX_SHOWN
    display = f"{_last_words(before) if is_cut else before}{_first_words(rest) if goes_on else rest}"
    return f"“{' '.join(display.split())}”"


def _last_words(text: str) -> str:
    """The end of a text, from the beginning of a word on."""
    end = text[-_MAX_BEFORE:]
    _, blank, words = end.partition(" ")
    return f"…{blank}{words}"


def _first_words(text: str) -> str:
    """The beginning of a text, up to the end of a word; a word that is longer is cut."""
    words, _, _ = text[:_MAX_SHOWN].rpartition(" ")
    return f"{words.rstrip() or text[: _MAX_SHOWN - 1]} …"


def _one_line(text: str) -> str:
    return " ".join(_printable(text).split())


def _printable(text: str) -> str:
    """An excerpt holds whatever a model wrote: line ends and control characters must not shape the message."""
    return _BLANKS.sub(" ", "".join(char if char.isprintable() else " " for char in text))
