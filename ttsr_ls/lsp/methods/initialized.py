"""`initialized`: the client listens now, so the server may register for more and begin to follow runs."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.watched_files import ALL_FILES, watched_globs
from ttsr_ls.lsp import background
from ttsr_ls.lsp.server import Server


def handle(server: Server, params: types.InitializedParams) -> None:
    """Registers dynamic capabilities, and starts the background tasks."""
    if server.is_started:
        return  # It is said once; who says it again must not have everything started anew.
    server.is_started = True
    registrations = _registrations(server)
    if registrations:
        server.client_register_capability(types.RegistrationParams(registrations))
    background.configuration_changed(server)
    background.folders_changed(server)


def _registrations(server: Server) -> list[types.Registration]:
    registrations: list[types.Registration] = []
    if server.client.registers_watched_files:
        watchers = types.DidChangeWatchedFilesRegistrationOptions(
            [types.FileSystemWatcher(glob) for glob in watched_globs()]
        )
        registrations.append(types.Registration("ttsr-rule-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watchers))
        if server.client.has_test_commands and server.client.refreshes_lenses:
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(ALL_FILES)])
            registrations.append(
                types.Registration("ttsr-all-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            )
    if server.client.registers_configuration:
        section = types.DidChangeConfigurationRegistrationOptions(section="ttsr")
        registrations.append(types.Registration("ttsr-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if server.client.registers_document_sync:
        # Triggers show on the file that an agent writes, of any language, while it is open, and move with its text.
        # Only what changed is asked for: typing in other people's languages costs next to nothing.
        selector = [types.TextDocumentFilterScheme(scheme="file")]
        files = types.TextDocumentRegistrationOptions(selector)
        changes = types.TextDocumentChangeRegistrationOptions(types.TextDocumentSyncKind.Incremental, selector)
        registrations.append(types.Registration("ttsr-open", types.TEXT_DOCUMENT_DID_OPEN, files))
        registrations.append(types.Registration("ttsr-change", types.TEXT_DOCUMENT_DID_CHANGE, changes))
        registrations.append(types.Registration("ttsr-close", types.TEXT_DOCUMENT_DID_CLOSE, files))
    return registrations
