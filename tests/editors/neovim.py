"""A real Neovim without a screen, with our plugin and a probe in it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.editors.probed import PATIENCE, ROOT, Editor, process

PROBE = Path(__file__).parent / "probe" / "probe.lua"


@contextmanager
def open_neovim(folder: Path, scratch: Path, environment: dict[str, str], program: Path) -> Iterator[Editor]:
    """A Neovim that works in a folder, with `program` as `ttsr-ls`. `scratch` takes what Neovim writes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        own = {
            "TTSR_PROBE_PORT": str(listener.getsockname()[1]),
            "TTSR_PLUGIN": str(ROOT / "editors" / "neovim"),
            "TTSR_PROGRAM": str(program),
            "PWD": str(folder),
        }
        command = [os.environ["TTSR_NVIM"], "--clean", "--headless", "-c", f"cd {folder}", "-c", f"luafile {PROBE}"]
        with process(command, {**os.environ, **environment, **own}, scratch / "nvim.log"):
            connection, _ = listener.accept()
            with connection:
                yield Editor(connection)
