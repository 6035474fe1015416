"""VS Code sends the changes of a rule file as whole texts and as parts; the server's text stays that of the editor.

Both registrations of the server match rule files. VS Code's client library (`vscode-languageclient`) sends the pending
whole text before each other message. It takes the text and its version at that moment, while the changes of parts that
led to them may still be queued.
"""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conformance.reference_text import edited
from tests.lsp.conformance.server_session import ServerSession
from tests.lsp.conformance.test_random_edits import RULE, random_change

STEPS = 400
ENCODING = "utf-16"


class Editor:
    """A document in VS Code, and the messages that its client library has yet to send."""

    def __init__(self, session: ServerSession, uri: str) -> None:
        self.texts = [RULE]
        """The text of each version."""
        self._session = session
        self._uri = uri
        self._queue: deque[tuple[int, dict[str, Any]]] = deque()
        self._is_whole_text_pending = False

    def edit(self, change: dict[str, Any]) -> None:
        """Makes a change, and queues its message."""
        self.texts.append(edited(self.texts[-1], change, ENCODING))
        self._queue.append((len(self.texts) - 1, change))
        self._is_whole_text_pending = True

    @property
    def has_messages(self) -> bool:
        """True if messages are yet to be sent."""
        return bool(self._queue)

    def send_next(self) -> None:
        """Sends the pending whole text and the first change of the queue, as before and with any other message."""
        if self._is_whole_text_pending:
            self._is_whole_text_pending = False
            self._send(len(self.texts) - 1, {"text": self.texts[-1]})
        if self._queue:
            self._send(*self._queue.popleft())

    def _send(self, version: int, change: dict[str, Any]) -> None:
        document = {"uri": self._uri, "version": version}
        self._session.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        known = self._session.server.current.documents[self._uri]
        assert known.version is not None
        assert known.text == self.texts[known.version]
        assert known.version >= version


@pytest.mark.parametrize("name", [".omp/rules/a.md", "src/a.ts"])
async def test_the_text_equals_the_editors_in_any_order_of_full_and_incremental_changes(
    tmp_path: Path, name: str
) -> None:
    rng = random.Random(name)
    session = ServerSession(ENCODING)
    await session.start([tmp_path])
    uri = (tmp_path / name).as_uri()
    item = {"uri": uri, "languageId": "markdown", "version": 0, "text": RULE}
    session.notify("textDocument/didOpen", {"textDocument": item})
    editor = Editor(session, uri)
    for _ in range(STEPS):
        if rng.random() < 0.5:
            long = len(editor.texts[-1]) > 600  # Long texts only make the reference slow.
            editor.edit({"text": RULE} if long else random_change(editor.texts[-1], rng, ENCODING))
        else:
            editor.send_next()
    while editor.has_messages:
        editor.send_next()
    assert session.server.current.documents[uri].text == editor.texts[-1]
    await session.end()
    assert len(editor.texts) > STEPS // 3
    assert not session.checker.problems
