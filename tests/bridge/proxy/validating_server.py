"""A scripted model on loopback, over HTTP, with its refused requests in `refusals`."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tests.bridge.proxy.anthropic_model import RequestRefused
from tests.loopback_model import LoopbackModel, ModelRequestHandler


class Model(Protocol):
    """A model of some wire, with the requests that it got."""

    requests: list[dict[str, Any]]

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]: ...

    def message(self, body: dict[str, Any]) -> dict[str, Any]: ...


class ModelServer(LoopbackModel):
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
        self._model, self._encode, self._aside = model, encode, aside
        super().__init__()

    def post(self, handler: ModelRequestHandler, data: bytes, body: dict[str, Any]) -> None:
        model = self._model if body.get("tools") else self._aside
        if model is None:
            handler.send(400, b"{}")
            return
        try:
            with self._lock:
                if model is self._model:
                    self.headers.append(dict(handler.headers))
                    self.bodies.append(data)
                number = len(self.bodies) - 1
                is_streaming = body.get("stream") or "streamGenerate" in handler.path
                whole = model.answer(body) if is_streaming else model.message(body)
        except (RequestRefused, LookupError) as error:
            self.refusals.append(repr(error))
            refused = {"type": "error", "error": {"type": "invalid_request_error", "message": repr(error)}}
            handler.send(400, json.dumps(refused).encode())
            return
        stall = self.stalls.get(number)
        if stall is not None:
            self.arrived.set()
            stall.wait(60)
        if isinstance(whole, dict):
            handler.send(200, json.dumps(whole).encode())
        elif number in self.unfinished:
            handler.send(200, self._encode(whole), "text/event-stream", len(self._encode(whole[:-1])))
            handler.connection.settimeout(60)
            handler.connection.recv(1)  # The end of the connection.
        else:
            handler.send(200, self._encode(whole), "text/event-stream")
