"""The header of a session log, its first line. It is recognised even if it is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from ttsr_ls import __version__
from ttsr_ls.store.log.codec import encode_line

FORMAT = 1
"""The version of the file itself: a header line, then one record a line."""

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


class Header(Struct, frozen=True):
    """The first line of a log, which identifies its session. `started` is milliseconds since the Unix epoch."""

    session: str
    agent: str
    workspace: str
    started: int
    writer: str


def new_header(log: Path, agent: str, workspace: Path | str, now: int) -> Header:
    """Returns the header of a new log; `now` is in milliseconds since the Unix epoch."""
    return Header(log.stem, agent, str(workspace), now, f"ttsr-ls {__version__}")


def encode_header(header: Header) -> bytes:
    """Returns the first line of a session log: the version of its format, and the session with its agent, as JSON."""
    return encode_line(
        {
            "ttsr-log": FORMAT,
            "session": header.session,
            "agent": header.agent,
            "workspace": header.workspace,
            "started": header.started,
            "writer": header.writer,
        }
    )


def decode_header(value: dict[str, Any]) -> Header:
    """Returns the header in a decoded first line. A field of a wrong type is empty, or 0."""

    def text(name: str) -> str:
        found = value.get(name)
        return found if isinstance(found, str) else ""

    started = value.get("started")
    started_at = started if isinstance(started, int) and not isinstance(started, bool) else 0
    return Header(text("session"), text("agent"), text("workspace"), started_at, text("writer"))
