"""Lenses that tell how often a condition fired."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from tests.lsp.logged_run import RULE, Run, trigger
from tests.lsp.talk import Starter


async def test_a_condition_that_fired_says_how_often(start: Starter) -> None:
    talk = await start("testing")
    path = talk.rules / "a.md"
    path.write_text(RULE)
    uri = talk.open("a.md", RULE)
    run = Run(talk.folder, 1_000)
    for _ in range(3):
        run.tell(trigger(path, None))
    await talk.push(uri, lambda one: any("3 times" in diagnostic.message for diagnostic in one.diagnostics))
    client: Any = talk.client
    found = await client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    assert (3, "fired 3×") in [(lens.range.start.line, lens.command.title) for lens in found]
