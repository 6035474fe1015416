"""`workspace/didChangeWatchedFiles`: files were created, removed, or changed on the disk."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.watched_files import is_of_git, is_watched
from ttsr_ls.lsp import background, publishing
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import path_of


def handle(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Checks the rules again if a watched file changed. Other files affect match counts and marks of triggers."""
    paths = [path_of(change.uri) for change in params.changes]
    if any(not is_of_git(path) for path in paths):
        server.match_counts.files_changed()
    publishing.files_changed(server, paths)
    if any(is_watched(path) for path in paths):
        background.rules_changed(server)
