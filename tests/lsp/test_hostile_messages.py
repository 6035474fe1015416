"""Hostile messages over real framing: an answer for each request, no traceback, no end, and the session goes on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lsp.test_surviving_clients import INITIALIZE, INVALID_PARAMS, Wire, wire
from ttsr_ls.lsp.features import (
    COMMANDS,
    CUSTOM_NOTIFICATIONS,
    CUSTOM_REQUESTS,
    NOTIFICATIONS,
    REQUESTS,
    REQUESTS_BY_CAPABILITY,
)

SEED = 20261122
ROUNDS = 1200
HOSTILE_URIS = [
    "file:///%00",
    "file:///a%00b/.omp/rules/a.md",
    "file:///p/.omp/rules/%ff%fe.md",
    "file:///p/.omp/rules/\ud800.md",
    "file:///p/.omp/rules/%ed%a0%80.md",
    "file:///p/.omp/rules/" + "x" * 5000 + ".md",
    "file:///" + "d/" * 3000 + ".omp/rules/a.md",
    "file:///p/.omp/rules/\x1b]0;o\x07\n.md",
    "file:///dev/zero",
    "file://[/x.md",
    "file:",
    "",
    "untitled:a",
    "\ud800",
    "http://x/.omp/rules/a.md",
    "file:///p/.omp/rules/../../../../etc/passwd.md",
]
JUNK: list[Any] = [
    None, True, 0, -1, 2**31, 2**63, 10**400, 1.5, -0.0, "", "x", "\ud800", "\0", [], [[]], {}, {"": {}}, ["x"] * 50,
    *HOSTILE_URIS,
]  # fmt: skip
POSITIONS = [{"line": line, "character": column} for line in (0, -1, 10**9, 2**31 - 1) for column in (0, -1, 2**31 - 1)]
# What the requests of `REQUESTS_BY_CAPABILITY` need, and lenses.
CAPABILITIES = {
    "textDocument": {
        "references": {},
        "rename": {"prepareSupport": True},
        "inlayHint": {},
        "semanticTokens": {
            "requests": {"full": True, "range": True},
            "tokenTypes": ["regexp"],
            "tokenModifiers": [],
            "formats": ["relative"],
        },
    },
    "workspace": {
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]},
        "fileOperations": {"willRename": True},
    },
    "experimental": {"ttsrTests": True},
}
ABOUT_SETTINGS = ("There is no setting `ttsr.", "The setting `ttsr.")
"""The messages about invalid settings; no other message may be shown."""
FOLDER = {"uri": "file:///p", "name": "p"}
RULE = "---\ncondition: ['a b', '(x']\n---\nbody\n"


def document(uri: str) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}}


def well_formed(rng: random.Random) -> tuple[str, Any, bool]:
    """A message as a client could send it, its values hostile; whether it is a request."""
    uri, position = rng.choice([*HOSTILE_URIS, "file:///p/.omp/rules/a.md"]), rng.choice(POSITIONS)
    here = {**document(uri), "position": position}
    span = {"start": position, "end": rng.choice(POSITIONS)}
    version = rng.choice([0, 1, -5, 2**31 - 1])
    arguments = [{"text": RULE, "uri": uri, "path": rng.choice(["\0", "\ud800", "x" * 5000, "a.ts"])}]
    folder = {"uri": uri, "name": "\ud800"}
    record = {"seq": 1, "time": 0, "event": {"type": "turn-started", "path": uri}}
    return rng.choice(
        [
            ("textDocument/hover", here, True),
            ("textDocument/completion", here, True),
            ("textDocument/definition", here, True),
            ("textDocument/references", {**here, "context": {"includeDeclaration": True}}, True),
            ("textDocument/prepareRename", here, True),
            ("textDocument/rename", {**here, "newName": rng.choice([uri, "b", "\ud800", "../b"])}, True),
            ("workspace/willRenameFiles", {"files": [{"oldUri": uri, "newUri": rng.choice(HOSTILE_URIS)}] * 2}, True),
            ("textDocument/inlayHint", {**document(uri), "range": span}, True),
            ("textDocument/semanticTokens/full", document(uri), True),
            ("textDocument/semanticTokens/range", {**document(uri), "range": span}, True),
            ("textDocument/codeLens", document(uri), True),
            ("ttsr/ruleMatches", {"uri": uri}, True),
            ("textDocument/diagnostic", document(uri), True),
            ("textDocument/codeAction", {**document(uri), "range": span, "context": {"diagnostics": []}}, True),
            ("workspace/executeCommand", {"command": rng.choice([*COMMANDS, "\ud800"]), "arguments": arguments}, True),
            ("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "markdown", "version": version,
                                                       "text": RULE}}, False),
            ("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                        "contentChanges": [{"text": RULE, **({"range": span} if version else {})}]},
             False),
            ("textDocument/didClose", document(uri), False),
            ("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": [folder]}}, False),
            ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]}, False),
            ("workspace/didChangeConfiguration", {"settings": {"ttsr": {"notifications": uri}}}, False),
            ("ttsr/didOpen", {"uri": uri, "text": RULE, "version": version}, False),
            ("ttsr/didClose", {"uri": uri}, False),
            ("ttsr/events", {"workspace": uri, "records": [record]}, False),
        ]
    )  # fmt: skip


def mutated(value: Any, rng: random.Random) -> Any:
    """A value with one part replaced by junk, or left out."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        if rng.random() < 0.2:
            return {name: part for name, part in value.items() if name != key}
        return {**value, key: mutated(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        position = rng.randrange(len(value))
        return [*value[:position], mutated(value[position], rng), *value[position + 1 :]]
    return rng.choice(JUNK)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    with wire(tmp_path_factory.mktemp("hostile")) as process:
        params = {**INITIALIZE, "capabilities": CAPABILITIES, "workspaceFolders": [FOLDER]}
        offered = process.ask(1, "initialize", params)["result"]["capabilities"]
        assert {"referencesProvider", "renameProvider", "inlayHintProvider", "semanticTokensProvider"} <= {*offered}
        process.send(method="initialized", params={})
        yield process


def check_alive(server: Wire) -> None:
    """The session goes on, and nothing was logged that only a mistake of ours logs, nor popped up."""
    assert server.ask("alive", "textDocument/hover", {})["error"]["code"] == INVALID_PARAMS
    said = [message["params"] for message in server.seen if message.get("method", "").startswith("window/")]
    assert not [text for text in said if "Traceback" in text["message"] or "background failed" in text["message"]]
    popped_up = [one["params"]["message"] for one in server.seen if one.get("method") == "window/showMessage"]
    assert [text for text in popped_up if not text.startswith(ABOUT_SETTINGS)] == []
    assert not [text for text in said if set(text["message"]) & {"\x1b", "\x07", "\r", "\u2028"}]
    server.seen.clear()


@pytest.mark.parametrize("part", range(4))
def test_every_request_is_answered_and_nothing_breaks(server: Wire, part: int) -> None:
    rng = random.Random(SEED + part)
    asked: list[str] = []
    answered: set[object] = set()
    for number in range(ROUNDS // 4):
        method, params, is_request = well_formed(rng)
        if rng.random() < 0.5:
            params = mutated(params, rng)
        if is_request:
            asked.append(f"{part}.{number}")
            server.send(id=asked[-1], method=method, params=params)
            if rng.random() < 0.2:
                server.send(method="$/cancelRequest", params={"id": asked[-1]})
        else:
            server.send(method=method, params=params)
        if len(asked) >= 20:
            answered |= answers(server, asked)
            asked.clear()
    answered |= answers(server, asked)
    assert len(answered) > ROUNDS // 16
    check_alive(server)


def answers(server: Wire, asked: list[str]) -> set[object]:
    """The answers to all requests that are under way, in whatever order they come."""
    missing: set[object] = {*asked}
    while missing:
        message = server.receive()
        if "method" not in message and message["id"] in missing:
            assert ("result" in message) != ("error" in message)
            missing.discard(message["id"])
        else:
            server.seen.append(message)
    return {*asked}


@pytest.mark.parametrize(
    "method",
    [*REQUESTS, *REQUESTS_BY_CAPABILITY, *CUSTOM_REQUESTS, "workspace/executeCommand", "no/such", "initialize"],
)
def test_a_request_with_invalid_params_is_answered(server: Wire, method: str) -> None:
    for number, params in enumerate([*JUNK, *({"textDocument": {"uri": junk}} for junk in JUNK)]):
        server.send(id=number, method=method, params=params)
        answer = server.answer(number)
        assert ("result" in answer) != ("error" in answer)
    check_alive(server)


@pytest.mark.parametrize(
    "method", [*NOTIFICATIONS, *CUSTOM_NOTIFICATIONS, "$/cancelRequest", "$/setTrace", "$/progress"]
)
def test_a_notification_with_invalid_params_is_ignored(server: Wire, method: str) -> None:
    for params in [*JUNK, *({"id": junk} for junk in JUNK), *({"uri": junk} for junk in JUNK)]:
        server.send(method=method, params=params)
    server.send(method=method)
    check_alive(server)


@pytest.mark.parametrize("identity", [1.5, 10**400, -1, "", "\ud800", "x" * 10_000, True, 2**63])
def test_strange_ids_of_requests_are_answered(server: Wire, identity: Any) -> None:
    server.send(id=identity, method="textDocument/hover", params={})
    while True:
        message = server.receive()
        if "method" not in message:
            assert message["id"] in (identity, None)
            break
        server.seen.append(message)
    check_alive(server)


def test_a_duplicate_id_has_two_answers(server: Wire) -> None:
    server.raw(json.dumps({"jsonrpc": "2.0", "id": "twin", "method": "textDocument/diagnostic",
                                           "params": document("file:///p/.omp/rules/a.md")}).encode())  # fmt: skip
    server.send(id="twin", method="textDocument/hover", params={})
    assert {"result" in server.answer("twin"), "result" in server.answer("twin")} == {True, False}
    check_alive(server)


@pytest.mark.parametrize(
    "body",
    [b"[]", b'[{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}]', b"null", b"1", b'"\\ud800"', b"NaN",
     b'{"jsonrpc":"2.0","id":NaN,"method":"x"}', b'{"jsonrpc":"2.0"}', b"", b'{"jsonrpc":"2.0","id":[],"method":"x"}',
     b'{"jsonrpc":"2.0","method":{"a":1}}', b'{"a":' * 50_000, b"1" * 5000],
)  # fmt: skip
def test_an_invalid_message_is_refused_and_the_session_continues(server: Wire, body: bytes) -> None:
    server.raw(body)
    check_alive(server)
