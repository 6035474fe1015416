"""The check of messages finds what is wrong with them, and describes all messages that the manual describes."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from lsprotocol import types

from tests.lsp.conformance.extension_shapes import NOTIFICATIONS, RESULTS
from tests.lsp.conformance.message_checker import MessageChecker
from tests.lsp.conformance.protocol_types import check_of, properties_of
from tests.lsp.conformance.rule_match_shapes import Shape
from tests.lsp.talk import ROOT
from ttsr_ls.lsp.features import COMMANDS, CUSTOM_REQUESTS

HERE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
DIAGNOSTIC = {"range": HERE, "message": "m", "code": "c", "severity": 1}
CAPABILITIES: dict[str, Any] = {
    "workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}},
    "textDocument": {"hover": {}},
}


def checker(*asked: tuple[str, object]) -> MessageChecker:
    """A checker of a session in which these requests, numbered from 1, wait for answers."""
    made = MessageChecker()
    made.sent({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": CAPABILITIES}})
    made.received({"jsonrpc": "2.0", "id": 0, "result": {"capabilities": {"hoverProvider": True}}})
    assert not made.problems
    for number, (method, params) in enumerate(asked, 1):
        made.sent({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    return made


def problems_of_result(method: str, result: object, params: object = None) -> list[str]:
    made = checker((method, params))
    made.received({"jsonrpc": "2.0", "id": 1, "result": result})
    return made.problems


def problems_of_call(method: str, params: object, **more: object) -> list[str]:
    made = checker()
    made.received({"jsonrpc": "2.0", "method": method, "params": params, **more})
    return made.problems


@pytest.mark.parametrize(
    ("method", "result"),
    [
        (types.TEXT_DOCUMENT_HOVER, None),
        (types.TEXT_DOCUMENT_HOVER, {"contents": {"kind": "markdown", "value": ""}, "range": HERE}),
        (types.TEXT_DOCUMENT_DIAGNOSTIC, {"kind": "full", "items": [{**DIAGNOSTIC, "data": None}], "resultId": "1"}),
        (types.TEXT_DOCUMENT_COMPLETION, [{"label": "a", "kind": 15, "insertTextFormat": 2}]),
        (types.TEXT_DOCUMENT_CODE_ACTION, [{"title": "a", "kind": "source.fixAll.ttsr-ls"}]),
        ("shutdown", None),
    ],
)
def test_right_results_pass(method: str, result: object) -> None:
    assert not problems_of_result(method, result)


@pytest.mark.parametrize(
    ("method", "result", "expected"),
    [
        (types.TEXT_DOCUMENT_HOVER, {"range": HERE}, "'contents' is missing"),
        (types.TEXT_DOCUMENT_HOVER, {"contents": "x", "range": None}, "range: null"),
        (types.TEXT_DOCUMENT_HOVER, {"contents": {"kind": "html", "value": ""}}, "instead of one of"),
        (types.TEXT_DOCUMENT_HOVER, {"contents": "x", "language": "md"}, "language: no property of Hover"),
        (types.TEXT_DOCUMENT_DIAGNOSTIC, {"items": []}, "'kind' is missing"),
        (types.TEXT_DOCUMENT_DIAGNOSTIC, {"kind": "full", "items": [{**DIAGNOSTIC, "severity": 5}]}, "severity: 5"),
        (types.TEXT_DOCUMENT_DIAGNOSTIC, {"kind": "full", "items": [{**DIAGNOSTIC, "code": True}]}, "code: True"),
        (types.TEXT_DOCUMENT_DIAGNOSTIC, {"kind": "unchanged"}, "'resultId' is missing"),
        (types.TEXT_DOCUMENT_DEFINITION, {"uri": "file:///a", "range": {"start": {"line": -1, "character": 0},
                                          "end": {"line": 2**31, "character": 1.0}}}, "range.start.line: -1"),
        (types.TEXT_DOCUMENT_COMPLETION, [{"label": None}], "label: None"),
        (types.TEXT_DOCUMENT_CODE_ACTION, [{"kind": "quickfix"}], "'title' is missing"),
        ("ttsr/testText", {"summary": ""}, "missing required field"),
        ("no/such", {}, "not described"),
    ],
)  # fmt: skip
def test_wrong_results_are_found(method: str, result: object, expected: str) -> None:
    found = problems_of_result(method, result)
    assert any(expected in problem for problem in found), found


@pytest.mark.parametrize(
    ("method", "params", "more", "expected"),
    [
        ("textDocument/publishDiagnostics", {"uri": "file:///a", "diagnostics": [], "version": None}, {}, "version"),
        ("workspace/diagnostic/refresh", None, {"id": "1"}, "the client has no workspace.diagnostics.refreshSupport"),
        ("workspace/configuration", {"items": [{"section": 1}]}, {"id": "1"}, "items[0].section: 1"),
        ("textDocument/hover", {"textDocument": {"uri": "a"}, "position": HERE["start"]}, {"id": 1}, "only clients"),
        ("ttsr/runsChanged", {"sessions": [1]}, {}, "Expected `str`, got `int`"),
        ("ttsr/runsChanged", {"sessions": [], "more": 1}, {}, "unknown field"),
        ("ttsr/new", {}, {}, "none that is described"),
        ("$/progress", {"token": 1, "value": {"kind": "end"}}, {}, "nobody knows the token"),
        ("client/registerCapability", {"registrations": [{"id": "a", "method": "textDocument/hover"}]}, {"id": 1},
         "the client has no textDocument.hover.dynamicRegistration"),
        ("client/registerCapability", {"registrations": [{"id": "a", "method": "workspace/didChangeWatchedFiles",
                                                          "registerOptions": {}}]}, {"id": 1}, "'watchers' is missing"),
        ("window/logMessage", {"type": 1, "message": "m"}, {"version": 1}, "a message with ['version']"),
    ],
)  # fmt: skip
def test_wrong_calls_are_found(method: str, params: object, more: dict[str, object], expected: str) -> None:
    found = problems_of_call(method, params, **more)
    assert any(expected in problem for problem in found), found


def test_unrequested_responses_and_early_requests_are_found() -> None:
    twice = checker(("shutdown", None))
    for _ in range(2):
        twice.received({"jsonrpc": "2.0", "id": 1, "result": None})
    assert len(twice.problems) == 1
    message_checker = MessageChecker()
    message_checker.received({"jsonrpc": "2.0", "method": "ttsr/runsChanged", "params": {"sessions": []}})
    assert "before the answer" in message_checker.problems[0]


def test_there_is_a_check_of_every_type_of_the_protocol() -> None:
    structures = [each for each in types.ALL_TYPES_MAP.values() if isinstance(each, type)]
    assert len(structures) > 500
    for structure in structures:
        check_of(structure)
    assert properties_of(types.OptionalVersionedTextDocumentIdentifier)["version"].is_required
    assert not properties_of(types.PublishDiagnosticsParams)["version"].is_required


def test_all_own_messages_have_a_shape_and_the_manual_names_each_field() -> None:
    assert {*CUSTOM_REQUESTS, *COMMANDS} <= RESULTS.keys()
    manual = "".join((ROOT / "docs" / name).read_text() for name in ("lsp-extensions.md", "editors.md"))
    code = " ".join(re.findall(r"`([^`]+)`", re.sub(r"(?ms)^```.*?^```", "", manual)))
    words = set(re.findall(r"[A-Za-z]+", code))
    shapes = [shape for shape in (*RESULTS.values(), *NOTIFICATIONS.values()) if shape is not None]
    fields = {name for shape in shapes for name in field_names(shape)}
    assert len(fields) > 60
    assert sorted(fields - words) == []
    assert not {name for name in (*RESULTS, *NOTIFICATIONS) if f"`{name}`" not in manual}


def field_names(shape: type[Shape]) -> set[str]:
    """The names in JSON of the fields of a shape and of those in it."""
    names: set[str] = set()
    waiting: list[Any] = [msgspec.inspect.type_info(shape)]
    while waiting:
        match waiting.pop():
            case msgspec.inspect.StructType(fields=fields):
                names |= {field.encode_name for field in fields}
                waiting += [field.type for field in fields]
            case msgspec.inspect.ListType(item_type=item):
                waiting.append(item)
            case msgspec.inspect.UnionType(types=members):
                waiting += members
    return names
