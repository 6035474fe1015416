"""A trigger as it is put on record: where in the history, the excerpt around the match, its place in the file."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.matching.excerpt import LEADING_CONTEXT, MAXIMUM_EXCERPT
from ttsr_ls.rules.stream import Trigger
from ttsr_ls.session.history.turn_events import Excerpt, RuleTriggered, Target
from ttsr_ls.session.output.agent_events import FileWrite
from ttsr_ls.session.rules.session_monitor import Fired
from ttsr_ls.text import LineIndex

LONGEST_LINE = 300


def excerpt_of(text: str, trigger: Trigger) -> Excerpt:
    """The match in the stream's `text`, with a little of what stands before it.

    Nothing of what follows: how much of that is there depends on how the stream was cut. Of a long match, its start.
    """
    begin = max(0, trigger.start - LEADING_CONTEXT)
    end = min(trigger.end, begin + MAXIMUM_EXCERPT)
    return Excerpt(text[begin:end], trigger.start - begin, end - begin)


def target_of(text: str, trigger: Trigger, write: FileWrite) -> Target:
    """The place of the match in what the call writes; `text` is what is known of that.

    Of the line, only as much as the rule fired on: how much more is there depends on how the stream was cut.
    """
    lines = LineIndex(text[: trigger.offset])
    start, end = lines.position(trigger.start), lines.position(trigger.end)
    line = lines.line_span(start.line)
    return Target(
        write.path, write.extent, start, end, lines.text[line.start : min(line.end, line.start + LONGEST_LINE)]
    )


class At(Struct, frozen=True):
    """Where in the history something streamed: in the answer that is step `step`, in the tool call `call` if in any.

    `write` is what that call writes, `text` what is known of the stream.
    """

    turn: str
    step: int
    agent: str
    call: str | None
    write: FileWrite | None
    text: str


def trigger_event(fired: Fired, at: At, *, interrupts: bool) -> RuleTriggered:
    """The event for a rule that fired."""
    rule, trigger = fired.rule, fired.trigger
    return RuleTriggered(
        turn=at.turn,
        step=at.step,
        agent=at.agent,
        rule=rule.name,
        rule_path=rule.path,
        condition=rule.condition_texts[trigger.condition],
        condition_index=trigger.condition,
        source=trigger.context.source,
        tool=trigger.context.tool,
        call=at.call,
        target=None if at.write is None else target_of(at.text, trigger, at.write),
        start=trigger.start,
        end=trigger.end,
        offset=trigger.offset,
        excerpt=excerpt_of(at.text, trigger),
        interrupts=interrupts,
    )
