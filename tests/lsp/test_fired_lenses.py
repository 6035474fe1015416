"""Lenses that tell how often a condition fired."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from tests.lsp.logged_run import RULE, Run, trigger
from tests.lsp.talk import Starter


async def test_a_lens_shows_how_often_a_condition_fired(start: Starter) -> None:
    talk = await start("testing")
    path = talk.rules / "a.md"
    path.write_text(RULE)
    uri = talk.open("a.md", RULE)
    run = Run(talk.folder, 1_000)
    for _ in range(3):
        run.log(trigger(path, None))
    await talk.push(uri, lambda one: any("3 times" in diagnostic.message for diagnostic in one.diagnostics))
    client: Any = talk.client
    asked = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = await client.text_document_code_lens_async(asked)
    assert (3, "fired 3×") in [(lens.range.start.line, lens.command.title) for lens in found]
    seen = talk.refreshed.count(types.WORKSPACE_CODE_LENS_REFRESH)
    await talk.run("ttsr.clearTriggers")
    await talk.until(lambda: talk.refreshed.count(types.WORKSPACE_CODE_LENS_REFRESH) > seen)
    found = await client.text_document_code_lens_async(asked)
    assert not [lens for lens in found if lens.command.title.startswith("fired")]


async def test_several_triggers_cause_one_request_for_new_lenses(start: Starter) -> None:
    talk = await start("testing")
    path = talk.rules / "a.md"
    path.write_text(RULE)
    talk.open("a.md", RULE)

    def refreshes() -> int:
        return talk.refreshed.count(types.WORKSPACE_CODE_LENS_REFRESH)

    run = Run(talk.folder, 1_000)
    for _ in range(20):
        run.log(trigger(path, None))
    await talk.until(lambda: refreshes() > 0)
    assert refreshes() < 10
