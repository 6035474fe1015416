"""Fast reader for deltas, the most frequent lines of Claude Code's stream. Skips unused fields.

All other lines, and deltas that are not of this form, are read as plain JSON values (`wire_values`).
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

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
    index: int = 0


class DeltaLine(Struct, frozen=True, gc=False):
    """A line with a delta."""

    type: Literal["stream_event"]
    event: _DeltaEvent
    parent_tool_use_id: str | None = None


class TranscriptHead(Struct, frozen=True, gc=False):
    """The fields that every line of a transcript has. The names are those of the wire."""

    type: str = ""
    sessionId: str = ""
    cwd: str = ""


_DECODER = msgspec.json.Decoder(DeltaLine)
_HEAD_DECODER = msgspec.json.Decoder(TranscriptHead)


def parse_delta_line(line: bytes) -> DeltaLine | None:
    """The delta on a line; None where the line has to be read as plain JSON values."""
    if _MARK not in line:
        return None
    try:
        _check_text(line)
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def parse_line_head(line: bytes) -> TranscriptHead | None:
    """The head of a line of a transcript; None where the line has to be read as plain JSON values."""
    try:
        _check_text(line)
        return _HEAD_DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _check_text(line: bytes) -> None:
    """Raises UnicodeDecodeError. The decoders do not look into fields that they leave out, whatever their name is."""
    if not line.isascii():
        line.decode()
