"""A model on loopback whose answers lie in the folder that the URL names; its processor time is not measured.

    python -m tests.hostile.model_server

It prints its port. A request to `/<folder>/shop/…` gets the answer in the file of that folder for the request's
provider twice, for an interrupted answer is asked for again, and nothing more to do after that.
"""

from __future__ import annotations

import json
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

from tests.hostile.agent_streams import model_answer
from tests.hostile.hostile_cases import JUDGE_ANSWER, MODEL, PROJECT

_WHOLE_ANSWERS = 2
_PATHS = {"/v1/messages": "anthropic", "/chat/completions": "openai", "/responses": "openai-responses"}


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    asked: ClassVar[Counter[tuple[str, str]]] = Counter()

    def do_POST(self) -> None:
        """Answers with a stream of events, which ends with the connection."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        before, _, after = self.path.partition(f"/{PROJECT}")
        folder = Path(before) / PROJECT
        provider = next((name for path, name in _PATHS.items() if path in after), "gemini")
        path = folder / (JUDGE_ANSWER if asked.get("model") == "judge" else MODEL[provider])
        self.asked[before, path.name] += 1
        if self.asked[before, path.name] <= _WHOLE_ANSWERS and path.exists():
            answer = path.read_bytes()
        else:
            answer = model_answer(provider, ["Done."])
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        try:
            self.wfile.write(answer)
        except OSError:
            self.close_connection = True  # The agent cut the answer off.

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base class has it
        """Nobody reads it."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
