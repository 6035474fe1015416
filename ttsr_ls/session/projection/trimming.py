"""Shortens a conversation for one request; the history keeps everything.

Trimming is a function of the conversation, applied at each projection, so that refreshing a view cannot undo it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.session.history.turn_output import ServerTool, Text
from ttsr_ls.session.projection.conversation import AssistantMessage, CallWithResult, Item, Part
from ttsr_ls.session.projection.server_note import server_note

TRIMMED = "[an earlier result, left out to save room]"


class Trimming(Struct, frozen=True):
    """All answers but the last `answers_kept` lose results longer than `longest_result` code points, and images."""

    answers_kept: int
    longest_result: int


def trim_old_answers(items: Iterable[Item], old: int, trimming: Trimming) -> Iterator[Item]:
    """Yields the items, with the first `old` answers trimmed."""
    for item in items:
        if isinstance(item, AssistantMessage) and old > 0:
            old -= 1
            yield AssistantMessage(tuple(_part(part, trimming.longest_result) for part in item.parts))
        else:
            yield item


def _part(part: Part, max_length: int) -> Part:
    if isinstance(part, ServerTool):
        return part if len(part.result) <= max_length else Text(server_note(part))
    if isinstance(part, CallWithResult) and (part.result.images or len(part.result.text) > max_length):
        return replace(part, result=replace(part.result, text=TRIMMED, images=()))
    return part
