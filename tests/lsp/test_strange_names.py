"""Folders and files whose names are hostile: the others are served, and nothing of a name is obeyed."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest
from lsprotocol import types

from tests.fork_server import program
from tests.lsp.logged_run import RULE, Run, trigger
from tests.lsp.talk import Starter, Talk, codes
from tests.lsp.test_surviving_clients import Wire, wire
from ttsr_ls.lsp.logs import _OneLineFormatter
from ttsr_ls.lsp.server import TRACEBACK
from ttsr_ls.lsp.transport.message_text import message_text
from ttsr_ls.lsp.uris import folders_of

NO_FOLDERS = ["file:///%00", "file:///a%00b", "file:///%ed%a0%80\ud800", "file:///" + "x/" * 3000, "file://[/", "file:"]
BROKEN = "---\ncondition: '(x'\n---\nbody\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    with wire(tmp_path_factory.mktemp("served"), program("serve")) as process:
        capabilities: dict[str, object] = {"textDocument": {"diagnostic": {}}}
        process.ask(1, "initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        process.send(method="initialized", params={})
        yield process


@pytest.mark.parametrize("late", [False, True])
async def test_an_invalid_folder_does_not_stop_following_the_others(start: Starter, late: bool) -> None:
    strange = [types.WorkspaceFolder(uri, "x") for uri in NO_FOLDERS]
    talk = await start("vscode", folders=[] if late else strange)
    if late:
        change = types.WorkspaceFoldersChangeEvent(added=strange, removed=[])
        talk.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(change))
    rule = talk.open("a.md", RULE)
    await talk.pull(rule)
    Run(talk.folder, 1_000).log(trigger(talk.rules / "a.md", None))
    shown = await talk.push(rule, lambda one: "triggered" in codes(one.diagnostics))
    assert len(shown.diagnostics) == 1


def test_invalid_folders_are_ignored() -> None:
    assert folders_of([*NO_FOLDERS[:4], "untitled:x", "file:///srv/a"]) == ["/srv/a"]


@pytest.mark.parametrize(
    "name",
    [
        "a%00b.md",
        "%ff%fe.md",
        "\ud800.md",
        "%ed%a0%80.md",
        "x" * 5000 + ".md",
        "d/" * 3000 + ".omp/rules/a.md",
        "%0a.md",
    ],
)
def test_a_rule_under_any_name_has_its_findings(server: Wire, name: str) -> None:
    uri = f"file:///p/.omp/rules/{name}"
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": BROKEN}
    server.send(method="textDocument/didOpen", params={"textDocument": item})
    answer = server.ask(name, "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert "regex-does-not-compile" in [item["code"] for item in answer["result"]["items"]]


def test_log_lines_cannot_be_forged(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError("a\x1b]0;x\x07\nforged")
    except ValueError as error:
        with caplog.at_level(logging.WARNING):
            logging.getLogger("x").warning("at %s", "u\nforged\x9b", exc_info=error, extra={TRACEBACK: "t\x1b"})
    shown = _OneLineFormatter("%(message)s").format(caplog.records[0])
    first, *rest = shown.split("\n")
    assert first == "at u\\nforged\\x9b"
    assert rest[0] == "t\\x1b"
    assert not {"\x1b", "\x07", "\x9b"} & set(shown)


def test_messages_have_no_links_and_no_control_characters() -> None:
    assert message_text("[x](command:y)\n\x1b\u202e") == "[x] (command:y)\\n\\x1b\\u202e"


async def test_findings_and_hovers_of_hostile_rules_have_no_control_characters(vscode: Talk) -> None:
    hostile = "\x1b]0;o\x07\u202e\u2066\x9b\x7f"
    text = (
        f'---\n"x\\e{hostile}": 1\ncondition: "a\\e{hostile}("\nscope: "\\e{hostile}"\nglobs: "{hostile}{{"\n---\nb\n'
    )
    uri = vscode.open("hostile.md", text)
    report = await vscode.pull(uri)
    assert len(report.items) > 2
    shown = [found.message for found in report.items]
    shown += [related.message for found in report.items for related in found.related_information or []]
    for line in range(1, 5):
        for column in (2, 14):
            hover = await vscode.hover(uri, line, column)
            if hover is not None:
                assert isinstance(hover.contents, types.MarkupContent)
                shown.append(hover.contents.value)
    tried = await vscode.run("ttsr.test", {"uri": uri, "text": hostile})
    shown += [tried["summary"], tried["report"]]
    assert not [text for text in shown if {*hostile} - {*"]0;o"} & {*text} - {*"]0;o"}]


# What stands in them is text of the document, or names it.
EXACT = frozenset({"newText", "textEdit", "insertText", "filterText", "edit", "edits", "data", "arguments", "uri"})


def shown_texts(value: object) -> Iterator[str]:
    """All texts of an answer that an editor shows."""
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from shown_texts(item)
        case dict():
            yield from (text for key, part in value.items() if key not in EXACT for text in shown_texts(part))


def test_no_answer_about_a_hostile_rule_has_control_characters(server: Wire) -> None:
    hostile = "\x1b]0;o\x07\u202e\u2066\x9b\x7f"
    text = (
        f'---\n"x\\e{hostile}": 1\ndescription: "{hostile}"\ncondition: ["a{hostile}", "a\\e{hostile}("]\n'
        f'scope: "text, tool:{hostile}"\nglobs: "{hostile}{{"\nagents: "{hostile}"\n---\n{hostile}\n'
    )
    uri = "file:///p/.omp/rules/controls.md"
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    server.send(method="textDocument/didOpen", params={"textDocument": item})
    document: dict[str, object] = {"textDocument": {"uri": uri}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    found = server.ask("findings", "textDocument/diagnostic", document)["result"]["items"]
    asked: list[tuple[str, dict[str, object]]] = [
        ("textDocument/codeAction", {**document, "range": whole, "context": {"diagnostics": found}}),
        ("textDocument/codeLens", document),
        ("textDocument/documentSymbol", document),
        ("textDocument/foldingRange", document),
        ("textDocument/inlayHint", {**document, "range": whole}),
        ("textDocument/documentLink", document),
        ("workspace/symbol", {"query": ""}),
    ]
    for line in range(8):
        for character in (2, 14):
            place = {**document, "position": {"line": line, "character": character}}
            asked += [("textDocument/hover", place), ("textDocument/completion", place)]
            asked += [("textDocument/definition", place), ("textDocument/documentHighlight", place)]
    answers = [found]
    for number, (method, params) in enumerate(asked):
        answer = server.ask(f"shown {number}", method, params)
        answers.append(answer.get("result"))
    shown = list(shown_texts(answers))
    assert len([text for text in shown if r"\x1b" in text or r"\u001b" in text]) > 10, "nothing hostile was shown"
    assert not [text for text in shown if {*hostile} - {*"]0;o"} & {*text} - {*"]0;o"}]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("no/such NAME", {}),
        ("workspace/executeCommand", {"command": "NAME", "arguments": []}),
        ("workspace/executeCommand", {"command": "ttsr.documentation", "arguments": ["NAME"]}),
        ("workspace/executeCommand", {"command": "ttsr.documentation", "arguments": ["ttsr-doc:/findings/NAME.md"]}),
        ("workspace/executeCommand", {"command": "ttsr.showDocumentation", "arguments": ["NAME"]}),
        ("textDocument/hover", {"textDocument": {"uri": "NAME"}, "position": {"line": "NAME", "character": 0}}),
    ],
)
def test_no_error_message_has_control_characters_or_links(server: Wire, method: str, params: dict[str, object]) -> None:
    controls = "\x1b\x07\u202e\u2066\x9b\x7f\ud800\n"
    name = f"{controls}[x](command:y)"
    named_params = json.loads(json.dumps(params).replace("NAME", json.dumps(name)[1:-1]))
    answer = server.ask(json.dumps([method, params]), method.replace("NAME", name), named_params)
    message = answer["error"]["message"]
    assert not {*controls} & {*message}
    assert "](" not in message
