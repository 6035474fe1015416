"""Names of rules for clients with other capabilities: without renamed files, and with other positions."""

from __future__ import annotations

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.named_rules import RULE, make_project, opened, references, rename
from tests.lsp.talk import Starter


async def test_an_editor_that_cannot_rename_files_gets_an_error(start: Starter) -> None:
    talk = await start("plain-edits")
    uri = opened(talk, talk.rules / "a.md", RULE.format(1, "b"))
    assert talk.initialized is not None
    assert talk.initialized.capabilities.rename_provider is True, "options are for clients that prepare"
    assert talk.initialized.capabilities.references_provider is None
    with pytest.raises(JsonRpcException, match="does not let a language server rename files"):
        await rename(talk, uri, 0, 1, "b")


async def test_positions_are_in_the_encoding_of_the_client(start: Starter) -> None:
    talk = await start("neovim")
    made = make_project(talk)
    uri = talk.open(str(made["rule"]), made["rule"].read_text())
    found = await references(talk, uri, 0, 0)
    assert ("/.omp/settings.json", (0, 37, 0, 43)) in found
    edit = await rename(talk, uri, 0, 1, "b")
    assert sum(isinstance(change, types.RenameFile) for change in edit.document_changes or ()) == 3
