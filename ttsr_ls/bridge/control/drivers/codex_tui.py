"""A thread of Codex's app server whose client is Codex's own terminal interface.

The user prompts, and decides about permissions; this driver adopts the thread. Without a sandbox and approvals, every
call asks this driver for approval, as in `CodexDriver`.
"""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.control.driver import ToAgent
from ttsr_ls.bridge.control.drivers.codex import UNCONFINED, CodexDriver
from ttsr_ls.bridge.wire.fields import get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject

OUR_REQUESTS = "ttsr-"
"""The prefix of request ids of this program; the interface uses numbers."""

_NEVER = "never"
_ALWAYS = "untrusted"


class CodexTuiDriver(CodexDriver):
    """Drives one thread of Codex that runs in its own terminal interface."""

    def __init__(self, cwd: PurePath, version: str) -> None:
        super().__init__(cwd, version)
        self._policy = ""
        self._sandbox = ""

    def adopt_thread(self, opened: JsonObject) -> None:
        """Takes over a thread from the response to the request that opened it."""
        self._thread = get_text(get_object(opened, "thread"), "id")
        self._policy = get_text(opened, "approvalPolicy")
        self._sandbox = get_text(get_object(opened, "sandbox"), "type")

    def adopt_turn(self, params: JsonObject) -> JsonObject:
        """Returns the parameters of the user's request for a turn, edited for the server."""
        self._policy = get_text(params, "approvalPolicy") or self._policy
        self._sandbox = get_text(get_object(params, "sandboxPolicy"), "type") or self._sandbox
        self._asks = self._policy == _NEVER and self._sandbox == UNCONFINED
        return {**params, "approvalPolicy": _ALWAYS} if self._asks else params

    def with_user_settings(self, params: JsonObject) -> JsonObject:
        """Returns the server's settings of the thread with the approval policy that the user chose."""
        settings = get_object(params, "threadSettings")
        if not self._asks or get_text(settings, "approvalPolicy") != _ALWAYS:
            return params
        return {**params, "threadSettings": {**settings, "approvalPolicy": _NEVER}}

    def answers_permission(self, message: JsonObject) -> bool:
        """Returns whether a request for permission is answered here: every call waits, or a rule forbids this one."""
        call = self.call_of_approval(message)
        return call != "" and (self._asks or self.is_forbidden(call))

    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        if "method" in message and "id" in message and not self.answers_permission(message):
            return ()  # The user answers it.
        return super().receive(message)

    def allows_call(self, call_id: str, kind: str) -> bool:
        return not self.is_forbidden(call_id)

    def new_request_id(self) -> str:
        # Requests of the user and of other threads are on the same connection.
        return f"{self._prefix}{self.next_id()}"

    def owns_response(self, message: JsonObject) -> bool:
        """Returns whether a response is to a request of this driver."""
        return get_text(message, "id").startswith(self._prefix)

    @property
    def _prefix(self) -> str:
        return f"{OUR_REQUESTS}{self._thread}-"
