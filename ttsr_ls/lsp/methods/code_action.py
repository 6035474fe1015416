"""`textDocument/codeAction`: the fixes of findings."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.actions import Action, quick_fixes
from ttsr_ls.ide.documents import Document
from ttsr_ls.lsp.convert import diagnostic, span_of, text_edit
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.transport.message_text import message_text


async def handle(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The quick fixes for a range. They are made from the newest text, so none can be out of date."""
    if not server.client.takes_code_action_literals or not _wanted(params.context.only):
        return []
    server.analyses.prefer(params.text_document.uri)
    analysis = await server.analyses.newest(params.text_document.uri)
    if analysis is None:
        return []
    where = span_of(params.range, analysis.document, server.client.encoding)
    return [_code_action(server, analysis.document, action) for action in quick_fixes(analysis, where)]


def _wanted(only: object) -> bool:
    """Whether the client wants quick fixes; kinds are prefixes of each other at dots."""
    if not isinstance(only, list | tuple):
        return True
    names = [kind.value if isinstance(kind, types.CodeActionKind) else str(kind) for kind in only]
    return any(name in ("", types.CodeActionKind.QuickFix.value) for name in names)


def _code_action(server: Server, document: Document, action: Action) -> types.CodeAction:
    edits = [text_edit(edit, document, server.client.encoding) for edit in action.fix.edits]
    if server.client.takes_document_changes:
        versioned = types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
        change = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, edits)])
    else:
        change = types.WorkspaceEdit(changes={document.uri: edits})
    return types.CodeAction(
        title=message_text(action.fix.title),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(action.finding, document, server.client)],
        is_preferred=action.preferred or None,
        edit=change,
    )
