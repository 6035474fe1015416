"""`textDocument/inlayHint`: bucket, streams, files, and flags within the text of a rule."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.escaping import one_line
from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.inlay_hints import RuleHint, rule_hints
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.convert import lsp_position, span_of
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.workspace_files import after_listing
from ttsr_ls.text import Span


async def handle(server: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The hints in the range; None for a file that is no rule, and where the setting switches them off."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None or not server.options.inlay_hints:
        return None
    area = span_of(params.range, document, server.client.encoding)
    return [
        types.InlayHint(
            lsp_position(document.index.position(hint.offset, server.client.encoding)),
            one_line(hint.label),
            tooltip=one_line(hint.tooltip) or None,
            padding_left=True,
        )
        for hint in await after_listing(server.run_in_thread, _hints, server, server.current, document, area)
    ]


def _hints(server: Server, workspace: Workspace, document: Document, area: Span) -> tuple[RuleHint, ...]:
    context = server.analyses.context(document, workspace)
    return rule_hints(read_document(document), context, lambda: server.files.around(document.path, workspace), area)
