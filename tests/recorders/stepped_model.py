"""A model on loopback that waits after each piece until the agent has seen it, or has hung up; stdlib only.

So it does not depend on timing whether an answer was cut off: the piece after a match is sent when the agent is through
with the match.
"""

from __future__ import annotations

import itertools
import json
import select
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.recorders.scripted_answers import Block, events, is_piece

OWN_TOOL = "write"
PATIENCE = 3.0
"""Seconds without a sign of the agent after which something is wrong."""


@dataclass
class Exchange:
    """A request, and whether the agent hung up on its answer; `blocks` is what was to be answered."""

    body: dict[str, Any]
    blocks: list[Block]
    is_cut: bool = False


@dataclass
class SteppedModel:
    """`script` says the blocks that answer a request of the agent, `aside` the text that answers any other request.

    `saw_piece` tells it that the agent is through with a piece.
    """

    script: Callable[[dict[str, Any]], list[Block]]
    aside: Callable[[dict[str, Any]], str]
    exchanges: list[Exchange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._seen = threading.Semaphore(0)
        numbers = itertools.count(1)
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
                # A request without the agent's tools is another's: a judge's, say.
                is_aside = not any(tool["name"].endswith(OWN_TOOL) for tool in body.get("tools", ()))
                exchange = Exchange(body, [{"text": [model.aside(body)]}] if is_aside else model.script(body))
                if not is_aside:
                    model.exchanges.append(exchange)
                    model.forget_pieces()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                try:
                    for event in events(exchange.blocks, next(numbers)):
                        self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
                        self.wfile.flush()
                        if is_piece(event) and not is_aside:
                            model.wait(self.connection)
                except OSError:
                    exchange.is_cut = True

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def saw_piece(self) -> None:
        self._seen.release()

    def forget_pieces(self) -> None:
        """Forgets what the agent has seen of an earlier answer."""
        while self._seen.acquire(blocking=False):
            pass

    def wait(self, connection: socket.socket) -> None:
        """Until the agent is through with a piece. Raises OSError when it hangs up instead."""
        until = time.monotonic() + PATIENCE
        while not self._seen.acquire(timeout=0.005):
            if select.select([connection], [], [], 0)[0] and not connection.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError
            if time.monotonic() > until:
                raise RuntimeError("the agent neither tells of what it was sent nor hangs up")

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
