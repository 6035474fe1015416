"""Sends log lines to the client's log, and to the error output as long as there is no client."""

from __future__ import annotations

import asyncio
import logging
import sys

from lsprotocol import types

from ttsr_ls.escaping import one_line, printable
from ttsr_ls.lsp.server import TRACEBACK, Server

_LEVELS = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
)


def log_to(server: Server) -> None:
    """Sends what this package logs to the client, and of what pygls logs the warnings."""
    handler = _ClientHandler(server)
    handler.setFormatter(_OneLineFormatter("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("ttsr_ls").setLevel(logging.INFO)
    # pygls logs every message that it sends, at INFO.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    # Of a message that cannot be read it prints a page of traceback; `protocol` says the same in a line.
    logging.getLogger("pygls.protocol.json_rpc").setLevel(logging.CRITICAL)


class _OneLineFormatter(logging.Formatter):
    """Escapes messages, whose values are hostile: one cannot forge a line, or control whatever shows the log.

    Below the line stands the traceback of an error of ours: that of the exception, or what `TRACEBACK` has.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        line = one_line(super().formatMessage(record))
        place = getattr(record, TRACEBACK, "")
        return f"{line}\n{place.rstrip()}" if place else line

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


class _ClientHandler(logging.Handler):
    def __init__(self, server: Server) -> None:
        super().__init__()
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        kind = next((kind for level, kind in _LEVELS if record.levelno >= level), types.MessageType.Log)
        text = self.format(record)
        loop = self._server.loop
        if loop is None or loop.is_closed() or record.name.startswith("pygls.protocol"):
            # What the protocol itself has to say may be that it cannot send.
            print(text, file=sys.stderr)
        elif _running() is loop:
            self._server.window_log_message(types.LogMessageParams(kind, text))
        else:
            loop.call_soon_threadsafe(self._server.window_log_message, types.LogMessageParams(kind, text))


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
