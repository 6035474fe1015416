"""A model on loopback that says what a script says: OpenAI's Responses API as far as Codex needs it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ResponsesServer:
    """Answers the n-th request with the n-th answer: a text, or the arguments of a call of `exec_command`.

    Arguments with an `input` are those of a call of `apply_patch`, which Codex offers to some models.
    """

    def __init__(self, answers: Sequence[str | dict[str, Any]]) -> None:
        self._answers = list(answers)
        self.requests: list[dict[str, Any]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self.send_error(404)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for event in server.answer(body):
                    # An agent that is interrupted closes its connection.
                    with suppress(ConnectionError):
                        self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def answer(self, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        number = len(self.requests)
        self.requests.append(body)
        return self.events(number, self._answers[min(number, len(self._answers) - 1)])

    def events(self, number: int, answer: str | dict[str, Any]) -> Iterator[dict[str, Any]]:
        item: dict[str, Any]
        if isinstance(answer, str):
            content = [{"type": "output_text", "text": answer}]
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}
            begun = {**item, "content": []}
        elif "input" in answer:
            call = {"id": f"ctc_{number}", "call_id": f"call_{number}", "name": "apply_patch"}
            item = {"type": "custom_tool_call", **call, "input": answer["input"]}
            begun = {**item, "input": ""}
        else:
            call = {"id": f"fc_{number}", "call_id": f"call_{number}", "name": "exec_command"}
            item = {"type": "function_call", **call, "arguments": json.dumps(answer)}
            begun = {**item, "arguments": ""}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        yield {"type": "response.created", "response": {"id": f"resp_{number}"}}
        yield {"type": "response.output_item.added", "output_index": 0, "item": begun}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        yield {"type": "response.completed", "response": {"id": f"resp_{number}", "usage": usage}}
