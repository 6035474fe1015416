"""A conversation with a server, in few words."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import register_lsp_features

from tests.fork_server import program
from tests.lsp.conformance.message_checker import MessageChecker
from ttsr_ls.lsp.transport.message_converter import message_converter

ROOT = Path(__file__).parents[2]
CAPABILITIES = ROOT / "tests" / "vectors" / "editor_capabilities.json"

PATIENCE = 120.0

Starter = Callable[..., Awaitable["Talk"]]


def capabilities_of(editor: str) -> types.ClientCapabilities:
    """What an editor said of itself; `pushed` is VS Code as it was before diagnostics could be pulled.

    `plain` is VS Code if it showed plain text only, `testing` VS Code with the extension's own commands, `runs` VS Code
    whose extension shows runs, `documentation` VS Code whose extension opens pages of the manual,
    `unhurried` VS Code if it showed no progress, `plain-edits` one that neither renames files nor prepares a renaming,
    `few-colours` one that knows few types of semantic tokens, and no inlay hints.
    """
    recorded = json.loads(CAPABILITIES.read_text())
    variants = ("pushed", "plain", "testing", "runs", "documentation", "unhurried", "plain-edits", "few-colours")
    found = recorded["vscode" if editor in variants else editor]["capabilities"]
    if editor == "few-colours":
        found["textDocument"]["semanticTokens"]["tokenTypes"] = ["operator", "their-own"]
        found["textDocument"]["semanticTokens"]["requests"] = {"range": True}
        del found["textDocument"]["inlayHint"]
    if editor == "plain-edits":
        del found["workspace"]["workspaceEdit"]["resourceOperations"]
        del found["textDocument"]["references"]
        found["textDocument"]["rename"] = {}
    if editor == "runs":
        found["experimental"] = {"ttsrRuns": True}
    if editor == "documentation":
        found["experimental"] = {"ttsrDocumentation": True}
    if editor == "unhurried":
        del found["window"]["workDoneProgress"]
    if editor == "plain":
        found["textDocument"]["hover"]["contentFormat"] = ["plaintext"]
        found["textDocument"]["completion"]["completionItem"]["documentationFormat"] = ["plaintext"]
    if editor == "testing":
        found["experimental"] = {"ttsrTests": True}
    if editor == "pushed":
        del found["textDocument"]["diagnostic"]
        del found["workspace"]["diagnostics"]
    return message_converter().structure(found, types.ClientCapabilities)


def make_folder(root: Path) -> Path:
    """A workspace folder with a folder for rules, in an empty one."""
    folder = root.resolve() / "shop"
    (folder / ".omp" / "rules").mkdir(parents=True)
    (folder / ".git").mkdir()
    return folder


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Starter]:
    """Starts servers for windows on `folder`, whose parent stands for the home folder, and ends them.

    At the end, all messages of the servers have to conform to the protocol.
    """
    home = folder.parent
    own = {"PYTHONPATH": str(ROOT), "HOME": str(home / "home"), "XDG_STATE_HOME": str(home / "state")}
    clients: list[LanguageClient] = []
    checkers: list[MessageChecker] = []

    async def start(editor: str, options: object = None, folders: Sequence[types.WorkspaceFolder] = ()) -> Talk:
        config = ClientServerConfig(program("serve"), make_client, server_env={**os.environ, **own})
        client = await config.start()
        assert isinstance(client, LanguageClient)
        clients.append(client)
        checkers.append(check_traffic(client))
        talk = Talk(client, folder)
        await talk.begin(editor, options, folders)
        return talk

    yield start
    for client in clients:
        await client.shutdown_session()
        await client.stop()
    problems = {problem for checker in checkers for problem in checker.problems}
    assert not problems, "\n".join(sorted(problems))


def make_client() -> LanguageClient:
    """Returns a client as pytest-lsp makes it, but with the converter that all clients of the process share."""
    client = LanguageClient(converter_factory=message_converter)
    register_lsp_features(client)
    return client


def check_traffic(client: LanguageClient) -> MessageChecker:
    """Has all messages checked that a client sends and receives from now on."""
    checker = MessageChecker()
    protocol = client.protocol
    structure, send = protocol.structure_message, protocol._send_data

    def received(data: dict[str, Any]) -> Any:
        if "jsonrpc" in data:  # The parts of a message come here, too.
            checker.received(data)
        return structure(data)

    def sent(data: Any) -> None:
        checker.sent(json.loads(json.dumps(data, default=protocol._serialize_message)))
        send(data)

    protocol.structure_message = received  # type: ignore[method-assign]
    protocol._send_data = sent  # type: ignore[method-assign]
    return checker


class Talk:
    """One client's conversation with its server."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.rules = folder / ".omp" / "rules"
        self.initialized: types.InitializeResult | None = None
        self.published: list[types.PublishDiagnosticsParams] = []
        self.triggered: list[Any] = []
        self.watched: list[str] = []
        self.refreshed: list[str] = []
        """The methods by which the server asked the client to ask again, in order."""
        self.registered: list[tuple[str, Any]] = []
        """The methods that the server registered for, each with the kind of changes that it wants, if it says so."""
        self._versions: dict[str, int] = {}

    async def begin(self, editor: str, options: object, folders: Sequence[types.WorkspaceFolder] = ()) -> None:
        """Initializes the server; `folders` stand before that of the talk."""
        self._listen()
        params = types.InitializeParams(
            capabilities=capabilities_of(editor),
            workspace_folders=[*folders, types.WorkspaceFolder(self.folder.as_uri(), self.folder.name)],
            initialization_options=options,
        )
        self.initialized = await self.client.initialize_session(params)

    def _listen(self) -> None:
        """Keeps what the server says of its own accord."""

        @self.client.feature("ttsr/triggered")
        def triggered(params: Any) -> None:
            self.triggered.append(params)

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            for registration in params.registrations:
                options: Any = registration.register_options or {}
                self.registered.append((registration.method, options.get("syncKind")))
                self.watched += [watcher["globPattern"] for watcher in options.get("watchers", ())]

        for method in (types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH):

            @self.client.feature(method)
            def refresh(*_: object, method: str = method) -> None:
                self.refreshed.append(method)

        features = self.client.protocol.fm.features
        keep = features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.append(params)
            keep(params)

        features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = publish

    def uri(self, name: str) -> str:
        """The URI of a rule file by its name, or of a path."""
        return (Path(name) if "/" in name else self.rules / name).as_uri()

    def open(self, name: str, text: str, language: str = "markdown") -> str:
        """Opens a document; returns its URI."""
        uri = self.uri(name)
        if uri in self._versions:
            self.close(uri)
        self._versions[uri] = 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> int:
        """Replaces the whole text; returns the new version."""
        self._versions[uri] += 1
        identifier = types.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        return self._versions[uri]

    def close(self, uri: str) -> None:
        """Closes a document."""
        del self._versions[uri]
        identifier = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    def pull(self, uri: str, previous: str | None = None) -> Awaitable[Any]:
        """Asks for the diagnostics of a document, at once; the answer can be awaited later."""
        identifier = types.TextDocumentIdentifier(uri)
        params = types.DocumentDiagnosticParams(identifier, identifier="ttsr", previous_result_id=previous)
        return asyncio.wrap_future(self.client.text_document_diagnostic(params))

    async def push(self, uri: str, accept: Callable[[types.PublishDiagnosticsParams], bool] = lambda _: True) -> Any:
        """The latest acceptable diagnostics that the server pushed for a document; waits for them."""
        latest = None
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    latest = next((one for one in reversed(self.published) if one.uri == uri), None)
                    if latest is not None and accept(latest):
                        return latest
                    await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        except TimeoutError:
            raise AssertionError(f"the server pushed only {latest} for {uri}") from None

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Waits until something holds that the server's own messages make true."""
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                await asyncio.sleep(0.01)

    async def request(self, method: str, params: Any) -> Any:
        """Sends a request of our own, whose answer is plain JSON."""
        answer = await self.client.protocol.send_request_async(method, params)
        return plain(answer)

    async def hover(self, uri: str, line: int, character: int) -> types.Hover | None:
        """Asks what is at a place."""
        place = types.Position(line, character)
        return await self.client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), place))

    async def run(self, command: str, *arguments: Any) -> Any:
        """Runs a command of the server."""
        return await self.client.workspace_execute_command_async(types.ExecuteCommandParams(command, list(arguments)))


def plain(value: Any) -> Any:
    """What the test's client made of JSON, as JSON again."""
    if hasattr(value, "_asdict"):
        return {key: plain(each) for key, each in value._asdict().items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def codes(diagnostics: Any) -> list[Any]:
    """The codes of diagnostics, in order."""
    return [diagnostic.code for diagnostic in diagnostics]


def place(found: types.Range) -> tuple[int, int, int, int]:
    """A range as four numbers."""
    return found.start.line, found.start.character, found.end.line, found.end.character
