"""Checks the traffic between a server and its client, as the client sees it."""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from tests.lsp.conformance.extension_shapes import NOTIFICATIONS, RESULTS, find_shape_problems
from tests.lsp.conformance.protocol_types import find_problems

Message = Mapping[str, Any]

_BEFORE_INITIALIZED = {
    types.WINDOW_SHOW_MESSAGE, types.WINDOW_LOG_MESSAGE, types.TELEMETRY_EVENT, types.WINDOW_SHOW_MESSAGE_REQUEST,
    types.PROGRESS, types.LOG_TRACE,
}  # fmt: skip
"""What a server may send before the answer to `initialize`."""

_NEEDS = {
    types.WORKSPACE_CONFIGURATION: "workspace.configuration",
    types.WORKSPACE_WORKSPACE_FOLDERS: "workspace.workspaceFolders",
    types.WORKSPACE_APPLY_EDIT: "workspace.applyEdit",
    types.WORKSPACE_DIAGNOSTIC_REFRESH: "workspace.diagnostics.refreshSupport",
    types.WORKSPACE_CODE_LENS_REFRESH: "workspace.codeLens.refreshSupport",
    types.WORKSPACE_INLAY_HINT_REFRESH: "workspace.inlayHint.refreshSupport",
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH: "workspace.semanticTokens.refreshSupport",
    types.WORKSPACE_FOLDING_RANGE_REFRESH: "workspace.foldingRange.refreshSupport",
    types.WINDOW_SHOW_DOCUMENT: "window.showDocument.support",
    types.WINDOW_SHOW_MESSAGE_REQUEST: "window.showMessage",
    types.WINDOW_WORK_DONE_PROGRESS_CREATE: "window.workDoneProgress",
}
"""The requests that only clients with a capability understand."""
_PROGRESS = typing.Union[types.WorkDoneProgressBegin, types.WorkDoneProgressReport, types.WorkDoneProgressEnd]  # noqa: UP007
_PARTIAL_RESULTS: dict[str, Any] = {
    types.WORKSPACE_DIAGNOSTIC: types.WorkspaceDiagnosticReportPartialResult,
}


