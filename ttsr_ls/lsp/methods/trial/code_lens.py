"""`textDocument/codeLens`: matches, tests, and playground of a rule, for clients with the commands for these."""

from __future__ import annotations

import os
from pathlib import Path

from lsprotocol import types

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.code_lenses import RuleLens, fired_lenses, match_lens, rule_lenses
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.convert import lsp_range
from ttsr_ls.lsp.match_counts.match_count import MatchCount
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import can_be_a_path, is_file


async def handle(server: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """The lenses of an open rule."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None or not server.client.has_test_commands or not server.options.lenses:
        return None
    if server.options.match_counts:
        count = server.match_counts.shown(document)
    else:
        count = None
        server.match_counts.forget(document.uri)
    found = await server.run_in_thread(_lenses, document, server.current, server.board.triggers, count)
    return [
        types.CodeLens(
            lsp_range(lens.span, document.index, server.client.encoding),
            types.Command(lens.title, lens.command, arguments=[document.uri]),
        )
        for lens in found
    ]


def _lenses(
    document: Document, workspace: Workspace, triggers: tuple[LiveTrigger, ...], count: MatchCount | None
) -> tuple[RuleLens, ...]:
    from ttsr_ls.lsp.trial.trial_rules import open_texts
    from ttsr_ls.store.rule_test_files import rules_with_tests

    path = Path(document.path)
    on_disk = is_file(document.uri) and can_be_a_path(document.path) and path.is_file()
    cases = rules_with_tests((path,), open_texts(workspace))[0].cases if on_disk else ()
    file = read_document(document)
    fired = fired_lenses(file, os.path.realpath(document.path), triggers) if on_disk else ()
    lenses = rule_lenses(file, cases)
    match_count = (
        None if count is None else match_lens(lenses, count.matches, count.files, is_complete=count.is_complete)
    )
    return (*(() if match_count is None else (match_count,)), *lenses, *fired)
