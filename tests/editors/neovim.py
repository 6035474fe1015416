"""A real Neovim without a screen, with our plugin and a probe in it."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

import msgspec

from tests.editors.probed import PATIENCE, ROOT, Editor, process

PROBE = Path(__file__).parent / "probe" / "probe.lua"


def tried(editor: Editor, *wanted: str) -> str:
    """The text of the window with the result of `:TtsrTest`, as soon as it has what is wanted."""
    parts = ", ".join(f"[==[{part}]==]" for part in wanted)
    return str(
        editor.ask(
            "lua",
            code=f"""
                local function text()
                  local buf = vim.fn.bufnr('^ttsr://test$')
                  return buf < 0 and '' or table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\\n')
                end
                assert(vim.wait(100000, function()
                  return vim.iter({{ {parts} }}):all(function(part) return text():find(part, 1, true) ~= nil end)
                end, 20), 'not shown; this is: ' .. text())
                return text()
            """,
        )
    )


@contextmanager
def open_neovim(
    folder: Path, scratch: Path, environment: dict[str, str], program: Path, *, on_screen: bool = False
) -> Iterator[Editor]:
    """A Neovim that works in a folder, with `program` as `ttsr-ls`. `scratch` takes what Neovim writes.

    `on_screen`: on a screen of 80 columns, where Neovim waits for a key below messages that do not fit.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        own = {
            "TTSR_PROBE_PORT": str(listener.getsockname()[1]),
            "TTSR_PLUGIN": str(ROOT / "editors" / "neovim"),
            "TTSR_PROGRAM": str(program),
            "PWD": str(folder),
        }
        screen = "--embed" if on_screen else "--headless"
        command = [os.environ["TTSR_NVIM"], "--clean", screen, "-c", f"cd {folder}", "-c", f"luafile {PROBE}"]
        with ExitStack() as stack:
            started = stack.enter_context(process(command, {**os.environ, **environment, **own}, scratch / "nvim.log"))
            if on_screen:
                _attach_screen(started)
            connection, _ = listener.accept()
            stack.enter_context(connection)
            yield Editor(connection)


def _attach_screen(neovim: subprocess.Popen[str]) -> None:
    """Has Neovim draw on a screen, which nobody looks at; until then it does nothing."""
    assert isinstance(neovim.stdin, TextIOWrapper)
    assert isinstance(neovim.stdout, TextIOWrapper)
    shown: BinaryIO = neovim.stdout.buffer
    neovim.stdin.buffer.write(msgspec.msgpack.encode([0, 1, "nvim_ui_attach", [80, 24, {}]]))
    neovim.stdin.flush()

    def look() -> None:
        with suppress(ValueError, OSError):  # The pipe is closed.
            while shown.read(1):
                pass

    threading.Thread(target=look, daemon=True).start()


def server_process(editor: Editor) -> int:
    """The process of the one server that a Neovim runs."""
    neovim = editor.ask("evaluate", expression="getpid()")
    children = [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/stat") if _parent(path) == neovim]
    (server,) = [child for child in children if b"\0serve\0" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return server


def _parent(stat: Path) -> int | None:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:  # It ended in the meantime.
        return None