class MessageChecker:
    """Is given all messages in order. `problems` says what is wrong with those of the server."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.checked: Counter[str] = Counter()
        """How many messages of each method were checked; results count under the method of their request."""
        self._capabilities: Message = {}
        self._requests: dict[str | int, list[tuple[str, Any]]] = {}
        self._own_requests: set[str | int] = set()
        self._tokens: dict[str | int, str | None] = {}
        """The tokens for progress; those for partial results with the method of their request."""
        self._is_initialized = False

    def sent(self, message: Message) -> None:
        """Takes a message of the client."""
        identity, method, params = message.get("id"), message.get("method"), message.get("params")
        if "method" not in message or not isinstance(identity, str | int):
            return
        self._requests.setdefault(identity, []).append((str(method), params))
        if isinstance(params, dict):
            if isinstance(params.get("workDoneToken"), str | int):
                self._tokens[params["workDoneToken"]] = None
            if isinstance(params.get("partialResultToken"), str | int):
                self._tokens[params["partialResultToken"]] = method
            if method == types.INITIALIZE and isinstance(params.get("capabilities"), dict):
                self._capabilities = params["capabilities"]

    def received(self, message: Message) -> None:
        """Checks a message of the server."""
        if message.get("jsonrpc") != "2.0":
            self.problems.append(f"a message without jsonrpc 2.0: {message}")
        if "method" in message:
            self._check_call(message["method"], message)
        else:
            self._check_answer(message)

    def _check_call(self, method: str, message: Message) -> None:
        self.checked[method] += 1
        self._expect_keys(method, message, {"jsonrpc", "id", "method", "params"})
        params = message.get("params")
        if not self._is_initialized and method not in _BEFORE_INITIALIZED:
            self.problems.append(f"{method}: sent before the answer to initialize")
        if method in NOTIFICATIONS:
            self.problems += find_shape_problems(params, NOTIFICATIONS[method], method)
        elif method not in types.METHOD_TO_TYPES:
            self.problems.append(f"{method}: no method of the protocol, and none that is described")
        else:
            self._check_standard_call(method, params)
        if "id" in message:
            self._check_request(method, message["id"])

    def _check_standard_call(self, method: str, params: Any) -> None:
        message_type = types.METHOD_TO_TYPES[method][0]
        if types.message_direction(method) == "clientToServer":
            self.problems.append(f"{method}: only clients send it")
        expected = typing.get_type_hints(message_type, vars(types)).get("params")
        problems = find_problems(params, expected, method)
        self.problems += problems
        if problems:
            return
        if method == types.CLIENT_REGISTER_CAPABILITY:
            for registration in params["registrations"]:
                self._check_registration(registration)
        if method == types.WINDOW_WORK_DONE_PROGRESS_CREATE:
            self._tokens[params["token"]] = None
        if method == types.PROGRESS:
            self._check_progress(params)

    def _check_request(self, method: str, identity: Any) -> None:
        if not isinstance(identity, str | int) or identity in self._own_requests:
            self.problems.append(f"{method}: the id {identity!r} is no new string or integer")
        self._own_requests.add(identity)
        needed = _NEEDS.get(method)
        if needed is not None and not self._has_capability(needed):
            self.problems.append(f"{method}: the client has no {needed}")

    def _check_registration(self, registration: Message) -> None:
        method = registration["method"]
        name = method.replace("/", ".")
        if method.startswith(("textDocument/did", "textDocument/will")):
            name = "textDocument.synchronization"
        if not self._has_capability(f"{name}.dynamicRegistration"):
            self.problems.append(f"registration of {method}: the client has no {name}.dynamicRegistration")
        options = types.METHOD_TO_TYPES[method][3]
        self.problems += find_problems(registration.get("registerOptions"), options, f"registration of {method}")

    def _check_progress(self, params: Message) -> None:
        token = params["token"]
        if token not in self._tokens:
            self.problems.append(f"$/progress: nobody knows the token {token!r}")
            return
        method = self._tokens[token]
        expected = _PROGRESS if method is None else _PARTIAL_RESULTS.get(method, Any)
        self.problems += find_problems(params["value"], expected, f"$/progress of {method}")

    def _check_answer(self, message: Message) -> None:
        asked = self._requests.get(message.get("id", ""), [])
        if message.get("id") is not None and not asked:
            self.problems.append(f"an answer to no request: {message}")
            return
        # Of two requests with the same id nobody can tell which one is answered.
        is_known = len({method for method, _ in asked}) == 1
        method, params = asked.pop() if asked else ("a message without a readable id", None)
        self.checked[method] += 1
        if "error" in message:
            self._expect_keys(method, message, {"jsonrpc", "id", "error"})
            self.problems += find_problems(message["error"], types.ResponseError, f"error of {method}")
            return
        self._expect_keys(method, message, {"jsonrpc", "id", "result"})
        if "result" not in message:
            self.problems.append(f"{method}: neither a result nor an error")
            return
        if is_known:
            self._is_initialized |= method == types.INITIALIZE
            self._check_result(method, params, message["result"])

    def _check_result(self, method: str, params: Any, result: object) -> None:
        name = params["command"] if method == types.WORKSPACE_EXECUTE_COMMAND else method
        where = f"result of {name}"
        if name in RESULTS:
            self.problems += find_shape_problems(result, RESULTS[name], where)
        elif method in types.METHOD_TO_TYPES and name == method:
            hints = typing.get_type_hints(types.METHOD_TO_TYPES[method][1], vars(types))
            self.problems += find_problems(result, hints["result"], where)
        else:
            self.problems.append(f"{where}: the shape of it is not described")

    def _expect_keys(self, method: str, message: Message, expected: set[str]) -> None:
        if strange := message.keys() - expected:
            self.problems.append(f"{method}: a message with {sorted(strange)}")

    def _has_capability(self, path: str) -> bool:
        value: Any = self._capabilities
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return bool(value) or isinstance(value, dict)
