"""After any edits, the server's text is that of the editor: whatever ends a line or only looks as if it did."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conformance.reference_text import edited, position_of
from tests.lsp.conformance.server_session import ServerSession
from ttsr_ls.text import Encoding

SEED = 20261122
EDITS = 250
PIECES = [
    "\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "a", "bc ", "é", "语", "😀", "👩‍💻", "",
    "\n\r", "one\ntwo\r\nthree\rfour", "---\ncondition: 'x😀'\n---\n", "\ufeff", "\u202e",
]  # fmt: skip
RULE = "---\r\ncondition: 'a😀b'\n# é\u2028\r---\nbody\u0085 语\n"


def random_change(text: str, rng: random.Random, encoding: str) -> dict[str, Any]:
    """A change at a place of the text, now and then one of the whole text, past an end, or inside of a character."""
    new = "".join(rng.choices(PIECES, k=rng.choice([0, 1, 1, 3])))
    if rng.random() < 0.02:
        return {"text": new + RULE}
    first = rng.randrange(len(text) + 1)
    last = min(first + rng.choice([0, 0, 1, 2, 10, 60]), len(text))
    start, end = position_of(text, first, encoding), position_of(text, last, encoding)
    if rng.random() < 0.1:
        end["character"] += rng.choice([1, 1_000])
    if rng.random() < 0.01:
        end["line"] += 1_000
    return {"range": {"start": start, "end": end}, "text": new}


@pytest.mark.parametrize("encoding", [encoding.value for encoding in Encoding])
@pytest.mark.parametrize("name", [".omp/rules/a.md", "src/a.ts"])
async def test_random_edits_keep_the_text_equal_to_a_reference_buffer(tmp_path: Path, encoding: str, name: str) -> None:
    rng = random.Random(f"{SEED} {encoding} {name}")
    session = ServerSession(encoding)
    await session.start([tmp_path])
    uri, text = (tmp_path / name).as_uri(), RULE
    item = {"uri": uri, "languageId": "markdown", "version": 0, "text": text}
    session.notify("textDocument/didOpen", {"textDocument": item})
    lengths = set()
    for version in range(1, EDITS + 1):
        changes = []
        for _ in range(rng.choice([1, 1, 1, 3])):
            changes.append(random_change(text, rng, encoding))
            text = edited(text, changes[-1], encoding)
        document = {"uri": uri, "version": version}
        session.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        assert session.server.current.documents[uri].text == text, changes
        lengths.add(len(text))
        if len(text) > 600:  # Long texts only make the reference slow.
            text = RULE
            change = {"textDocument": {"uri": uri, "version": version + EDITS}, "contentChanges": [{"text": text}]}
            session.notify("textDocument/didChange", change)
    await session.end()
    assert len(lengths) > EDITS // 8
    assert not session.checker.problems
