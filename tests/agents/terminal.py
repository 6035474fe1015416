"""A program in a terminal of its own: what its screen shows, and keys for it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

_COLUMNS, _LINES = 160, 40
_ANSWERS = {
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    b"\x1b[?u": b"\x1b[?0u",
}
"""What a terminal answers to questions that the screen does not know."""


PATIENCE = 120.0
"""Seconds that a program may take for anything, because other processes may have the machine."""


class _Screen(pyte.HistoryScreen):
    """A screen with lines above it, which answers questions about its cursor and its kind."""

    def __init__(self, answer: Callable[[str], None]) -> None:
        super().__init__(_COLUMNS, _LINES, history=10_000)
        self._answer = answer

    def write_process_input(self, data: str) -> None:
        self._answer(data)


class Terminal:
    """Runs a program; `close` at the end."""

    def __init__(self, command: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            command, cwd=cwd, env=dict(environ), stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        # Programs redraw single cells, so that the printed bytes need not contain a text that the screen shows.
        self._screen = _Screen(self.type)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def text(self) -> str:
        """The lines above the screen and on it; blanks and line ends are one blank."""
        above = ["".join(line[column].data for column in range(_COLUMNS)) for line in self._screen.history.top]
        return " ".join(" ".join([*above, *self._screen.display]).split())

    def wait_for(self, condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Reads until the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, self.text[-3000:]
            assert self._read() or condition(), self.text[-3000:]

    def wait(self, seconds: float = PATIENCE) -> int:
        """Reads until the program ends; its exit status."""
        deadline = time.monotonic() + seconds
        while self._read():
            assert time.monotonic() < deadline, self.text[-3000:]
        return self._process.wait(seconds)

    def type(self, keys: str) -> None:
        """Types keys."""
        os.write(self._master, keys.encode())

    def close(self) -> None:
        """Ends the program."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._master)

    def _read(self) -> bool:
        """Reads what there is, for a moment; whether more may come."""
        readable, _, _ = select.select([self._master], [], [], 0.1)
        if not readable:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:  # The other end is closed.
            return False
        self._stream.feed(data)
        for question, answer in _ANSWERS.items():
            if question in data:
                os.write(self._master, answer)
        return bool(data)
