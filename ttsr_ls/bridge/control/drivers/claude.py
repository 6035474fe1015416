"""Claude Code by `--input-format stream-json`: user messages and control requests in, its stream out.

Before each tool call, Claude Code calls a hook that `initialize` registers, and waits for the answer; the user's own
hooks and permissions still apply. A user message with the `priority` `now` interrupts the answer and continues.
`rewind_conversation` removes a prompt and all after it. It is not documented; versions that refuse it are prompted
without it.
"""

from __future__ import annotations

import uuid
from pathlib import PurePath

from ttsr_ls.bridge.adapters.claude.adapter import SYNTHETIC_MODEL
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

ARGUMENTS = (
    "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--include-partial-messages", "--verbose",
    "--permission-prompt-tool", "stdio",
)  # fmt: skip
_CALL_HOOK = "ttsr-ls-call"
_NOT_PERMITTED = "This call is not permitted."
_DENIED: JsonObject = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": _NOT_PERMITTED,
    }
}
_SUBAGENT = "local_agent"
_PAUSE = 2.0
"""How long Claude Code may take to report a finished subagent to its model, in seconds; 0.4 were measured."""
_ACCEPTED = frozenset({"queued", "started", "completed"})


class ClaudeDriver(AgentDriver):
    """Drives one session of Claude Code."""

    capabilities = Capabilities(Rewinding.TURN, keeps=True, steers=True, queues=True, asks_before_calls=True)

    def __init__(self, cwd: PurePath, version: str) -> None:
        super().__init__(cwd, version)
        self._prompt_message_id = ""
        """The id of the message that a rewind removes."""
        self._queued: set[str] = set()
        self._is_running = self._has_answered = False
        self._has_subagents = False
        """Subagents work in the background. Claude Code reports their results to its model in another turn."""

    def start(self) -> Plan:
        hooks = {"PreToolUse": [{"hookCallbackIds": [_CALL_HOOK]}]}
        # Otherwise the stream has the calls of a subagent that the agent waits for, and not its text.
        return (self._control("initialize", hooks=hooks, forwardSubagentText=True),)

    def prompt(self, text: str) -> PlanStep:
        self._prompt_message_id = str(uuid.uuid4())
        return self._message(text, self._prompt_message_id)

    def interrupt(self) -> Plan:
        step = PlanStep("result", tuple, lambda _: not self._is_running, lambda: not self._is_running)
        return (self._control("interrupt"), step)

    def rewind(self) -> Plan:
        return (self._control("rewind_conversation", target_message_uuid=self._prompt_message_id),)

    def steer(self, text: str) -> PlanStep:
        return self._message(text, str(uuid.uuid4()), priority="now")

    def remind(self, text: str) -> Plan:
        identity = str(uuid.uuid4())
        self._queued.add(identity)
        return (self._message(text, identity),)

    @property
    def has_queued_message(self) -> bool:
        return bool(self._queued)

    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        match get_text(message, "type"):
            case "result":
                # The result repeats the answer of a model. The prompt `/cost` has no answer, only a result.
                if not self._has_answered and message.get("is_error") is not True:
                    self.command_output += filter(str.strip, (get_text(message, "result"),))
                self._is_running = self._has_answered = False
            case "stream_event":
                self._is_running = self._has_answered = True
            case "assistant" if get_text(get_object(message, "message"), "model") != SYNTHETIC_MODEL:
                self._has_answered = True
            case "command_lifecycle" if get_text(message, "state") != "queued":
                self._queued.discard(get_text(message, "command_uuid"))
            case "system" if get_text(message, "subtype") == "background_tasks_changed":
                tasks = get_objects(message, "tasks")
                self._has_subagents = any(get_text(task, "task_type") == _SUBAGENT for task in tasks)
                if self._has_subagents:
                    self.pause_between_turns = _PAUSE
            case "control_request":
                return (LineToAgent(self._answer(get_text(message, "request_id"), get_object(message, "request"))),)
        return ()

    @property
    def is_quiescent(self) -> bool:
        return not self._has_subagents

    def _answer(self, identity: str, request: JsonObject) -> JsonObject:
        call = get_text(request, "tool_use_id")
        decision: JsonObject
        match get_text(request, "subtype"):
            case "hook_callback" if get_text(request, "callback_id") == _CALL_HOOK:
                is_of_subagent = bool(get_text(get_object(request, "input"), "agent_id"))
                decision = {} if is_of_subagent or self.permits_call(call) else _DENIED
            case "can_use_tool":
                is_allowed = self.allows_call(call, get_text(request, "tool_name"))
                allowed = {"behavior": "allow", "updatedInput": get_object(request, "input")}
                decision = allowed if is_allowed else {"behavior": "deny", "message": _NOT_PERMITTED}
            case kind:
                failed = {"subtype": "error", "request_id": identity, "error": f"ttsr-ls does not answer {kind}"}
                return {"type": "control_response", "response": failed}
        answer = {"subtype": "success", "request_id": identity, "response": decision}
        return {"type": "control_response", "response": answer}

    def _message(self, text: str, identity: str, **more: str) -> PlanStep:
        content = {"role": "user", "content": [{"type": "text", "text": text}]}
        message = {"type": "user", "uuid": identity, "message": content, "parent_tool_use_id": None, "session_id": ""}

        def is_answered(answer: JsonObject) -> bool:
            # Versions before 2.1.300 answer with `init`.
            if get_text(answer, "type") == "system" and get_text(answer, "subtype") == "init":
                return True
            return get_text(answer, "command_uuid") == identity and get_text(answer, "state") in _ACCEPTED

        return PlanStep("user message", lambda: (LineToAgent({**message, **more}),), is_answered)

    def _control(self, kind: str, **arguments: object) -> PlanStep:
        identity = f"ttsr-{self.next_id()}"
        request = {"type": "control_request", "request_id": identity, "request": {"subtype": kind, **arguments}}

        def is_answered(message: JsonObject) -> bool:
            response = get_object(message, "response")
            if get_text(message, "type") != "control_response" or get_text(response, "request_id") != identity:
                return False
            inner = get_object(response, "response")
            if get_text(response, "subtype") != "success" or inner.get("rewound") is False:
                reason = get_text(response, "error") or get_text(inner, "error") or "the agent gave no reason"
                raise AgentRefusedError(f"{kind}: {reason}")
            return True

        return PlanStep(kind, lambda: (LineToAgent(request),), is_answered)
