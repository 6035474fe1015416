"""`workspace/diagnostic`: the findings of all rule files, open or not.

The first request is answered at once. A client sends the next request as soon as it has an answer, so later requests
are held until something changed.

Open documents are reported, too: VS Code pulls only those in visible tabs, and an extension can keep a document open
for minutes after its tab was closed. VS Code and Neovim prefer the answer to `textDocument/diagnostic` for documents
that they pulled.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from ttsr_ls.file_uri import file_uri
from ttsr_ls.lsp.analysis.checked_files import newest_file_analysis
from ttsr_ls.lsp.analysis.closed_rules import Signature
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import is_file
from ttsr_ls.lsp.window.progress import WorkProgress

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis
    from ttsr_ls.ide.documents import Document
    from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis

_POLL_INTERVAL = 0.3
"""Seconds between polls of the state of the server."""
_DISK_POLL_INTERVAL = 15.0
"""Seconds between polls of the disk for clients that do not report changes of files."""
_SHOWS_PROGRESS = 50
"""The least number of unchecked files for which the client shows the progress."""

_Full = types.WorkspaceFullDocumentDiagnosticReport
_Unchanged = types.WorkspaceUnchangedDocumentDiagnosticReport


async def handle(server: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """Reports the findings that the client does not have yet."""
    known = {each.uri: each.value for each in params.previous_result_ids}
    task = asyncio.current_task()
    if task is not None:
        server.held.add(task)
        task.add_done_callback(server.held.discard)
    documents, has_new_files = server.current.documents, True
    while True:
        # A client drops a pulled report if the document was closed meanwhile, so the report is sent again.
        for uri in server.pulled:
            known.pop(uri, None)
            server.reported_empty.discard(uri)
        pulled, server.pulled = server.pulled, set()
        before, documents, files = documents, server.current.documents, _files_state(server)
        if has_new_files:
            items = await _reports(server, known, pulled)
        else:
            changed = {uri for uri, document in documents.items() if before.get(uri) is not document}
            items = await _open_reports(server, known, pulled, changed | pulled)
        if not params.previous_result_ids or any(isinstance(item, _Full) for item in items):
            return types.WorkspaceDiagnosticReport(items)
        has_new_files = await _wait_for_changes(server, files, documents)
        if server.protocol.was_shut_down:
            return types.WorkspaceDiagnosticReport([])


def _files_state(server: Server) -> object:
    current = server.current
    return current.disk_changes, current.folders, current.rule_folders, frozenset(current.documents)


async def _wait_for_changes(server: Server, files: object, documents: Mapping[str, Document]) -> bool:
    """Waits for a change, a pulled document, or the shutdown. Returns True if files may have changed.

    Changed documents are reported after an interval without changes, in which the client pulls the visible ones.
    """
    waited = 0.0
    while not server.protocol.was_shut_down and _files_state(server) == files:
        if waited >= _DISK_POLL_INTERVAL and not server.client.registers_watched_files:
            return True
        newest, pulled = server.current.documents, len(server.pulled)
        await asyncio.sleep(_POLL_INTERVAL)
        waited += _POLL_INTERVAL
        is_quiet = server.current.documents is newest and len(server.pulled) == pulled
        if is_quiet and (pulled or newest != documents) and _files_state(server) == files:
            return False
    return True


async def _reports(server: Server, known: Mapping[str, str], pulled: Collection[str]) -> list[_Full | _Unchanged]:
    """The reports of all files and documents."""
    items: list[_Full | _Unchanged] = []
    signatures = await server.run_in_thread(server.closed_rules.signatures, server.current)
    new = sum(not server.closed_rules.is_known(signature, server.current) for signature in signatures)
    progress = WorkProgress(server, "Checking rules")
    if new >= _SHOWS_PROGRESS:
        progress.begin()
    try:
        await _add_closed(server, known, signatures, items, progress)
    finally:
        progress.end()
    # A document that was opened meanwhile is reported below, with the findings of its text.
    # A document without a text (`ttsr/didOpen`) is that of the disk.
    documents = (document for document in server.current.documents.values() if is_file(document.uri))
    opened = {document.path: document.uri for document in documents if document.version is not None}
    closed = {file_uri(path) for path, _, _ in signatures if path not in opened}
    items = [item for item in items if item.uri in closed]
    items += await _open_reports(server, known, pulled, server.current.documents)
    reported = {item.uri for item in items} | closed | set(opened.values())
    gone = (uri for uri, identity in known.items() if uri not in reported and identity != _GONE)
    return [*items, *(_Full(uri, [], result_id=_GONE) for uri in gone)]


async def _add_closed(
    server: Server,
    known: Mapping[str, str],
    signatures: Sequence[Signature],
    items: list[_Full | _Unchanged],
    progress: WorkProgress,
) -> None:
    for number, signature in enumerate(signatures):
        progress.report(number, len(signatures))
        # One after the other, so that a check of an open document comes between.
        analysis = await server.run_long(server.closed_rules.analysis, signature, server.current)
        if analysis is not None:
            items.append(_report(server, known, analysis))


async def _open_reports(
    server: Server, known: Mapping[str, str], pulled: Collection[str], uris: Collection[str]
) -> list[_Full | _Unchanged]:
    """The reports of the open documents among `uris`; an empty one where the document's file is gone."""
    items: list[_Full | _Unchanged] = []
    for uri in sorted(uris):
        document = server.current.documents.get(uri)
        if document is None or document.version is None or not is_file(uri):
            continue
        analysis: Analysis | FileAnalysis | None = None
        if await server.run_in_thread(os.path.exists, document.path):
            analysis = await newest_file_analysis(server, uri) or await server.analyses.newest(uri)
        if analysis is not None:
            server.reported_empty.discard(uri)
            items.append(_report(server, known, analysis))
        elif (uri in known or uri in pulled) and known.get(uri) != _GONE and uri not in server.reported_empty:
            # Once: a client keeps the findings that it pulled for the document, and sends their result id again.
            server.reported_empty.add(uri)
            items.append(_Full(uri, [], result_id=_GONE))
    return items


def _report(server: Server, known: Mapping[str, str], analysis: Analysis | FileAnalysis) -> _Full | _Unchanged:
    document = analysis.document
    identity = server.prepared.identity(analysis)
    if known.get(document.uri) == identity:
        return _Unchanged(document.uri, identity, version=document.version)
    found = server.prepared.diagnostics(analysis)
    return _Full(document.uri, found, version=document.version, result_id=identity)


_GONE = "gone"
"""The result id of a file that was removed, or that the server does not check any more."""
