"""An agent that speaks the Agent Client Protocol: `session/cancel`, then `session/prompt`.

The prompt of an editor is adopted, so that its answer can be interrupted. In version 1, the response to a prompt marks
its end; in draft 2, an update of the agent's state does.
"""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.adapters.acp.calls import permission_subject
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
from ttsr_ls.bridge.wire.fields import get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject

PERMISSION = "session/request_permission"
_VERSION = 1


class AcpDriver(AgentDriver):
    """Drives one session of an agent by the Agent Client Protocol."""

    lag = 0  # The response to a prompt comes after all of its events.

    capabilities = Capabilities(
        Rewinding.NEVER,
        keeps=True,
        steers=False,
        queues=False,
        asks_before_calls=False,
        limits=(
            "The agent decides whether an interrupted answer stays in its history.",
            "A tool call without a permission request is seen only once it runs: the rule is injected afterwards.",
        ),
    )

    def __init__(self, cwd: PurePath, version: str) -> None:
        super().__init__(cwd, version)
        self._session = ""
        self.prompt_id: object = None
        """The id of the current prompt; None between prompts."""
        self.is_draft_2 = False
        """True if the agent and its client agreed on draft 2."""
        self.is_running = False
        """Draft 2: True while the agent's reported state is `running`."""
        self._failure: str | None = None
        self.stop_reason = ""
        """The stop reason of the last prompt."""
        self.attachments: list[JsonObject] = []
        """The images, files, and other content of the editor's prompt beside its text."""

    @property
    def is_done(self) -> bool:
        """True if the agent works neither on a prompt nor by itself."""
        return self.prompt_id is None and not self.is_running

    def adopt_prompt(self, session: str, prompt_id: object, blocks: list[JsonObject]) -> None:
        """Takes over a prompt that an editor sent."""
        self._session, self.prompt_id, self._failure = session, prompt_id, None
        self.attachments = [block for block in blocks if get_text(block, "type") != "text"]

    def prompt_blocks(self, text: str) -> list[JsonObject]:
        """Returns the content of a prompt with this text."""
        return [{"type": "text", "text": text}]

    def start(self) -> Plan:
        can: JsonObject = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
        client = {"name": "ttsr-ls", "version": self._version}
        hello: JsonObject = {"protocolVersion": _VERSION, "clientCapabilities": can, "clientInfo": client}
        session: JsonObject = {"cwd": str(self._cwd), "mcpServers": []}
        return (self._request("initialize", hello), self._request("session/new", session))

    def prompt(self, text: str) -> PlanStep:
        number = self.next_id()

        def make() -> tuple[ToAgent, ...]:
            # The name of the session makes the id unique on a connection with several sessions.
            self.prompt_id, self._failure = f"ttsr-{self._session}-{number}", None
            params = {"sessionId": self._session, "prompt": self.prompt_blocks(text)}
            return (_line(id=self.prompt_id, method="session/prompt", params=params),)

        # Not awaited, because the response to a prompt comes at the end of its turn.
        return PlanStep("session/prompt", make, lambda _: True)

    def interrupt(self) -> Plan:
        def make() -> tuple[ToAgent, ...]:
            return (_line(method="session/cancel", params={"sessionId": self._session}),)

        return (PlanStep("session/cancel", make, lambda _: self.is_done, lambda: self.is_done),)

    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        method = get_text(message, "method")
        if not method:
            if self.prompt_id is not None and message.get("id") == self.prompt_id:
                if not self.is_draft_2 or "error" in message:
                    self.prompt_id = None
                self.stop_reason = get_text(get_object(message, "result"), "stopReason")
                if "error" in message:
                    reason = get_text(get_object(message, "error"), "message")
                    self._failure = reason or "The agent could not answer the prompt."
            return ()
        if "id" not in message:
            params = get_object(message, "params")
            if is_running(params):
                self.is_running = True
            elif is_idle(params) and self.is_running:
                self.is_running, self.prompt_id = False, None
            return ()
        if method == PERMISSION:
            return (self.permission(message),)
        refusal = {"code": -32601, "message": f"ttsr-ls does not answer {method}"}
        return (_line(id=message["id"], error=refusal),)

    @property
    def idle_reason(self) -> str | None:
        return self._failure

    def permission(self, message: JsonObject) -> LineToAgent:
        """Returns the answer to the agent's permission request for a tool call."""
        params = get_object(message, "params")
        call = permission_subject(params)
        may_run = self.allows_call(get_text(call, "toolCallId"), get_text(call, "title") or get_text(params, "title"))
        kind = "allow_once" if may_run else "reject_once"
        options = [
            get_text(each, "optionId") for each in get_objects(params, "options") if get_text(each, "kind") == kind
        ]
        chosen = {"outcome": "selected", "optionId": options[0]} if options else {"outcome": "cancelled"}
        return _line(id=message.get("id"), result={"outcome": chosen})

    def _request(self, method: str, params: JsonObject) -> PlanStep:
        identity = f"ttsr-{self.next_id()}"

        def is_answered(message: JsonObject) -> bool:
            if "method" in message or message.get("id") != identity:
                return False
            error = get_object(message, "error")
            if error:
                raise AgentRefusedError(f"{method}: {get_text(error, 'message') or 'the agent gave no reason'}")
            if method == "session/new":
                self._session = get_text(get_object(message, "result"), "sessionId")
            return True

        return PlanStep(method, lambda: (_line(id=identity, method=method, params=params),), is_answered)


def is_running(params: JsonObject) -> bool:
    """Draft 2: returns whether an update reports the state `running`."""
    return _state(params) == "running"


def is_idle(params: JsonObject) -> bool:
    """Draft 2: returns whether an update reports the state `idle`."""
    return _state(params) == "idle"


def _state(params: JsonObject) -> str:
    update = get_object(params, "update")
    return get_text(update, "state") if get_text(update, "sessionUpdate") == "state_update" else ""


def _line(**members: object) -> LineToAgent:
    return LineToAgent({"jsonrpc": "2.0", **members})
