"""The common parts of scripted model servers on loopback. Stdlib only."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ModelRequestHandler(BaseHTTPRequestHandler):
    """One connection of an agent, which asks for models, counts tokens, and posts requests."""

    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.send(200, b"")

    def do_GET(self) -> None:
        self.send(404, b"{}")

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "count_tokens" in self.path:
            self.send(200, b'{"input_tokens": 10}')
            return
        with suppress(ConnectionError):  # An agent that is interrupted closes its connection.
            self.server.model.post(self, data, json.loads(data or b"{}"))

    def send(self, status: int, body: bytes, kind: str = "application/json", most: int | None = None) -> None:
        """Answers with a body; with `most`, only so many bytes of it."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[:most])


class LoopbackModel:
    """Serves one model until it is closed."""

    def __init__(self) -> None:
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    def post(self, handler: ModelRequestHandler, data: bytes, body: dict[str, Any]) -> None:
        """Answers a request: `data` as it came, and `body` as it reads."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: LoopbackModel) -> None:
        super().__init__(("127.0.0.1", 0), ModelRequestHandler)
        self.model = model
