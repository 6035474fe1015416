"""Where a trigger is, for people and editors: the excerpt around the match, and its place in the file to be written."""

from __future__ import annotations

from ttsr_ls.bridge.adapter import FileWrite
from ttsr_ls.engine.excerpt import LEADING_CONTEXT, MAXIMUM_EXCERPT
from ttsr_ls.engine.stream import Trigger
from ttsr_ls.engine.turn_events import Excerpt, Target
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
