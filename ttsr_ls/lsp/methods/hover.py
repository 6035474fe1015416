"""`textDocument/hover`: explains a key or a value, of a rule file or of the project's configuration."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.explain.hover import Hover, hover_rule
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.configuration_document import config_text, configuration_document, is_configuration
from ttsr_ls.lsp.convert import lsp_range, markup, offset_of
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.workspace_files import WorkspaceFiles, after_listing


async def handle(server: Server, params: types.HoverParams) -> types.Hover | None:
    """The hover at a position; None in other files."""
    uri = params.text_document.uri
    document = server.current.rule_document(uri) or configuration_document(server.current, uri)
    if document is None:
        return None
    server.analyses.prefer(document.uri)
    encoding = server.client.encoding
    # Parsed again instead of using the analysis, which may still be busy with a costly pattern.
    offset = offset_of(params.position, document, encoding)
    hover = await after_listing(server.off_loop_first, _hover, document, offset, server.current, server.files)
    if hover is None:
        return None
    content = markup(hover.markdown, shows_markdown=server.client.shows_markdown)
    return types.Hover(content, lsp_range(hover.span, document.index, encoding))


def _hover(document: Document, offset: int, workspace: Workspace, files: WorkspaceFiles) -> Hover | None:
    if is_configuration(document.path):
        from ttsr_ls.ide.configuration.config_hover import config_hover

        return config_hover(config_text(document), offset, lambda: files.around(document.path, workspace))
    return hover_rule(read_document(document), offset, lambda: files.around(document.path, workspace))
