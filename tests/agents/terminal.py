"""A program in a terminal of its own: what it printed, and keys for it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_CODES = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b[()=>78][A-Z0-9]?")
_ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    b"\x1b[?u": b"\x1b[?0u",
}
"""What a terminal answers when a program asks for its state."""


class Terminal:
    """Runs a program; `close` at the end."""

    def __init__(self, command: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
        self._process = subprocess.Popen(
            command, cwd=cwd, env=dict(environ), stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        self._output = b""

    @property
    def text(self) -> str:
        """Everything that was printed, without codes for the terminal; blanks and line ends are one blank."""
        plain = _CODES.sub(b" ", self._output).decode("utf-8", "replace")
        return " ".join(plain.split())

    def wait_for(self, condition: Callable[[], bool], seconds: float = 60.0) -> None:
        """Reads until the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, self.text[-3000:]
            assert self._read() or condition(), self.text[-3000:]

    def wait(self, seconds: float = 30.0) -> int:
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
        self._output += data
        for question, answer in _ANSWERS.items():
            if question in data:
                os.write(self._master, answer)
        return bool(data)
