"""Creates the events that are put on record from an agent's output: triggers, disabled conditions and streams.

Every observer of an agent, external or in a session, has one recorder, which owns the texts of its streams and what was
reported already. It does not decide about triggers and writes no log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, StreamContext, StreamEvent, Trigger
from ttsr_ls.session.history.trigger_location import Extent
from ttsr_ls.session.history.turn_events import ConditionTooSlow, RuleTriggered, StreamMatchingEnded, Target
from ttsr_ls.session.output.agent_events import FileWrite
from ttsr_ls.session.output.stream_texts import StreamTexts
from ttsr_ls.session.rules.session_monitor import SessionMonitor
from ttsr_ls.text import LineIndex, Position, Span, from_first_visible_line

MAX_LINE_LENGTH = 300

FileText = Callable[[str], str | None]
"""The text of a file by its path as the agent gave it; None where it is not known."""


class TriggerPosition(Struct, frozen=True):
    """The position in the history of a stream: the answer that is step `step`, and the tool call `call`, if any.

    `write` is what that call writes.
    """

    turn: str
    step: int
    agent: str
    call: str | None
    write: FileWrite | None


class TriggerRecorder:
    """Records the triggers of one agent, each once, as events.

    `file_text` is called when a rule fires on a text that replaces part of a file, to locate that part.
    """

    __slots__ = ("_agent", "_file_text", "_matching", "_reported", "_texts", "_triggered")

    def __init__(self, agent: str, mode: Matching, file_text: FileText | None = None) -> None:
        self._agent = agent
        self._file_text = file_text
        self._matching = mode
        self._texts = StreamTexts()
        self._triggered: set[tuple[str, str]] = set()
        self._reported: set[str | tuple[str, int]] = set()

    def start_answer(self) -> None:
        """Starts an answer: resets all streams."""
        self._texts.clear()
        self._triggered.clear()

    def feed(self, monitor: SessionMonitor, event: StreamEvent, now: float) -> tuple[Trigger, ...]:
        """Returns the triggers of an event; `now` is in seconds.

        In reference matching a rule matches again at each delta; it triggers once for each stream (spec M8).
        """
        key = self._texts.add(event)
        triggers = monitor.feed(event, now)
        if not triggers or self._matching is Matching.STABLE:
            return triggers
        first = []
        for trigger in triggers:
            if (key, trigger.rule.path) not in self._triggered:
                self._triggered.add((key, trigger.rule.path))
                first.append(trigger)
        return tuple(first)

    def events(
        self,
        triggers: Iterable[Trigger],
        context: StreamContext,
        position: TriggerPosition,
        *,
        interrupts: bool | None = None,
    ) -> tuple[RuleTriggered, ...]:
        """Returns the events for rules that fired on a stream. `interrupts` None: as each rule's mode says."""
        text = self._texts.text(self._texts.key_of(context))
        return tuple(
            _event(trigger, self._target(text, trigger, position.write), position, interrupts) for trigger in triggers
        )

    def finish(self, event: StreamEvent) -> None:
        """Marks an event as handled. After the end of a block, its text is dropped."""
        if isinstance(event, BlockEnd) and self._matching is Matching.STABLE:
            self._texts.end(self._texts.key_of(event.context))

    def disabled(self, monitor: SessionMonitor) -> tuple[DisabledCondition | StreamMatchingEnded, ...]:
        """The conditions and streams that were disabled since the last call."""
        conditions, streams = monitor.disabled_conditions, monitor.disabled_streams
        if not conditions and not streams:
            return ()  # The case of nearly every delta.
        by_key: dict[str | tuple[str, int], DisabledCondition | StreamMatchingEnded] = {
            (condition.rule.path, condition.condition): condition for condition in conditions
        }
        by_key |= {stream: StreamMatchingEnded(self._agent, stream) for stream in streams}
        first = [key for key in by_key if key not in self._reported]
        self._reported.update(first)
        return tuple(by_key[key] for key in first)

    def disabled_event(
        self, disabled: DisabledCondition | StreamMatchingEnded
    ) -> ConditionTooSlow | StreamMatchingEnded:
        """The event for a disabled condition or stream."""
        if isinstance(disabled, StreamMatchingEnded):
            return disabled
        rule, condition = disabled.rule, disabled.condition
        return ConditionTooSlow(self._agent, rule.name, rule.path, rule.condition_text(condition), condition)

    def _target(self, text: str, trigger: Trigger, write: FileWrite | None) -> Target | None:
        return None if write is None else target_of(text, trigger, write, self._file_text)


def target_of(text: str, trigger: Trigger, write: FileWrite, file_text: FileText | None = None) -> Target:
    """Returns the location of the match in what the call writes, from its first visible line on; `text` is the known
    part of what the call writes.

    Of the line, only the part on which the rule fired is included: how much more of it is known depends on how the
    stream was split.
    """
    lines = LineIndex(text[: trigger.offset])
    span = from_first_visible_line(lines.text, Span(trigger.start, trigger.end))
    start, end = lines.position(span.start), lines.position(span.end)
    line = lines.line_span(start.line)
    first_line = lines.text[line.start : min(line.end, line.start + MAX_LINE_LENGTH)]
    in_file = None if file_text is None else _position_in_file(text, span.start, write, file_text)
    return Target(write.path, write.extent, start, end, first_line, in_file)


def _position_in_file(text: str, offset: int, write: FileWrite, file_text: FileText) -> Position | None:
    """Returns the position in the file of `offset` in the written text; a tool replaces the first of several places."""
    replaced = next((replaced for replaced in reversed(write.replaced) if replaced.start <= offset), None)
    if write.extent is not Extent.PIECE or replaced is None or (before := file_text(write.path)) is None:
        return None
    position = before.find(replaced.text)
    if position < 0:
        return None
    head = before[:position] + text[replaced.start : offset]
    return LineIndex(head).position(len(head))


def _event(
    trigger: Trigger, target: Target | None, position: TriggerPosition, interrupts: bool | None
) -> RuleTriggered:
    rule = trigger.rule
    return RuleTriggered(
        turn=position.turn,
        step=position.step,
        agent=position.agent,
        rule=rule.name,
        rule_path=rule.path,
        condition=rule.condition_text(trigger.condition),
        condition_index=trigger.condition,
        source=trigger.context.source,
        tool=trigger.context.tool,
        call=position.call,
        target=target,
        start=trigger.start,
        end=trigger.end,
        offset=trigger.offset,
        excerpt=trigger.excerpt,
        interrupts=trigger.interrupts if interrupts is None else interrupts,
    )
