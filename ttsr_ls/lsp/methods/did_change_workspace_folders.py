"""`workspace/didChangeWorkspaceFolders`: folders were added to the workspace or removed from it."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp import background
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import folders_of, path_of


def handle(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Follows the folders that are open now, and removes the runs of the closed ones."""
    removed = {path_of(folder.uri) for folder in params.event.removed}
    added = folders_of(folder.uri for folder in params.event.added)
    kept = [folder for folder in server.current.folders if folder not in removed]
    # First: marks are removed only from files of workspace folders.
    background.forget_closed(server, removed, [*kept, *added])
    server.current = server.current.with_folders([*kept, *added])
    background.folders_changed(server)
