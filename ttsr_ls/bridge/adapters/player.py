"""Plays a recorded run at its original speed: each line of an agent at the time when it was printed.

A recording is JSON lines `{"t": milliseconds since the first, "line": the printed line}`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import resources

from msgspec import Struct

from ttsr_ls.bridge.wire.fields import get_integer, get_object
from ttsr_ls.bridge.wire.json_lines import parse_object
from ttsr_ls.errors import TtsrError


class RecordingError(TtsrError):
    """A recording cannot be read; the text says why."""


class RecordedLine(Struct, frozen=True):
    """A line that the agent printed `time` milliseconds after its first line."""

    time: int
    data: bytes


def load_recording(name: str) -> tuple[RecordedLine, ...]:
    """A recording that comes with this package. Raises RecordingError."""
    try:
        data = (resources.files("ttsr_ls.bridge") / "recordings" / f"{name}.jsonl").read_bytes()
    except OSError as error:
        raise RecordingError(f"cannot read the recorded run '{name}': {error.strerror}") from error
    return read_recording(data)


def read_recording(data: bytes) -> tuple[RecordedLine, ...]:
    """The lines of a recording. Raises RecordingError."""
    lines = []
    for number, line in enumerate(data.splitlines(), start=1):
        value = parse_object(line)
        if isinstance(value, str) or not get_object(value, "line"):
            raise RecordingError(f"line {number} of the recording has no line of an agent")
        printed = json.dumps(value["line"], ensure_ascii=False)
        lines.append(RecordedLine(get_integer(value, "t"), printed.encode() + b"\n"))
    return tuple(lines)


def play_recording(
    lines: tuple[RecordedLine, ...], speed: float, clock: Callable[[], float], sleep: Callable[[float], None]
) -> Iterator[bytes]:
    """Yields the lines at their recorded times; `speed` is the factor of acceleration, `clock` counts seconds.

    If the reader falls behind, overdue lines are yielded at once, so that delays do not add up.
    """
    start = clock()
    for line in lines:
        wait = start + line.time / 1000 / speed - clock()
        if wait > 0:
            sleep(wait)
        yield line.data
