"""opencode by the HTTP server of `opencode serve`, its second API, whose events have the deltas of tools' arguments."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import quote

from ttsr_ls.bridge.control.driver import (
    AgentDriver,
    AgentRefusedError,
    Capabilities,
    HttpCall,
    Plan,
    PlanStep,
    Rewinding,
    ToAgent,
)
from ttsr_ls.bridge.wire.fields import get_integer, get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject

EVENTS = "/api/event"
_MAX_SEEN = 1_000
_MAX_EARLY_WAITS = 50
"""How often the session may be reported as idle before it begins an accepted prompt."""

_CONFIGURED = "config-provider"
"""The plugin of opencode that adds the models of its configuration."""

_NO_ANSWER = (
    "opencode accepted the prompt and began no answer: it found no model that it can use. Name one as `model` in "
    "opencode.json; `opencode models` lists them."
)


class OpencodeDriver(AgentDriver):
    """One session in the folder `cwd`."""

    capabilities = Capabilities(
        Rewinding.ANSWER,
        keeps=True,
        steers=False,
        queues=True,
        asks_before_calls=True,
        limits=("A kept tool call that was interrupted stays as a failed one, without its arguments.",),
    )

    def __init__(self, cwd: PurePath, version: str) -> None:
        super().__init__(cwd, version)
        self._session = ""
        self._last_message = ""
        """The id of the last message before the unfinished answer. A rewind removes all after it."""
        self._queued: set[str] = set()
        self._seen: set[str] = set()
        self._waiting = ""
        self._has_begun = self._has_stopped = False
        self._early_waits = 0
        self._failure = ""
        self._has_plugins = self._has_configuration = self._has_models = False

    def start(self) -> Plan:
        """Also waits for the models. opencode loads them in the background unless the folder is in a git repository.
        An earlier prompt gets no answer, or one of another model than the configured one.
        """
        return (self._call("session", "", {"location": {"directory": str(self._cwd)}}), self._models())

    def prompt(self, text: str) -> PlanStep:
        return self._call("prompt", "/prompt", {"prompt": {"text": text}})

    def interrupt(self) -> Plan:
        return (self._call("interrupt", "/interrupt"),)

    def rewind(self) -> Plan:
        staged = self._call("revert", "/revert/stage", {"files": False})
        return (staged, self._call("commit", "/revert/commit"))

    def remind(self, text: str) -> Plan:
        return (self._call("reminder", "/prompt", {"prompt": {"text": text}, "delivery": "steer"}),)

    @property
    def has_queued_message(self) -> bool:
        return bool(self._queued)

    @property
    def idle_reason(self) -> str | None:
        if not self._has_stopped:
            return None
        return self._failure or ("The agent stopped." if self._has_begun else _NO_ANSWER)

    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        key = get_text(message, "http")
        if key:
            return self._handle_http_answer(key, message)
        data = get_object(message, "data")
        self._track_loading(get_text(message, "type"), get_text(data, "id"))
        if get_text(data, "sessionID") != self._session:
            return ()
        match get_text(message, "type"):
            case "session.next.step.ended":
                self._last_message = get_text(data, "assistantMessageID") or self._last_message
            case "session.next.prompted":
                self._last_message = get_text(data, "messageID") or self._last_message
                self._queued.discard(get_text(data, "messageID"))
                if len(self._seen) < _MAX_SEEN:
                    self._seen.add(get_text(data, "messageID"))
            case "session.next.step.started":
                self._failure, self._has_begun, self.has_permitted_call = "", True, False
            case "session.next.tool.called":  # opencode runs it at once, also while the answer goes on.
                self.has_permitted_call = True
            case "session.next.step.failed":
                self._failure = get_text(get_object(data, "error"), "message")
            case "permission.v2.asked":
                resources = data.get("resources")
                display = ", ".join(map(str, resources)) if isinstance(resources, list) else ""
                call = get_text(get_object(data, "source"), "callID")
                reply = "once" if self.allows_call(call, f"{get_text(data, 'action')} {display}") else "reject"
                return (self._answer(f"permission/{get_text(data, 'id')}/reply", {"reply": reply}),)
            case "question.v2.asked":
                return (self._answer(f"question/{get_text(data, 'id')}/reject"),)
        return ()

    def _track_loading(self, kind: str, plugin: str) -> None:
        """Tracks whether opencode has loaded the plugin that adds the configured models to its catalogue."""
        match kind:
            case "plugin.added":
                self._has_plugins = True
                self._has_configuration |= plugin == _CONFIGURED
            case "catalog.updated":
                self._has_models |= self._has_configuration

    def _models(self) -> PlanStep:
        key = f"models-{self.next_id()}"
        path = f"/api/model?location%5Bdirectory%5D={quote(str(self._cwd), safe='')}"

        def is_answered(message: JsonObject) -> bool:
            if self._has_models:
                return True
            if get_text(message, "http") != key:
                return False
            # Versions that do not report their plugins have all models at once, or cannot list them.
            is_listed = get_object(message, "body").get("data") != [] and not self._has_plugins
            return is_listed or get_integer(message, "status") >= 400

        return PlanStep("models", lambda: (HttpCall(key, "GET", path),), is_answered)

    def _handle_http_answer(self, key: str, message: JsonObject) -> tuple[ToAgent, ...]:
        """Handles an HTTP answer. After an accepted prompt, a `wait` request is answered once the agent is idle."""
        if key == self._waiting:
            self._early_waits += not self._has_begun
            self._has_stopped = self._has_begun or self._early_waits > _MAX_EARLY_WAITS
            return () if self._has_stopped else self._wait()
        if not key.startswith(("prompt-", "reminder-")) or get_integer(message, "status") >= 400:
            return ()
        self._has_begun = self._has_stopped = False
        self._early_waits = 0
        return self._wait()

    def _wait(self) -> tuple[ToAgent, ...]:
        self._waiting = f"wait-{self.next_id()}"
        return (HttpCall(self._waiting, "POST", f"/api/session/{self._session}/wait"),)

    def _answer(self, path: str, body: JsonObject | None = None) -> HttpCall:
        return HttpCall(f"answer-{self.next_id()}", "POST", f"/api/session/{self._session}/{path}", body)

    def _call(self, kind: str, path: str, body: JsonObject | None = None) -> PlanStep:
        key = f"{kind}-{self.next_id()}"

        def is_answered(message: JsonObject) -> bool:
            if get_text(message, "http") != key:
                return False
            status, answer = get_integer(message, "status"), get_object(message, "body")
            if not 200 <= status < 300:
                reason = (
                    get_text(answer, "message")
                    or get_text(get_object(answer, "data"), "message")
                    or get_text(answer, "_tag")
                )
                raise AgentRefusedError(f"{kind}: status {status} {reason}".rstrip())
            self._accepted(kind, get_text(get_object(answer, "data"), "id"))
            return True

        def make() -> tuple[ToAgent, ...]:
            sent = {**(body or {}), "messageID": self._last_message} if kind == "revert" else body
            base = "/api/session" if kind == "session" else f"/api/session/{self._session}"
            return (HttpCall(key, "POST", f"{base}{path}", sent),)

        return PlanStep(kind, make, is_answered)

    def _accepted(self, kind: str, identity: str) -> None:
        match kind:
            case "session":
                self._session = identity
            case "reminder" if identity not in self._seen:
                self._queued.add(identity)
            case _:
                pass
