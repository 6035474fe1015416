"""The methods of the server; `methods` implements each in one file.

These files are imported on first use: their imports take half as long as those of the bare protocol library, and the
answer to `initialize` must not wait for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability

from ttsr_ls.lsp.server import Server

# A request is answered by the coroutine `handle` of its file.
REQUESTS: dict[str, str] = {
    types.TEXT_DOCUMENT_DIAGNOSTIC: "diagnostic",
    types.WORKSPACE_DIAGNOSTIC: "workspace_diagnostic",
    types.WORKSPACE_SYMBOL: "structure.workspace_symbol",
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "structure.document_symbol",
    types.TEXT_DOCUMENT_FOLDING_RANGE: "structure.folding_range",
    types.TEXT_DOCUMENT_SELECTION_RANGE: "structure.selection_range",
    types.TEXT_DOCUMENT_DOCUMENT_LINK: "structure.document_link",
    types.TEXT_DOCUMENT_DEFINITION: "structure.definition",
    types.TEXT_DOCUMENT_HOVER: "hover",
    types.TEXT_DOCUMENT_COMPLETION: "completion",
    types.TEXT_DOCUMENT_CODE_ACTION: "code_action",
    types.TEXT_DOCUMENT_CODE_LENS: "trial.code_lens",
}
# A request that the server announces only to a client with a capability: the attributes that lead to it.
REQUESTS_BY_CAPABILITY: dict[str, tuple[str, str]] = {
    types.TEXT_DOCUMENT_REFERENCES: ("rule_names.references", "text_document.references"),
    types.TEXT_DOCUMENT_RENAME: ("rule_names.rename", "text_document.rename"),
    types.TEXT_DOCUMENT_PREPARE_RENAME: ("rule_names.prepare_rename", "text_document.rename.prepare_support"),
    types.WORKSPACE_WILL_RENAME_FILES: ("rule_names.will_rename_files", "workspace.file_operations.will_rename"),
    types.TEXT_DOCUMENT_INLAY_HINT: ("structure.inlay_hint", "text_document.inlay_hint"),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: ("semantic_tokens.full", "text_document.semantic_tokens.requests.full"),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (
        "semantic_tokens.in_range",
        "text_document.semantic_tokens.requests.range",
    ),
}
_TOKEN_REQUESTS = (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)
# A notification is handled by the function `handle` of its file, at once and in order.
NOTIFICATIONS: dict[str, str] = {
    types.INITIALIZE: "initialize",
    types.INITIALIZED: "initialized",
    types.TEXT_DOCUMENT_DID_OPEN: "did_open",
    types.TEXT_DOCUMENT_DID_CHANGE: "did_change",
    types.TEXT_DOCUMENT_DID_CLOSE: "did_close",
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: "did_change_configuration",
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: "did_change_watched_files",
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: "did_change_workspace_folders",
}
# Notifications of our own, whose params are plain JSON.
CUSTOM_NOTIFICATIONS: dict[str, str] = {
    "ttsr/event": "hosting.event",
    "ttsr/events": "hosting.events",
    "ttsr/stream": "hosting.stream",
    "ttsr/didOpen": "ttsr_did_open",
    "ttsr/didClose": "ttsr_did_close",
}
# Requests of our own, whose params are plain JSON. A request is answered by the coroutine `handle` of its file.
CUSTOM_REQUESTS: dict[str, str] = {
    "ttsr/testText": "trial.test_text",
    "ttsr/ruleTests": "trial.rule_tests",
    "ttsr/ruleMatches": "trial.rule_matches",
}
# A command is the coroutine of this name in `execute_command`.
COMMANDS: dict[str, str] = {
    "ttsr.test": "test",
    "ttsr.clearTriggers": "clear_triggers",
    "ttsr.runs": "runs",
    "ttsr.transcript": "transcript",
    "ttsr.silence": "silence",
    "ttsr.clearRuns": "clear_runs",
    "ttsr.documentation": "documentation",
    "ttsr.showDocumentation": "show_documentation",
}
FIX_ALL = "source.fixAll.ttsr-ls"
"""The kind of the code action that applies all safe fixes of a document."""
OPTIONS: dict[str, object] = {
    # A finding may depend on other files (names that shadow each other).
    types.TEXT_DOCUMENT_DIAGNOSTIC: types.DiagnosticOptions(
        identifier="ttsr", inter_file_dependencies=True, workspace_diagnostics=True
    ),
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(
        # "." because VS Code closes its list of globs at the dot of "*.".
        trigger_characters=[":", " ", "(", "\\", "*", ".", "/", ",", "?", '"']
    ),
    types.WORKSPACE_WILL_RENAME_FILES: types.FileOperationRegistrationOptions(
        [
            types.FileOperationFilter(
                types.FileOperationPattern("**/*.{md,mdc,test.yml,test.yaml}", types.FileOperationPatternKind.File),
                scheme="file",
            )
        ]
    ),
    types.TEXT_DOCUMENT_CODE_LENS: types.CodeLensOptions(resolve_provider=False),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]
    ),
}


def create_server() -> Server:
    """Creates a server with all its methods."""
    server = Server()
    for method, file in REQUESTS.items():
        _add_request(server, method, file)
    for method, file in NOTIFICATIONS.items():
        _add_notification(server, method, file)
    for method, file in CUSTOM_NOTIFICATIONS.items():
        server.protocol.add_custom_message(method)
        _add_notification(server, method, file)
    for method, file in CUSTOM_REQUESTS.items():
        server.protocol.add_custom_message(method)
        _add_request(server, method, file)
    for command, function in COMMANDS.items():
        _add_command(server, command, function)
    return server


def add_requests_for(server: Server, capabilities: types.ClientCapabilities) -> None:
    """Adds the requests for the capabilities of the client. To be called before `initialize` is answered."""
    legend = types.SemanticTokensLegend(list(server.client.token_types), [])
    options = dict.fromkeys(_TOKEN_REQUESTS, legend)
    for method, (file, capability) in REQUESTS_BY_CAPABILITY.items():
        if get_capability(capabilities, capability):
            _add_request(server, method, file, options.get(method))


def _add_request(server: Server, method: str, file: str, options: object = None) -> None:
    @server.feature(method, options or OPTIONS.get(method))
    async def request(params: Any) -> Any:
        return await _method(file).handle(server, params)


def _add_notification(server: Server, method: str, file: str) -> None:
    @server.feature(method)
    def notification(params: Any) -> None:
        _method(file).handle(server, params)


def _add_command(server: Server, command: str, function: str) -> None:
    @server.command(command)
    async def run(*arguments: Any) -> Any:
        return await getattr(_method("execute_command"), function)(server, *arguments)


def _method(file: str) -> Any:
    return import_module(f"ttsr_ls.lsp.methods.{file}")
