"""`textDocument/completion`: in rules, their tests, and the project's configuration."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.completion.complete import complete_rule
from ttsr_ls.ide.completion.completion import Completion, CompletionKind
from ttsr_ls.ide.completion.plain_snippet import snippet_as_text
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.configuration_document import config_text, configuration_document, is_configuration
from ttsr_ls.lsp.convert import lsp_range, markup, offset_of
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.trial.case_documents import case_document
from ttsr_ls.lsp.uris import can_be_a_path
from ttsr_ls.lsp.workspace_files import WorkspaceFiles, after_listing
from ttsr_ls.rule_tests.case_file_names import is_case_file
from ttsr_ls.rules.rule import Rule

_KINDS = {
    CompletionKind.RULE: types.CompletionItemKind.Snippet,
    CompletionKind.KEY: types.CompletionItemKind.Property,
    CompletionKind.VALUE: types.CompletionItemKind.EnumMember,
    CompletionKind.TOOL: types.CompletionItemKind.Function,
    CompletionKind.GLOB: types.CompletionItemKind.File,
    CompletionKind.PATTERN: types.CompletionItemKind.Operator,
}


async def handle(server: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
    """Answers `textDocument/completion`."""
    uri = params.text_document.uri
    document = (
        server.current.rule_document(uri)
        or case_document(server.current, uri)
        or configuration_document(server.current, uri)
    )
    if document is None:
        return []
    server.analyses.prefer(document.uri)
    offset = offset_of(params.position, document, server.client.encoding)
    found = await after_listing(server.off_loop_first, _complete, document, offset, server.current, server.files)
    return [_completion_item(server, document, completion, number) for number, completion in enumerate(found)]


def _complete(document: Document, offset: int, workspace: Workspace, files: WorkspaceFiles) -> tuple[Completion, ...]:
    if is_configuration(document.path):
        from ttsr_ls.ide.configuration.config_completion import complete_config

        return complete_config(config_text(document), offset, lambda: files.around(document.path, workspace).names)
    if is_case_file(document.path):
        from ttsr_ls.ide.completion.case_file import complete_case_file

        return complete_case_file(
            document.index,
            offset,
            lambda: files.around(document.path, workspace).names,
            lambda: _tested_rule(document.path, workspace),
        )
    return complete_rule(
        read_document(document), document.index, offset, lambda: files.around(document.path, workspace).names
    )


def _tested_rule(path: str, workspace: Workspace) -> Rule | None:
    """The rule of a test file, with the text of the editor; None if it cannot be tested."""
    from ttsr_ls.lsp.trial.trial_rules import open_texts
    from ttsr_ls.store.case_file_paths import rule_file_of
    from ttsr_ls.store.rule_test_files import rules_with_tests

    rule_file = rule_file_of(Path(path)) if can_be_a_path(path) else None
    return None if rule_file is None else rules_with_tests((rule_file,), open_texts(workspace))[0].rule


def _completion_item(server: Server, document: Document, completion: Completion, number: int) -> types.CompletionItem:
    inserts_snippet = completion.is_snippet and server.client.completes_with_snippets
    text = snippet_as_text(completion.text) if completion.is_snippet and not inserts_snippet else completion.text
    shows_details = completion.detail is not None and server.client.completes_with_label_details
    return types.CompletionItem(
        label=completion.label,
        kind=_KINDS[completion.kind],
        detail=None if shows_details else completion.detail,
        label_details=types.CompletionItemLabelDetails(description=completion.detail) if shows_details else None,
        documentation=markup(completion.documentation, shows_markdown=server.client.completes_with_markdown),
        # Keeps the order of the server: editors sort by label otherwise.
        sort_text=f"{number:04}",
        # The replaced text may not be the beginning of the label, such as `---` for a whole rule.
        filter_text=document.text[completion.span.start : completion.span.end] or None
        if inserts_snippet
        else completion.filter_text,
        insert_text_format=types.InsertTextFormat.Snippet if inserts_snippet else None,
        text_edit=types.TextEdit(lsp_range(completion.span, document.index, server.client.encoding), text),
    )
