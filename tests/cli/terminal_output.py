"""Runs the command line on a terminal of some width."""

from __future__ import annotations

import fcntl
import os
import struct
import subprocess
import sys
import termios
from pathlib import Path

from tests.cli.command import environment


def shown_on_terminal(folder: Path, columns: int, *arguments: str) -> str:
    """The output of a command on a terminal without colours that has `columns` columns."""
    controller, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", *arguments], cwd=folder, stdout=terminal, env=environment(NO_COLOR="1")
    )
    os.close(terminal)
    printed = bytearray()
    try:
        while chunk := os.read(controller, 65536):
            printed += chunk
    except OSError:
        # The program has ended.
        pass
    finally:
        os.close(controller)
        assert process.wait(60) == 0
    return printed.decode()
