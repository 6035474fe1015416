"""`workspace/didChangeWatchedFiles`: rule files appeared, went or changed on the disk."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp import background
from ttsr_ls.lsp.server import Server


def handle(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Reads the rule folders again."""
    background.rules_changed(server)
