"""The unfinished answer, in a file beside its session log, for readers that show output as it streams.

A session log has only complete answers, because turns are replayed. This file has their deltas. Nothing depends on it:
it may be missing, late or torn, starts anew with each answer, is never synced, and is removed by its writer.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from ttsr_ls.escaping import well_formed
from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.files.private_files import PRIVATE_FILE
from ttsr_ls.typed_values import json_decoder

SUFFIX = ".live"
MAX_BYTES = 256 * 1024
"""The most bytes of an answer that are written. The session log has the complete answer later."""
_MAX_FILES = 50
_WRITE = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_READ = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):  # Not every system has each of them.
    _WRITE |= getattr(os, _name, 0)
    _READ |= getattr(os, _name, 0)


class LiveDelta(Struct, frozen=True):
    """A delta of a stream, or its whole text so far (`replaces`).

    `step` is the number that the answer will have in the turn; `name` is the name of a tool.
    """

    turn: str
    step: int
    agent: str
    source: str
    stream: str
    call: str | None
    name: str | None
    text: str
    replaces: bool = False


_ENCODER = msgspec.json.Encoder()
_DECODER = json_decoder(LiveDelta)


def live_path(log: Path) -> Path:
    """Returns the path of the file beside a session log that has the unfinished answer."""
    return log.with_suffix(SUFFIX)


class LiveOutput:
    """Writes the unfinished answer to the file beside a session log. Never raises: if the file cannot be written,
    readers see the answer only in the log, once it is complete.
    """

    def __init__(self, log: Path) -> None:
        self._path = live_path(log)
        self._descriptor: int | None = None
        self._size = 0

    def write(self, deltas: list[LiveDelta]) -> None:
        """Appends deltas. Readers may see each of them at once."""
        # The codec rejects lone surrogates, which an agent can put out.
        data = b"".join(_encoded(delta) + b"\n" for delta in deltas)
        if not data:
            return
        if self._size + len(data) > MAX_BYTES:
            self._size = MAX_BYTES  # Later deltas are not written, either: the text would have a gap.
            return
        self._size += len(data)
        with suppress(OSError):
            if self._descriptor is None:
                self._descriptor = os.open(self._path, _WRITE, PRIVATE_FILE)
            os.write(self._descriptor, data)

    def clear(self) -> None:
        """Empties the file, because the answers are complete."""
        if self._size:
            self._size = 0
            with suppress(OSError):
                if self._descriptor is not None:
                    os.ftruncate(self._descriptor, 0)

    def close(self) -> None:
        """Removes the file."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def _encoded(delta: LiveDelta) -> bytes:
    try:
        return _ENCODER.encode(delta)
    except UnicodeEncodeError:
        fields = msgspec.structs.asdict(delta)
        texts = {name: well_formed(value) for name, value in fields.items() if isinstance(value, str)}
        return _ENCODER.encode(msgspec.structs.replace(delta, **texts))


class LiveReader:
    """Reads the file beside a session log as it changes."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._path = live_path(log)
        self._seen: tuple[int, int, int] | None = None
        self.deltas: tuple[LiveDelta, ...] = ()
        """The deltas of the unfinished answers."""

    @property
    def is_gone(self) -> bool:
        """True if the file does not exist, because its writer has ended."""
        return self._seen is None

    def poll(self) -> bool:
        """Reads the file if it changed. Returns whether it did. Never raises: an unreadable file has no deltas."""
        before = self._seen
        try:
            descriptor = open_regular(self._path, _READ)
        except OSError:
            self._seen, self.deltas = None, ()
            return before is not None
        try:
            status = os.fstat(descriptor)
            self._seen = (status.st_ino, status.st_size, status.st_mtime_ns)
            if self._seen != before:
                data = os.read(descriptor, MAX_BYTES)
                self.deltas = tuple(_decoded(data[: data.rfind(b"\n") + 1]))
        except OSError:
            self.deltas = ()
        finally:
            os.close(descriptor)
        return self._seen != before


def live_logs(folder: Path) -> tuple[Path, ...]:
    """Returns the session logs in a folder that have an unfinished answer."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(SUFFIX)]
    except OSError:
        return ()
    return tuple(Path(folder, name).with_suffix(".jsonl") for name in sorted(names)[-_MAX_FILES:])


def _decoded(data: bytes) -> list[LiveDelta]:
    deltas = []
    for line in data.split(b"\n"):
        if line:
            with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                deltas.append(_DECODER.decode(line))
    return deltas
