"""pi and oh-my-pi by their RPC mode: JSON lines with `type`; answers repeat the `id` of the command."""

from __future__ import annotations

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
from ttsr_ls.bridge.wire.fields import get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject

_DIALOGS = frozenset({"select", "confirm", "input", "editor"})
_CALL_TITLE = "ttsr-ls: run this tool call?"
"""The title of the dialogs of `ask_before_calls.js`. Their message is the id of the call."""


class PiDriver(AgentDriver):
    """Drives pi, which leaves interrupted answers out of later requests by itself, so nothing has to be rewound."""

    capabilities = Capabilities(
        Rewinding.ANSWER,
        keeps=False,
        steers=False,
        queues=True,
        asks_before_calls=True,
        limits=("An interrupted answer is never kept.",),
    )

    def __init__(self, cwd: PurePath, version: str) -> None:
        super().__init__(cwd, version)
        self._is_retrying = False

    def start(self) -> Plan:
        return (self._command("get_state"),)

    def prompt(self, text: str) -> PlanStep:
        return self._command("prompt", message=text)

    def interrupt(self) -> Plan:
        return (self._command("abort"),)

    def remind(self, text: str) -> Plan:
        return (self._command("steer", message=text),)

    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        match get_text(message, "type"):
            case "auto_retry_start":
                self._is_retrying = True
            case "agent_start" | "auto_retry_end":
                self._is_retrying = False
            case "extension_ui_request" if get_text(message, "title") == _CALL_TITLE:
                runs = not self.is_forbidden(get_text(message, "message"))  # It runs after the end of the answer.
                return (LineToAgent({"type": "extension_ui_response", "id": message.get("id"), "confirmed": runs}),)
            case "extension_ui_request" if get_text(message, "method") in _DIALOGS:
                # Cancelled, because no user can answer it, and the extension would wait forever.
                answer = {"type": "extension_ui_response", "id": message.get("id"), "cancelled": True}
                return (LineToAgent(answer),)
        return ()

    @property
    def is_quiescent(self) -> bool:
        return not self._is_retrying

    def _command(self, kind: str, **arguments: str) -> PlanStep:
        identity = f"ttsr-{self.next_id()}"

        def is_answered(message: JsonObject) -> bool:
            if get_text(message, "type") != "response" or message.get("id") != identity:
                return False
            if message.get("success") is not True:
                raise AgentRefusedError(f"{kind}: {get_text(message, 'error') or 'the agent gave no reason'}")
            self._answered(kind, get_object(message, "data"))
            return True

        def make() -> tuple[ToAgent, ...]:
            return (LineToAgent({"id": identity, "type": kind, **arguments, **self._late_arguments(kind)}),)

        return PlanStep(kind, make, is_answered)

    def _answered(self, kind: str, data: JsonObject) -> None:
        """Handles the answer to a command."""

    def _late_arguments(self, kind: str) -> JsonObject:
        """Returns the arguments of a command that are known only when it is sent."""
        return {}


class OmpDriver(PiDriver):
    """oh-my-pi, which keeps interrupted answers; a branch before the prompt removes the whole turn."""

    capabilities = Capabilities(Rewinding.TURN, keeps=True, steers=True, queues=True, asks_before_calls=True)

    def __init__(self, cwd: PurePath, version: str) -> None:
        super().__init__(cwd, version)
        self._entry = ""
        self._subagents: set[str] = set()
        """The ids of the running subagents."""
        self._is_resuming = False
        """The agent went on by itself, and its model has not begun to answer."""

    def start(self) -> Plan:
        is_ready = PlanStep("ready", tuple, lambda message: get_text(message, "type") == "ready")
        return (is_ready, *super().start(), self._subscribe_to_subagents())

    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        match get_text(message, "type"):
            case "subagent_lifecycle":
                payload = get_object(message, "payload")
                is_running = get_text(payload, "status") == "started"
                (self._subagents.add if is_running else self._subagents.discard)(get_text(payload, "id"))
            case "agent_start":
                self._is_resuming = True
            case "message_start" | "agent_end":
                self._is_resuming &= get_text(get_object(message, "message"), "role") not in ("", "assistant")
        return super().receive(message)

    @property
    def is_quiescent(self) -> bool:
        # When a subagent in the background ends, its result starts the agent again.
        return super().is_quiescent and not self._subagents and not self._is_resuming

    def _subscribe_to_subagents(self) -> PlanStep:
        """Returns the step that asks for the events of subagents. Versions without that command refuse it, and their
        answer has no id."""
        kind = "set_subagent_subscription"

        def is_answered(message: JsonObject) -> bool:
            if get_text(message, "type") != "response" or get_text(message, "command") != kind:
                return False
            if message.get("success") is not True:
                self.limits.append("This version does not report the output of subagents, so rules do not see it.")
            return True

        command = LineToAgent({"id": f"ttsr-{self.next_id()}", "type": kind, "level": "events"})
        return PlanStep(kind, lambda: (command,), is_answered)

    def steer(self, text: str) -> PlanStep:
        return self._command("abort_and_prompt", message=text)

    def rewind(self) -> Plan:
        return (self._command("get_branch_messages"), self._command("branch"))

    def _answered(self, kind: str, data: JsonObject) -> None:
        if kind == "get_branch_messages":
            found = get_objects(data, "messages")
            if not found:
                raise AgentRefusedError(f"{kind}: there is no message to branch from")
            self._entry = get_text(found[-1], "entryId")

    def _late_arguments(self, kind: str) -> JsonObject:
        return {"entryId": self._entry} if kind == "branch" else {}
