"""`initialized`: the client accepts messages, so the server registers capabilities and begins to follow runs."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.watched_files import ALL_FILES, watched_globs
from ttsr_ls.lsp import background
from ttsr_ls.lsp.server import Server


def handle(server: Server, params: types.InitializedParams) -> None:
    """Registers dynamic capabilities, and starts the background tasks."""
    if server.is_started:
        return  # A client that sends it again must not start everything a second time.
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
        # Triggers are marked on open files of any language, and move with their texts. Incremental changes suffice, and
        # cost little.
        selector = [types.TextDocumentFilterScheme(scheme="file")]
        files = types.TextDocumentRegistrationOptions(selector)
        changes = types.TextDocumentChangeRegistrationOptions(types.TextDocumentSyncKind.Incremental, selector)
        registrations.append(types.Registration("ttsr-open", types.TEXT_DOCUMENT_DID_OPEN, files))
        registrations.append(types.Registration("ttsr-change", types.TEXT_DOCUMENT_DID_CHANGE, changes))
        registrations.append(types.Registration("ttsr-close", types.TEXT_DOCUMENT_DID_CLOSE, files))
    return registrations
