"""The streams of an unfinished answer."""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from ttsr_ls.ide.runs.step_text import StepBlock, arguments_text, speaker_name
from ttsr_ls.rules.stream import Source


class LiveStream(Struct, frozen=True):
    """The text of one stream so far. `step` is the number that its answer will have in the turn; `name` is the tool."""

    turn: str
    step: int
    agent: str
    source: Source
    call: str | None
    name: str | None
    text: str


def live_block(stream: LiveStream) -> StepBlock:
    """The block of a transcript that shows a stream."""
    match stream.source:
        case Source.TEXT:
            title, body = "● text", stream.text
        case Source.THINKING:
            title, body = "○ thinking", stream.text
        case Source.TOOL:
            title, body = f"▸ {stream.name or 'a tool'}", arguments_text(stream.text)
        case _:
            assert_never(stream.source)
    return StepBlock(f"{title}{speaker_name(stream.agent)} …", body, source=stream.source, call=stream.call)
