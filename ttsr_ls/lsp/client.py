"""The capabilities of the client in the terms of the server, resolved once at `initialize`."""

from __future__ import annotations

from lsprotocol import types
from msgspec import Struct

from ttsr_ls.ide.semantic_tokens.token_kind import TokenKind
from ttsr_ls.text import Encoding


class Client(Struct, frozen=True):
    """The client's capabilities that this server uses. The defaults are those of a client without any."""

    encoding: Encoding = Encoding.UTF16
    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    refreshes_lenses: bool = False
    refreshes_hints: bool = False
    shows_related_information: bool = False
    shows_code_descriptions: bool = False
    shows_markdown: bool = False
    """In hovers."""
    completes_with_markdown: bool = False
    """In the documentation of completions."""
    completes_with_snippets: bool = False
    completes_with_label_details: bool = False
    """Whether a list of completions shows a few words behind a label."""
    takes_code_action_literals: bool = False
    takes_document_changes: bool = False
    creates_files: bool = False
    """In the edits of a workspace."""
    renames_files: bool = False
    """In the edits of a workspace. Such a client takes changes of documents there even if it does not announce that."""
    token_types: tuple[str, ...] = ()
    """The types of semantic tokens that the server sends, in the order of the legend."""
    answers_configuration: bool = False
    registers_document_sync: bool = False
    registers_watched_files: bool = False
    registers_configuration: bool = False
    shows_runs: bool = False
    """Its plugin shows runs and triggers (`experimental.ttsrRuns`), so the server shows no messages about triggers."""
    opens_documentation: bool = False
    """Its plugin opens rendered pages of the manual (`experimental.ttsrDocumentation`)."""
    shows_documents: bool = False
    """It opens files on request (`window/showDocument`)."""
    shows_progress: bool = False
    """It shows progress that the server creates (`window/workDoneProgress/create`)."""
    has_test_commands: bool = False
    """Its plugin has commands to run the tests of a rule and to open a playground (`experimental.ttsrTests`)."""


def resolve(capabilities: types.ClientCapabilities) -> Client:
    """The client with these capabilities."""
    document = capabilities.text_document or types.TextDocumentClientCapabilities()
    workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
    window = capabilities.window or types.WindowClientCapabilities()
    publish = document.publish_diagnostics or types.PublishDiagnosticsClientCapabilities()
    pull = document.diagnostic
    hover = document.hover or types.HoverClientCapabilities()
    completion = document.completion or types.CompletionClientCapabilities()
    item = completion.completion_item or types.ClientCompletionItemOptions()
    sync = document.synchronization or types.TextDocumentSyncClientCapabilities()
    edit = workspace.workspace_edit or types.WorkspaceEditClientCapabilities()
    refresh = workspace.diagnostics or types.DiagnosticWorkspaceClientCapabilities()
    watched = workspace.did_change_watched_files or types.DidChangeWatchedFilesClientCapabilities()
    configured = workspace.did_change_configuration or types.DidChangeConfigurationClientCapabilities()
    return Client(
        encoding=_encoding(capabilities.general),
        pulls_diagnostics=pull is not None,
        refreshes_diagnostics=bool(refresh.refresh_support),
        refreshes_lenses=bool(workspace.code_lens and workspace.code_lens.refresh_support),
        refreshes_hints=bool(workspace.inlay_hint and workspace.inlay_hint.refresh_support),
        shows_related_information=bool(publish.related_information or (pull and pull.related_information)),
        shows_code_descriptions=bool(publish.code_description_support or (pull and pull.code_description_support)),
        shows_markdown=types.MarkupKind.Markdown in (hover.content_format or ()),
        completes_with_markdown=types.MarkupKind.Markdown in (item.documentation_format or ()),
        completes_with_snippets=bool(item.snippet_support),
        completes_with_label_details=bool(item.label_details_support),
        takes_code_action_literals=bool(document.code_action and document.code_action.code_action_literal_support),
        takes_document_changes=bool(edit.document_changes),
        renames_files=types.ResourceOperationKind.Rename in (edit.resource_operations or ()),
        creates_files=types.ResourceOperationKind.Create in (edit.resource_operations or ()),
        token_types=_token_types(document.semantic_tokens),
        answers_configuration=bool(workspace.configuration),
        registers_document_sync=bool(sync.dynamic_registration),
        registers_watched_files=bool(watched.dynamic_registration),
        registers_configuration=bool(configured.dynamic_registration),
        shows_runs=_has(capabilities, "ttsrRuns"),
        opens_documentation=_has(capabilities, "ttsrDocumentation"),
        shows_documents=bool(window.show_document and window.show_document.support),
        shows_progress=bool(window.work_done_progress),
        has_test_commands=_has(capabilities, "ttsrTests"),
    )


def _has(capabilities: types.ClientCapabilities, name: str) -> bool:
    """Returns whether the client has an extension of the protocol."""
    return isinstance(capabilities.experimental, dict) and capabilities.experimental.get(name) is True


def _token_types(tokens: types.SemanticTokensClientCapabilities | None) -> tuple[str, ...]:
    token_types = frozenset(tokens.token_types) if tokens is not None else frozenset()
    return tuple(kind.value for kind in TokenKind if kind.value in token_types)


def _encoding(general: types.GeneralClientCapabilities | None) -> Encoding:
    """The first encoding in the list of the client that the server supports; UTF-16 without a list."""
    offered = (general.position_encodings if general else None) or ()
    encodings = {encoding.value: encoding for encoding in Encoding}
    return next((encodings[str(name)] for name in map(_name, offered) if name in encodings), Encoding.UTF16)


def _name(kind: types.PositionEncodingKind | str) -> str:
    return kind.value if isinstance(kind, types.PositionEncodingKind) else kind
