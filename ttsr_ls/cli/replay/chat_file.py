"""Reads sessions that are one JSON value in a file: the chats that Gemini CLI kept before version 0.61."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS
from ttsr_ls.bridge.wire.json_lines import parse_object
from ttsr_ls.store.files.bounded_file import read_bytes

SUFFIX = ".json"


def is_chat_name(path: Path) -> bool:
    """Returns whether a file is named like a chat of Gemini CLI. Most other JSON files are no sessions."""
    return path.suffix == SUFFIX and path.name.startswith("session-")


def chat_line(path: Path) -> bytes:
    """The content of a file, on one line if its first line is not a JSON value. Raises OSError."""
    data = read_bytes(path, ADAPTER_LIMITS.line + 1).removeprefix(b"\xef\xbb\xbf")
    if not isinstance(parse_object(data.partition(b"\n")[0]), str):
        return data
    # No string of a JSON value contains a line feed.
    return data.replace(b"\n", b" ") + b"\n"
