"""`workspace/diagnostic`: the findings of all rule files that are not open.

The first answer comes at once. A client asks again as soon as it has an answer, so later ones are held back until
there is news.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from lsprotocol import types

from ttsr_ls.lsp.analysis.closed_rules import Signature
from ttsr_ls.lsp.convert import diagnostic
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import uri_of
from ttsr_ls.lsp.window.progress import WorkProgress

_LOOK = 0.3
"""Seconds between looks at what the server knows itself."""
_LOOK_AT_DISK = 15.0
"""Seconds between looks at the disk for clients that report no changes of files."""
_LONG = 50
"""From so many files on that have to be checked, the client shows the progress."""

_Item = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


async def handle(server: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """The findings that the client does not have yet."""
    known = {each.uri: each.value for each in params.previous_result_ids}
    task = asyncio.current_task()
    if task is not None:
        server.held.add(task)
        task.add_done_callback(server.held.discard)
    while True:
        state = _state(server)
        items = await _reports(server, known)
        if not known or any(isinstance(item, types.WorkspaceFullDocumentDiagnosticReport) for item in items):
            return types.WorkspaceDiagnosticReport(items)
        waited = 0.0
        while _state(server) == state and (server.client.registers_watched_files or waited < _LOOK_AT_DISK):
            if server.protocol.was_shut_down:
                return types.WorkspaceDiagnosticReport([])
            await asyncio.sleep(_LOOK)
            waited += _LOOK


def _state(server: Server) -> object:
    current = server.current
    return current.disk_changes, current.folders, current.rule_folders, frozenset(current.documents)


async def _reports(server: Server, known: Mapping[str, str]) -> list[_Item]:
    items: list[_Item] = []
    signatures = await server.run_in_thread(server.closed_rules.signatures, server.current)
    new = sum(not server.closed_rules.is_known(signature, server.current) for signature in signatures)
    progress = WorkProgress(server, "Checking rules")
    if new >= _LONG:
        progress.begin()
    try:
        await _add_reports(server, known, signatures, items, progress)
    finally:
        progress.end()
    # A document that was opened meanwhile has findings of its own, which these must not replace.
    opened = {document.path for document in server.current.documents.values()}
    there = {uri_of(path) for path, _, _ in signatures if path not in opened}
    items = [item for item in items if item.uri in there]
    for uri, identity in known.items():
        if uri not in there and identity != _GONE:
            items.append(types.WorkspaceFullDocumentDiagnosticReport(uri, [], result_id=_GONE))
    return items


async def _add_reports(
    server: Server,
    known: Mapping[str, str],
    signatures: Sequence[Signature],
    items: list[_Item],
    progress: WorkProgress,
) -> None:
    for number, signature in enumerate(signatures):
        progress.report(number, len(signatures))
        # One after the other, so that questions of the person at the keyboard come between.
        analysis = await server.run_in_thread(server.closed_rules.analysis, signature, server.current)
        if analysis is None:
            continue
        uri = analysis.document.uri
        if known.get(uri) == analysis.identity:
            items.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, analysis.identity))
        else:
            found = [diagnostic(finding, analysis.document, server.client) for finding in analysis.findings]
            items.append(types.WorkspaceFullDocumentDiagnosticReport(uri, found, result_id=analysis.identity))


_GONE = "gone"
"""The result of a file that is open now, or not there any more."""
