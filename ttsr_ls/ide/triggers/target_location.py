"""The position of a trigger's match in a file's text: found once, and followed from one version of the text to the
next.

The text may be older than the call, newer, or have the same line many times. So the line is searched near its expected
position. Once it was found, only changes of the text move the mark, and it is removed with its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct, field

from ttsr_ls.ide.triggers.text_change import TextChange, text_change
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_outcome import TriggerOutcome
from ttsr_ls.session.history.turn_events import Extent, RuleTriggered, Target
from ttsr_ls.text import LineIndex, Position, Span, from_first_visible_line

_MAX_CANDIDATES = 2_000
_MAX_SEARCHED = 3
"""In a change of more lines, only the whole line is searched: the matched text alone may be another occurrence."""

_Key = tuple[str, int, str]
_EMPTY = LineIndex("")


class TargetText(Struct, frozen=True, eq=False):
    """A version of a file's text, the triggers that show in it, and the lines on which triggers were found.

    `awaited` are triggers on text that was not written yet in this version.
    """

    index: LineIndex = field(default_factory=lambda: _EMPTY)
    spans: Mapping[_Key, Span] = field(default_factory=lambda: MappingProxyType({}))
    lines: Mapping[_Key, int] = field(default_factory=lambda: MappingProxyType({}))
    awaited: frozenset[_Key] = frozenset()

    def span(self, trigger: LiveTrigger) -> Span | None:
        """The span of a trigger's match; None if the written text is gone."""
        return self.spans.get(_key(trigger))


def locate_triggers(before: TargetText, index: LineIndex, triggers: Iterable[LiveTrigger]) -> TargetText:
    """Locates the triggers for a file in its text now; `before` has their positions in an earlier version."""
    change = text_change(before.index, index) if before.lines or before.awaited else None
    spans: dict[_Key, Span] = {}
    lines: dict[_Key, int] = {}
    awaited: set[_Key] = set()
    for trigger in triggers:
        key, target = _key(trigger), trigger.event.target
        if target is None:
            continue
        known = before.lines.get(key)
        if known is not None:
            span = _moved(before, index, key, change) or _followed(index, trigger.event, target, known, change)
            lines[key] = known if change is None else change.moved(known)
        elif key in before.awaited or (target.in_file is not None and not _is_done(trigger)):
            span = _arrived(index, target, change)
            if span is None:
                awaited.add(key)
        else:
            span = _nearest(index, target, Span(0, len(index.text)))
        if span is not None:
            spans[key] = span
            if known is not None or key in before.awaited or _is_certain(index, span, trigger, target):
                lines[key] = index.position(span.start).line
        elif known is None and trigger.outcome in (None, TriggerOutcome.PENDING):
            spans[key] = _about_to_be(index, target)
    return TargetText(index, MappingProxyType(spans), MappingProxyType(lines), frozenset(awaited))


def _key(trigger: LiveTrigger) -> _Key:
    """A trigger by its record; `LiveTrigger` itself changes with its outcome."""
    return trigger.log, trigger.sequence, trigger.rule_path


def _expected(target: Target) -> Position | None:
    """Returns the position at which the match begins once the call is done; None if it is unknown."""
    if target.extent is Extent.WHOLE:
        return Position(target.start.line, 0)
    if target.in_file is None:
        return None
    # A replaced part of a line begins within the line.
    return Position(target.in_file.line, max(0, target.in_file.character - target.start.character))


def _is_certain(index: LineIndex, span: Span, trigger: LiveTrigger, target: Target) -> bool:
    """Returns whether the call wrote the text at `span`, and not an equal text that was there before."""
    position = _expected(target)
    is_there = position is not None and index.position(span.start).line == position.line
    return is_there or _is_done(trigger)


def _is_done(trigger: LiveTrigger) -> bool:
    return trigger.outcome is not None and trigger.outcome.is_done


