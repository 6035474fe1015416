"""Pushes diagnostics to the client: findings if it cannot pull them, and triggers always.

A push replaces all diagnostics that were pushed for a document before, so this module pushes both kinds. A client that
pulls keeps pulled and pushed diagnostics apart (Neovim by namespace, VS Code by collection). Outdated diagnostics are
never sent: no other task runs between the last check and the sending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_detection import is_rule_document
from ttsr_ls.lsp.analysis.checked_files import newest_file_analysis
from ttsr_ls.lsp.runs import trigger_view
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.trial.case_documents import cases_of_rule
from ttsr_ls.lsp.uris import path_of
from ttsr_ls.store.discovery.discovery import RuleUnreadableError, read_file

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis
    from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis

T = TypeVar("T")


class _OvertakenError(Exception):
    """A later read of the same file has begun. Its text is newer, and it publishes the diagnostics."""


def document_changed(server: Server, uri: str) -> None:
    """Schedules an update of the diagnostics of a document."""
    if uri not in server.publishing and _may_show(server, uri):
        server.publishing.add(uri)
        server.start(_publish(server, uri))


def document_closed(server: Server, uri: str) -> None:
    """Removes the pushed diagnostics of a closed document, and updates those of its file."""
    if uri in server.published:
        _send(server, uri, None, [])
    document_changed(server, uri)


def everything_changed(server: Server) -> None:
    """Updates the diagnostics of all documents, after a change that affects all of them."""
    for uri in server.current.documents:
        document_changed(server, uri)
    if server.client.pulls_diagnostics and server.client.refreshes_diagnostics:
        server.workspace_diagnostic_refresh(None)
    if server.client.refreshes_hints:
        server.workspace_inlay_hint_refresh(None)


def files_changed(server: Server, paths: Iterable[str]) -> None:
    """Updates the marks of triggers on files that were changed or removed on the disk."""
    for uri in trigger_view.marked_files_at(server, paths):
        document_changed(server, uri)


def _may_show(server: Server, uri: str) -> bool:
    """Returns whether there may be diagnostics to push: a client that pulls needs no analysis otherwise."""
    return not server.client.pulls_diagnostics or uri in server.published or trigger_view.concerns(server, uri)


def cases_changed(server: Server, rule: Document) -> None:
    """Updates the findings of open test files, after their rule was opened, changed, or closed."""
    tests = cases_of_rule(server.current, rule)
    for uri in tests:
        document_changed(server, uri)
    if tests and server.client.pulls_diagnostics and server.client.refreshes_diagnostics:
        server.workspace_diagnostic_refresh(None)


async def _publish(server: Server, uri: str) -> None:
    try:
        file = None if server.client.pulls_diagnostics else await newest_file_analysis(server, uri)
        analysis = await server.analyses.newest(uri) if file is None else None
    finally:
        server.publishing.discard(uri)
    if file is not None:
        _publish_file(server, file)
        return
    try:
        if uri in server.current.documents:
            await _publish_open(server, uri, analysis)
        else:
            await _publish_closed(server, uri)
    except _OvertakenError:
        return


async def _publish_open(server: Server, uri: str, analysis: Analysis | None) -> None:
    twin = trigger_view.uri_before_opening(server, uri)
    if twin in server.published:
        _send(server, twin, None, [])
    newest = server.current.documents[uri]
    document = newest if analysis is not None else await _document_with_text(server, newest)
    if document is None or server.current.documents.get(uri) is not newest:
        return  # A newer version is published by the change that made it.
    items: list[types.Diagnostic] = []
    if analysis is not None and not server.client.pulls_diagnostics:
        items += server.prepared.diagnostics(analysis)
    items += trigger_view.diagnostics(server, document, analysis)
    if items or uri in server.published or (analysis is not None and not server.client.pulls_diagnostics):
        _send(server, uri, document.version, items)


def _publish_file(server: Server, analysis: FileAnalysis) -> None:
    file = analysis.document
    items = server.prepared.diagnostics(analysis) + trigger_view.diagnostics(server, file, None)
    _send(server, file.uri, file.version, items)


async def _publish_closed(server: Server, uri: str) -> None:
    """Marks triggers on a file that is not open, by its text on the disk, so that the list of problems is complete.

    Raises _OvertakenError.
    """
    items: list[types.Diagnostic] = []
    if trigger_view.concerns(server, uri):
        # None if the agent's write was prevented, or the file was removed.
        closed = await _read(server, uri, _read_closed, uri, server.current.rule_folders)
        if uri in server.current.documents:
            return
        items = trigger_view.diagnostics(server, *closed) if closed is not None else []
    if items or uri in server.published:
        _send(server, uri, None, items)


def _read_closed(uri: str, rule_folders: frozenset[str]) -> tuple[Document, Analysis | None]:
    # Imported lazily: it takes long to import, and the answer to `initialize` must not wait for it.
    from ttsr_ls.ide.analysis import Analysis, read_document

    path = path_of(uri)
    text = read_file(Path(path)).decode("utf-8", "replace")
    document = Document.of(uri, path, None, text)
    is_rule = is_rule_document(document, rule_folders)
    return document, Analysis(document, read_document(document), ()) if is_rule else None


async def _document_with_text(server: Server, document: Document) -> Document | None:
    """A document other than a rule with its text, from the disk if the editor did not send it.

    None if it has no triggers, so that other Markdown files cost nothing. Raises _OvertakenError.
    """
    if not trigger_view.concerns(server, document.uri):
        return document if document.uri in server.published else None
    if document.version is not None:
        return document
    data = await _read(server, document.uri, read_file, Path(document.path))
    if data is None:
        return document
    return Document.of(document.uri, document.path, None, data.decode("utf-8", "replace"))


async def _read(server: Server, uri: str, read: Callable[..., T], *arguments: object) -> T | None:
    """Reads the file at `uri` in a thread; None if it cannot be read. Raises _OvertakenError."""
    this_read = server.newest_reads[uri] = object()
    result: T | None
    try:
        result = await server.run_in_thread(read, *arguments)
    except RuleUnreadableError:
        result = None
    if server.newest_reads.get(uri) is not this_read:
        raise _OvertakenError
    del server.newest_reads[uri]
    return result


def _send(server: Server, uri: str, version: int | None, items: list[types.Diagnostic]) -> None:
    if items:
        server.published.add(uri)
    else:
        server.published.discard(uri)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items, version))
