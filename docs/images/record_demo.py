"""Records `ttsr-ls demo` in a terminal of 80 columns and draws it: `python docs/images/record_demo.py`.

Writes an asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/) to a scratch folder and `demo.svg` beside
this file. Needs `ttsr-ls` on the PATH and `npx`, which runs svg-term-cli.
"""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

COLUMNS, ROWS = 80, 34
COMMAND = ["ttsr-ls", "demo", "--no-log"]
TYPED = "$ ttsr-ls demo\r\n"


def record(cast: Path) -> None:
    """Runs the command in a terminal and writes what it printed, with the times."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execvp(COMMAND[0], COMMAND)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    started = time.monotonic()
    with cast.open("w", encoding="utf-8") as out:
        out.write(json.dumps({"version": 2, "width": COLUMNS, "height": ROWS}) + "\n")
        out.write(json.dumps([0.0, "o", TYPED]) + "\n")
        while data := _read(terminal):
            out.write(json.dumps([round(time.monotonic() - started, 3), "o", decode(data)]) + "\n")
        # The last picture stays for a while before the recording begins again.
        out.write(json.dumps([round(time.monotonic() - started + 5, 3), "o", ""]) + "\n")
    if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) != 0:
        sys.exit("the demo failed")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # The other side is closed.
        return b""


def main() -> None:
    """Records and draws."""
    with tempfile.TemporaryDirectory() as folder:
        cast = Path(folder) / "demo.cast"
        record(cast)
        picture = Path(__file__).with_name("demo.svg")
        command = ["npx", "--yes", "svg-term-cli@2.1.1", "--in", str(cast), "--out", str(picture), "--window"]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
