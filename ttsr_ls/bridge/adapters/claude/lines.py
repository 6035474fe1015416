"""Fast reader for deltas, the most frequent lines of Claude Code's stream. Skips unused fields.

All other lines, and deltas that are not of this form, are read as plain JSON values (`json_lines`).
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from ttsr_ls.typed_values import json_decoder

_MARK = b'"content_block_delta"'


class BlockDelta(Struct, frozen=True, gc=False):
    """A delta of a content block. A field that the delta does not have is blank."""

    type: str = ""
    text: str = ""
    thinking: str = ""
    partial_json: str = ""
    signature: str = ""

    @property
    def more(self) -> str:
        """The text that the delta adds to the block."""
        match self.type:
            case "text_delta":
                return self.text
            case "input_json_delta":
                return self.partial_json
            case "thinking_delta":
                return self.thinking
            case "signature_delta":
                return self.signature
        return ""


class _DeltaEvent(Struct, frozen=True, gc=False):
    type: Literal["content_block_delta"]
    delta: BlockDelta
    index: int


class DeltaLine(Struct, frozen=True, gc=False):
    """A line of Claude Code's output stream with a delta of an answer."""

    type: Literal["stream_event"]
    event: _DeltaEvent
    parent_tool_use_id: str | None = None


class TranscriptLine(Struct, frozen=True):
    """The fields of a transcript line that are read, with values of any type. The names are those of the wire.

    Most of a transcript is in other fields, such as a tool's result in Claude Code's own form.
    """

    type: Any = None
    sessionId: Any = None
    cwd: Any = None
    message: Any = None
    isMeta: Any = None
    isSidechain: Any = None
    isSynthetic: Any = None
    isApiErrorMessage: Any = None
    uuid: Any = None
    parentUuid: Any = None
    agentId: Any = None
    attributionAgent: Any = None
    parent_tool_use_id: Any = None


_DECODER = json_decoder(DeltaLine)
_TRANSCRIPT_DECODER = json_decoder(TranscriptLine)


def parse_delta_line(line: bytes) -> DeltaLine | None:
    """Returns the delta on a line; None if the line must be read as plain JSON values."""
    if _MARK not in line:
        return None
    try:
        _check_text(line)
        found = _DECODER.decode(line)
        # A delta without text is rare, and may have another form.
        return found if found.event.delta.more else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def parse_transcript_line(line: bytes) -> TranscriptLine | None:
    """Returns a line of a transcript; None if it must be read as plain JSON values."""
    try:
        _check_text(line)
        return _TRANSCRIPT_DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _check_text(line: bytes) -> None:
    """Raises UnicodeDecodeError for invalid UTF-8, which the decoders do not detect in fields that they skip."""
    if not line.isascii():
        line.decode()