def _moved(before: TargetText, index: LineIndex, key: _Key, change: TextChange | None) -> Span | None:
    """The current span of a match whose lines did not change; None if they did."""
    span = before.spans.get(key)
    if span is None or change is None:
        return span
    start, end = before.index.position(span.start), before.index.position(span.end)
    # A match that ends at the start of a line ends with the line above.
    last = end.line if end.character else max(start.line, end.line - 1)
    if change.first <= last and change.old_last >= start.line:
        return None
    lines = change.moved(start.line) - start.line
    return Span(
        index.offset(Position(start.line + lines, start.character)),
        index.offset(Position(end.line + lines, end.character)),
    )


def _followed(
    index: LineIndex, event: RuleTriggered, target: Target, old_line: int, change: TextChange | None
) -> Span | None:
    """The match that was on line `old_line` before the text changed."""
    if change is None or not change.contains(old_line):
        first = last = old_line if change is None else change.moved(old_line)
    else:
        first, last = change.first, change.new_last
    area = Span(index.line_span(first).start, index.line_span(last).end)
    wanted = min(old_line, last)
    spans = (_match_in_line(position, target) for position in _places(index.text, target.first_line, area))
    nearest = min(spans, key=lambda span: abs(index.position(span.start).line - wanted), default=None)
    if nearest is not None or last - first >= _MAX_SEARCHED:
        return nearest
    excerpt = event.excerpt
    visible = from_first_visible_line(excerpt.text, Span(excerpt.start, excerpt.end))
    matched_text = excerpt.text[visible.start : visible.end].split("\n")[0]
    position = index.text.find(matched_text, area.start, area.end) if matched_text.strip() else -1
    return Span(position, position + len(matched_text)) if position >= 0 else None


def _arrived(index: LineIndex, target: Target, change: TextChange | None) -> Span | None:
    """The match of a text that was not written yet: at its expected position, else in the changed lines. An equal text
    elsewhere in the file was there before."""
    span = _expected_span(index, target)
    if span is not None or change is None:
        return span
    area = Span(index.line_span(change.first).start, index.line_span(change.new_last).end)
    return _nearest(index, target, area)


def _nearest(index: LineIndex, target: Target, area: Span) -> Span | None:
    """The match on the equal line that is nearest to the expected one; the first if none is expected."""
    found_span = _expected_span(index, target)
    if found_span is not None:
        return found_span
    position = _expected(target)
    spans = (_match_in_line(position, target) for position in _places(index.text, target.first_line, area))
    if position is None:
        return next(spans, None)
    return min(spans, key=lambda span: abs(index.position(span.start).line - position.line), default=None)


def _expected_span(index: LineIndex, target: Target) -> Span | None:
    position = _expected(target)
    if position is None or position.line >= index.line_count:
        return None
    return _at(index, target, position) if index.text.startswith(target.first_line, index.offset(position)) else None


def _at(index: LineIndex, target: Target, first: Position) -> Span:
    """The match whose first line begins at `first` as the call wrote it, over all of its lines."""
    start = index.offset(Position(first.line, first.character + target.start.character))
    lines = target.end.line - target.start.line
    end = index.offset(Position(first.line + lines, target.end.character + (0 if lines else first.character)))
    return Span(start, max(start, end))


def _about_to_be(index: LineIndex, target: Target) -> Span:
    """The line on which the match will be once the call is done; the start of the text if it is unknown."""
    if target.in_file is None:
        return Span(0, 0)
    return index.line_span(min(target.in_file.line, index.line_count - 1))


def _places(text: str, wanted: str, area: Span) -> Iterator[int]:
    if not wanted.strip():
        return
    position = text.find(wanted, area.start, area.end)
    for _ in range(_MAX_CANDIDATES):
        if position < 0:
            return
        yield position
        position = text.find(wanted, position + len(wanted), area.end)


def _match_in_line(position: int, target: Target) -> Span:
    """The match in the line at `position`, whose indentation may be deeper than written."""
    index = LineIndex(target.first_line)
    start = index.offset(Position(0, target.start.character))
    on_one_line = target.end.line == target.start.line
    end = index.offset(Position(0, target.end.character)) if on_one_line else len(target.first_line)
    return Span(position + start, position + max(start, end))
