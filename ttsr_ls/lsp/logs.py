"""Sends log lines to the client's log, or to standard error before the client is initialized."""

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
    """Sends the log lines of this package and the warnings of pygls to the client."""
    handler = _ClientHandler(server)
    handler.setFormatter(_OneLineFormatter("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("ttsr_ls").setLevel(logging.INFO)
    # pygls logs every message that it sends, at INFO.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    # It logs a long traceback for a message that cannot be read; `protocol` logs one line.
    logging.getLogger("pygls.protocol.json_rpc").setLevel(logging.CRITICAL)


class _OneLineFormatter(logging.Formatter):
    """Escapes messages, whose values may be hostile, so that they cannot forge lines or control a terminal.

    The traceback of an exception, or the text of `TRACEBACK`, follows on the next lines.
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
            # The protocol may log that it cannot send.
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
