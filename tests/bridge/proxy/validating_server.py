"""A scripted model on loopback, over HTTP: what it refuses, a test sees in `refusals`."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from tests.bridge.proxy.anthropic_model import RequestRefused


class Model(Protocol):
    """A model of some wire, with the requests that it got."""

    requests: list[dict[str, Any]]

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]: ...

    def message(self, body: dict[str, Any]) -> dict[str, Any]: ...


class ModelServer:
    """Serves one model. Requests without tools, such as those for a title, get `aside`."""

    def __init__(
        self, model: Model, encode: Callable[[Sequence[dict[str, Any]]], bytes], aside: Model | None = None
    ) -> None:
        self.refusals: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.stalls: dict[int, threading.Event] = {}
        """By the number of a request: what its answer waits for."""
        self.unfinished: set[int] = set()
        """The numbers of requests whose answer does not end before the client closes the connection."""
        self.arrived = threading.Event()
        """Set when a request that stalls is there."""
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self._send(200, b"")

            def do_GET(self) -> None:
                self._send(404, b"{}")

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                body = json.loads(data or b"{}")
                if "count_tokens" in self.path:
                    self._send(200, b'{"input_tokens": 10}')
                    return
                chosen = model if body.get("tools") else aside
                if chosen is None:
                    self._send(400, b"{}")
                    return
                try:
                    with server._lock:
                        if chosen is model:
                            server.headers.append(dict(self.headers))
                            server.bodies.append(data)
                        is_streaming = body.get("stream") or "streamGenerate" in self.path
                        whole = chosen.answer(body) if is_streaming else chosen.message(body)
                except (RequestRefused, LookupError) as error:
                    server.refusals.append(repr(error))
                    error_body = {"type": "error", "error": {"type": "invalid_request_error", "message": repr(error)}}
                    self._send(400, json.dumps(error_body).encode())
                    return
                stall = server.stalls.get(len(server.bodies) - 1)
                if stall is not None:
                    server.arrived.set()
                    stall.wait(60)
                if isinstance(whole, dict):
                    self._send(200, json.dumps(whole).encode())
                elif len(server.bodies) - 1 in server.unfinished:
                    self._send(200, encode(whole), "text/event-stream", len(encode(whole[:-1])))
                    self.connection.settimeout(60)
                    self.connection.recv(1)  # The end of the connection.
                else:
                    self._send(200, encode(whole), "text/event-stream")

            def _send(self, status: int, body: bytes, kind: str = "application/json", most: int | None = None) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body[:most])

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
