"""Codex by its app server: JSON-RPC lines. `turn/steer` interrupts an answer and continues in the same turn.

Approved calls run outside Codex's sandbox. So only in threads without a sandbox and without approvals, every call is
made to ask for approval, which it gets unless a rule forbids it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import PurePath

from ttsr_ls.bridge.control.driver import (
    AgentDriver,
    AgentRefusedError,
    Capabilities,
    LineToAgent,
    Plan,
    PlanStep,
    Rewinding,
    ToAgent,
)
from ttsr_ls.bridge.wire.fields import get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.put_bounded import put_bounded

APPROVALS = ("item/commandExecution/requestApproval", "item/fileChange/requestApproval")
PERMISSIONS = "item/permissions/requestApproval"
ELICITATION = "mcpServer/elicitation/request"
"""A question of an MCP server; also Codex's own question whether a tool of the server may run."""
UNCONFINED = "dangerFullAccess"
_PATCH = "fileChange"
_MCP_CALL = "mcpToolCall"
_MAX_CALLS = 256


class CodexDriver(AgentDriver):
    """Drives Codex in one thread, by its app server."""

    capabilities = Capabilities(
        Rewinding.TURN,
        keeps=False,
        steers=True,
        queues=False,
        asks_before_calls=False,
        limits=("An unfinished message or tool call is never kept; finished ones stay.",),
    )

    def __init__(self, cwd: PurePath, version: str) -> None:
        super().__init__(cwd, version)
        self._thread = ""
        self._turn = ""
        self._is_running = False
        self._asks = False
        """True if every call asks for our approval."""
        self._patches: dict[str, JsonObject] = {}
        """The patches of this turn, by the ids of their items."""
        self._mcp_calls: dict[str, JsonObject] = {}
        """The running calls of MCP tools, by the ids of their items."""

    def start(self) -> Plan:
        client = {"name": "ttsr-ls", "title": "ttsr-ls", "version": self._version}
        hello: JsonObject = {"clientInfo": client, "capabilities": {"experimentalApi": True}}
        initialized = LineToAgent({"method": "initialized"})
        return (
            self._request("initialize", lambda: hello),
            self._request("thread/start", lambda: {"cwd": str(self._cwd)}, before=(initialized,)),
        )

    def prompt(self, text: str) -> PlanStep:
        def params() -> JsonObject:
            policy: JsonObject = {"approvalPolicy": "untrusted"} if self._asks else {}
            return {"threadId": self._thread, "input": [{"type": "text", "text": text}], **policy}

        return self._request("turn/start", params)

    def interrupt(self) -> Plan:
        step = PlanStep("turn/completed", tuple, lambda _: not self._is_running, lambda: not self._is_running)
        return (self._request("turn/interrupt", lambda: {"threadId": self._thread, "turnId": self._turn}), step)

    def rewind(self) -> Plan:
        return (self._request("thread/revert", lambda: {"threadId": self._thread, "beforeTurnId": self._turn}),)

    def steer(self, text: str) -> PlanStep:
        def params() -> JsonObject:
            user_input = [{"type": "text", "text": text}]
            return {"threadId": self._thread, "expectedTurnId": self._turn, "input": user_input}

        return self._request("turn/steer", params)

    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        method, params = get_text(message, "method"), get_object(message, "params")
        if method in ("turn/started", "turn/completed") and get_text(params, "threadId") == self._thread:
            self._turn = get_text(get_object(params, "turn"), "id")
            self._is_running = method == "turn/started"
            self._patches.clear()
        self._track_item(method, get_object(params, "item"))
        if not method or "id" not in message:
            return ()
        if method == PERMISSIONS:
            is_granted = self.allows_call("", get_text(params, "reason").rstrip(".") or method)
            granted = get_object(params, "permissions") if is_granted else {}
            return (LineToAgent({"id": message["id"], "result": {"permissions": granted}}),)
        if method == ELICITATION and _is_approval(params):
            tool = f"{get_text(params, 'serverName')}/{get_text(get_object(params, '_meta'), 'tool_name')}"
            action = "accept" if self._accepts(self.call_of_approval(message), tool) else "decline"
            return (LineToAgent({"id": message["id"], "result": {"action": action, "content": None}}),)
        if method in APPROVALS:
            call = get_text(params, "itemId")
            decision = "accept" if self._accepts(call, get_text(params, "command") or method) else "decline"
            if self.is_forbidden(call) and call in self._patches:
                # Codex reports no end of a patch that was declined while its turn is interrupted.
                refused = {**params, "item": {**self._patches.pop(call), "status": "declined"}}
                self.omitted_lines.append(json.dumps({"method": "item/completed", "params": refused}).encode())
            return (LineToAgent({"id": message["id"], "result": {"decision": decision}}),)
        refusal = {"code": -32601, "message": f"ttsr-ls does not answer {method}"}
        return (LineToAgent({"id": message["id"], "error": refusal}),)

    def _track_item(self, method: str, item: JsonObject) -> None:
        kind, identity = get_text(item, "type"), get_text(item, "id")
        if method == "item/started" and kind == _PATCH:
            self._patches[identity] = item
        elif method == "item/started" and kind == _MCP_CALL:
            put_bounded(self._mcp_calls, identity, item, _MAX_CALLS)
        elif method == "item/completed":
            self._mcp_calls.pop(identity, None)

    def _accepts(self, call: str, kind: str) -> bool:
        return self.permits_call(call) if self._asks else self.allows_call(call, kind)

    def call_of_approval(self, message: JsonObject) -> str:
        """Returns the id of the call that a request for approval is about; blank if the message is no such request.

        The request for a call of an MCP tool does not name its item, but repeats its arguments.
        """
        method, params = get_text(message, "method"), get_object(message, "params")
        if method in APPROVALS:
            return get_text(params, "itemId")
        if method != ELICITATION or not _is_approval(params):
            return ""
        meta = get_object(params, "_meta")
        asked = (get_text(params, "serverName"), get_text(meta, "tool_name"), get_object(meta, "tool_params"))
        for identity, item in self._mcp_calls.items():
            if (get_text(item, "server"), get_text(item, "tool"), get_object(item, "arguments")) == asked:
                return identity
        return ""

    @property
    def asks_before_calls(self) -> bool:
        return self._asks

    def new_request_id(self) -> int | str:
        """Returns a request id that is unique on the connection."""
        return self.next_id()

    def _request(self, method: str, params: Callable[[], JsonObject], before: tuple[ToAgent, ...] = ()) -> PlanStep:
        identity = self.new_request_id()

        def is_answered(message: JsonObject) -> bool:
            if "method" in message or message.get("id") != identity:
                return False
            error = get_object(message, "error")
            if error and method != "turn/interrupt":  # An interrupt fails if the turn is already over.
                raise AgentRefusedError(f"{method}: {get_text(error, 'message') or 'the agent gave no reason'}")
            self._answered(method, get_object(message, "result"))
            return True

        def make() -> tuple[ToAgent, ...]:
            return (*before, LineToAgent({"id": identity, "method": method, "params": params()}))

        return PlanStep(method, make, is_answered)

    def _answered(self, method: str, result: JsonObject) -> None:
        match method:
            case "thread/start":
                self._thread = get_text(get_object(result, "thread"), "id")
                sandbox, policy = get_text(get_object(result, "sandbox"), "type"), get_text(result, "approvalPolicy")
                self._asks = sandbox == UNCONFINED and policy == "never"
                if not self._asks:
                    self.limits.append(
                        f"In the sandbox `{sandbox}` with the approval policy `{policy}`, a tool call that needs no "
                        "approval is seen only once it runs: the rule is injected afterwards. Hooks prevent the call: "
                        "run `ttsr-ls install codex`, and start Codex without `ttsr-ls run`."
                    )
            case "turn/start":
                self._turn = get_text(get_object(result, "turn"), "id")
                self._is_running = True
            case _:
                pass


def _is_approval(params: JsonObject) -> bool:
    return get_text(get_object(params, "_meta"), "codex_approval_kind") == "mcp_tool_call"
