"""The location of a trigger in the file that a tool call writes. Pure values.

All of it is written to session logs, so a new field needs a default.
"""

from __future__ import annotations

from enum import StrEnum

from ttsr_ls.session.history.recorded_value import RecordedValue
from ttsr_ls.text import Position


class Extent(StrEnum):
    """The part of a file that a tool call writes: the whole file, or a part at an unknown position."""

    WHOLE = "whole"
    PIECE = "piece"


class Target(RecordedValue, frozen=True, omit_defaults=True):
    """The match in the file that a tool call is about to write.

    `path` is as the agent gave it. `start` and `end` are positions (UTF-16) in the text that the call writes, which is
    the file itself if `extent` is WHOLE. `first_line` is the line of `start` as received when the rule fired, at most
    300 characters: an editor can find a written part in the file by it. `in_file` is the start of the match in the file
    after the write, computed from the file as it was when the rule fired; None if unknown.
    """

    path: str
    extent: Extent
    start: Position
    end: Position
    first_line: str
    in_file: Position | None = None
