"""Recognises the beginning of a session log, though its first line may be damaged."""

from __future__ import annotations

HEADER_START = b'{"ttsr-log":'
_MAX_HEADER_LENGTH = 64 * 1024
"""The longest header, in bytes: its longest part is the path of a folder."""


def is_start_of_log(line: bytes, cancel: bytes, *, is_torn: bool) -> bool:
    """Returns whether a first line is a header, part of one, or zeros; `cancel` is the mark after a torn line.

    Some file systems leave zeros after a power failure.
    """
    rest = line.rstrip(b"\0" + cancel)
    if len(line) > _MAX_HEADER_LENGTH:
        return False
    return rest.startswith(HEADER_START) or ((is_torn or rest != line) and HEADER_START.startswith(rest))
