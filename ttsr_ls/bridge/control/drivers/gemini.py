"""Gemini CLI by the Agent Client Protocol: a forbidden call is refused, and prose is cancelled.

Cancelling removes the whole turn with its tool results, so a turn whose tools have run is not cancelled. A tool call is
not cancelled either: its permission is refused, the answer continues, and the rule is injected after the turn.
"""

from __future__ import annotations

import json
from pathlib import PurePath

from ttsr_ls.bridge.control.driver import Capabilities, LineToAgent, Plan, Rewinding, ToAgent
from ttsr_ls.bridge.control.drivers.acp import AcpDriver
from ttsr_ls.bridge.wire.fields import get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.rules.stream import Source

_NAME = "gemini-cli"
REFUSED = "The call was not run: it breaks a rule of this project."


class GeminiDriver(AcpDriver):
    """Drives one session of Gemini CLI."""

    capabilities = Capabilities(
        Rewinding.TURN,
        keeps=False,
        steers=False,
        queues=False,
        asks_before_calls=True,
        limits=(
            "A tool call that breaks a rule is refused, and the rule is injected when its turn is over.",
            "With --approval-mode=auto_edit or yolo, it asks for no permission: the rule is injected after the call.",
        ),
    )
    _is_stopping = False

    def can_interrupt(self, source: Source, *, has_run_call: bool) -> bool:
        return source is not Source.TOOL and not has_run_call

    @property
    def has_removed_answer(self) -> bool:
        return self.stop_reason == "cancelled"

    def prompt_blocks(self, text: str) -> list[JsonObject]:
        """A cancelled turn was removed with its prompt, so the images and files of the prompt are sent again, too."""
        removed = self.attachments if self.has_removed_answer else []
        return [*removed, *super().prompt_blocks(text)]

    def interrupt(self) -> Plan:
        self._is_stopping = True
        return super().interrupt()

    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        sent = super().receive(message)
        if self._is_stopping and self.prompt_id is None:
            self._is_stopping = False
            if not self.has_removed_answer:
                self.notes.append("The answer was complete before the agent stopped, and stays in its history.")
        return sent

    def permission(self, message: JsonObject) -> LineToAgent:
        params = get_object(message, "params")
        call = get_text(get_object(params, "toolCall"), "toolCallId")
        if self.is_forbidden(call):
            # Gemini CLI reports no end of a refused call.
            refusal = {"type": "content", "content": {"type": "text", "text": REFUSED}}
            update = {"sessionUpdate": "tool_call_update", "toolCallId": call, "status": "failed", "content": [refusal]}
            params = {"sessionId": get_text(params, "sessionId"), "update": update}
            update_line = {"jsonrpc": "2.0", "method": "session/update", "params": params}
            self.omitted_lines.append(json.dumps(update_line).encode())
        return super().permission(message)


def relayed_driver(agent: str, cwd: PurePath, version: str) -> AcpDriver:
    """Returns the driver for an agent whose client is an editor; `agent` is the name that the agent reports."""
    return GeminiDriver(cwd, version) if agent == _NAME else AcpDriver(cwd, version)
