"""The unfinished answer, beside its session log: for readers who want to see the agent speak.

A session log has whole answers, since a turn is what is replayed. Here are their parts as they come. Nothing depends on
this file: it may be missing, late or torn, is begun anew with each answer, is never synced, and goes with its writer.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.files.private_files import PRIVATE_FILE
from ttsr_ls.typed_values import json_decoder

SUFFIX = ".live"
MAX_BYTES = 256 * 1024
"""So much of an answer is written; the session log has all of it once it is over."""
_MAX_FILES = 50
_WRITE = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_READ = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):  # Not every system has each of them.
    _WRITE |= getattr(os, _name, 0)
    _READ |= getattr(os, _name, 0)


class LivePiece(Struct, frozen=True):
    """More of the text of a stream, or all of it anew (`replaces`).

    `step` is what the answer will be in the turn; `name` is that of a tool.
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
_DECODER = json_decoder(LivePiece)


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

    def write(self, pieces: list[LivePiece]) -> None:
        """Adds pieces, of which a reader may see each at once."""
        # The codec takes no half of a surrogate pair, which an agent can put out.
        data = b"".join(_encoded(piece) + b"\n" for piece in pieces)
        if not data or self._size + len(data) > MAX_BYTES:
            return
        self._size += len(data)
        with suppress(OSError):
            if self._descriptor is None:
                self._descriptor = os.open(self._path, _WRITE, PRIVATE_FILE)
            os.write(self._descriptor, data)

    def clear(self) -> None:
        """The answers are over: empties the file."""
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
            self._path.unlink(missing_ok=True)


def _encoded(piece: LivePiece) -> bytes:
    try:
        return _ENCODER.encode(piece)
    except UnicodeEncodeError:
        text = piece.text.encode("utf-8", "replace").decode("utf-8")
        return _ENCODER.encode(msgspec.structs.replace(piece, text=text))


class LiveReader:
    """Reads the file beside a session log as it changes."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._path = live_path(log)
        self._seen: tuple[int, int, int] | None = None
        self.pieces: tuple[LivePiece, ...] = ()
        """The pieces of the unfinished answers."""

    @property
    def is_gone(self) -> bool:
        """True if the file is gone, as its writer has ended."""
        return self._seen is None

    def poll(self) -> bool:
        """Reads the file where it changed; returns whether it did. Never raises: what cannot be read has nothing."""
        before = self._seen
        try:
            descriptor = open_regular(self._path, _READ)
        except OSError:
            self._seen, self.pieces = None, ()
            return before is not None
        try:
            status = os.fstat(descriptor)
            self._seen = (status.st_ino, status.st_size, status.st_mtime_ns)
            if self._seen != before:
                data = os.read(descriptor, MAX_BYTES)
                self.pieces = tuple(_decoded(data[: data.rfind(b"\n") + 1]))
        except OSError:
            self.pieces = ()
        finally:
            os.close(descriptor)
        return self._seen != before


def live_logs(folder: Path) -> tuple[Path, ...]:
    """The session logs in a folder beside which an answer is under way."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(SUFFIX)]
    except OSError:
        return ()
    return tuple(Path(folder, name).with_suffix(".jsonl") for name in sorted(names)[-_MAX_FILES:])


def _decoded(data: bytes) -> list[LivePiece]:
    pieces = []
    for line in data.split(b"\n"):
        if line:
            with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                pieces.append(_DECODER.decode(line))
    return pieces
