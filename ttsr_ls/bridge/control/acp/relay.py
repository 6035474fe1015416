"""Forwards the lines of an editor and its agent, in the Agent Client Protocol, and enforces rules. Pure.

To the editor it is the agent: a prompt that was interrupted and continued is one prompt with one answer. Each session
has a controller of its own. Lines of the agent that are no messages of the protocol do not reach the editor.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.bridge.adapters.acp.calls import permission_subject
from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.drivers.acp import PERMISSION, AcpDriver, is_idle, is_running
from ttsr_ls.bridge.control.reaction import Reaction
from ttsr_ls.bridge.control.relayed_lines import (
    RelayedLines,
    UnreadableLines,
    encoded_messages,
    end_of_enforcement,
    join_lines,
    request_key,
)
from ttsr_ls.bridge.control.views import AgentInterrupted, RulesInjected, RunView
from ttsr_ls.bridge.wire.fields import get_content_text, get_integer, get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_object, parse_objects
from ttsr_ls.escaping import one_line

MAX_SESSIONS = 64
_MAX_SHOWN_LENGTH = 200
"""The most bytes of an unreadable line that are shown."""
_DRAFT = 2
_WRITE = "fs/write_text_file"


class RelayedSession(Struct, frozen=True):
    """A session of the agent, with its driver and its controller."""

    driver: AcpDriver
    controller: Controller


class _SessionState:
    """A session, with the state of the editor's current prompt."""

    __slots__ = ("has_failed", "hidden_end", "is_live", "prompt_id", "session")

    def __init__(self, session: RelayedSession) -> None:
        self.session = session
        self.prompt_id: object = None
        """The id of the editor's current prompt; None between prompts."""
        self.is_live = False
        """The agent works, on a prompt or, in draft 2, by itself: rules are enforced."""
        self.hidden_end: bytes | None = None
        """Draft 2: the end of an interrupted answer, which the editor did not get."""
        self.has_failed = False


class AcpRelay:
    """One connection. `open_session` creates a session from its id and its folder."""

    def __init__(self, open_session: Callable[[str, PurePath], RelayedSession]) -> None:
        self._open_session = open_session
        self._folders: dict[str, PurePath] = {}
        """The folders of pending requests for a session, by request id."""
        self._sessions: dict[str, _SessionState] = {}
        self._initialize_id: str | None = None
        """The id of the pending `initialize` request, whose response has the version."""
        self._is_draft_2 = False
        self.agent_name = ""
        """The name that the agent reports, before any session is opened."""
        self._note_count = 0
        self._unreadable = UnreadableLines()

    def from_editor(self, line: bytes, now: int) -> RelayedLines:
        """Handles a line from the editor. `now` is in milliseconds since the Unix epoch, also in the methods below."""
        return join_lines([self._relay_from_editor(item, now) for item in _split_batch(line)])

    def from_agent(self, line: bytes, now: int) -> RelayedLines:
        """Handles a line from the agent."""
        return join_lines([self._relay_from_agent(item, now) for item in _split_batch(line)])

    def _relay_from_editor(self, line: bytes, now: int) -> RelayedLines:
        message = parse_object(line)
        if isinstance(message, str):
            if not line.strip():
                return RelayedLines((line,))
            text = f"A line of the editor was passed on and could not be read: {message}."
            return RelayedLines((line,), views=self._report_unreadable(text, now))
        params = get_object(message, "params")
        state = self._sessions.get(get_text(params, "sessionId"))
        match get_text(message, "method"):
            case "initialize":
                self._initialize_id = request_key(message.get("id"))
            case "session/new" | "session/load" | "session/resume" | "session/fork" as method:
                if len(self._folders) < MAX_SESSIONS:
                    self._folders[request_key(message.get("id"))] = PurePath(get_text(params, "cwd") or "/")
                if get_text(params, "sessionId") and method != "session/fork":  # The response names the new session.
                    self._open(get_text(params, "sessionId"), PurePath(get_text(params, "cwd") or "/"))
            case "session/prompt" if state is not None and state.prompt_id is None:
                state.prompt_id, state.is_live, state.hidden_end = message.get("id"), True, None
                blocks = get_objects(params, "prompt")
                state.session.driver.adopt_prompt(get_text(params, "sessionId"), message.get("id"), blocks)
                reaction = state.session.controller.adopt_prompt(line, get_content_text(params, "prompt"), now)
                return RelayedLines((line,), (), reaction.views)
            case "session/cancel" if state is not None and state.is_live:
                return self._lines(state, state.session.controller.stop(now))
            case _:
                pass
        return RelayedLines((line,))

    def _relay_from_agent(self, line: bytes, now: int) -> RelayedLines:
        message = parse_object(line)
        if isinstance(message, str) or not ("method" in message or "id" in message):
            return self._drop_line(line, now)
        method, params = get_text(message, "method"), get_object(message, "params")
        if not method:
            return self._handle_response(line, message, now)
        state = self._sessions.get(get_text(params, "sessionId"))
        if state is not None and self._is_draft_2 and is_running(params):
            state.is_live = True
        if state is None or not state.is_live:
            return RelayedLines((), (line,))
        if "id" in message:
            return self._handle_agent_request(state, line, message, now)
        controller = state.session.controller
        was_interrupted = controller.is_interrupted
        lines = self._lines(state, controller.receive(line, now))
        # Further updates of an interrupted answer are not shown.
        is_hidden = was_interrupted and controller.is_interrupted and method == "session/update"
        if self._is_draft_2 and controller.is_over and state.session.driver.is_done:
            state.prompt_id, state.is_live = None, False
        elif self._is_draft_2 and is_idle(params):  # The agent continues with a prompt of this program.
            state.hidden_end, is_hidden = line, True
        shown = () if is_hidden else (line,)
        return RelayedLines(lines.to_agent, (*shown, *lines.to_client), lines.views)

    def skip_oversized_line(self, now: int) -> RelayedLines:
        """Handles a line of either side that is too long to be forwarded."""
        return RelayedLines(views=self._report_unreadable("A line was not passed on: it is too long.", now))

    def _drop_line(self, line: bytes, now: int) -> RelayedLines:
        """Drops a line that is no message, because the protocol forbids it, and editors may end the agent for it."""
        if not line.strip():
            return RelayedLines()
        shown = one_line(line[:_MAX_SHOWN_LENGTH].decode("utf-8", "replace"))
        return RelayedLines(
            views=self._report_unreadable(f"A line of the agent that is no message was dropped: {shown}", now)
        )

    def _report_unreadable(self, message: str, now: int) -> tuple[RunView, ...]:
        return self._unreadable.report(message, (session.controller for session in self.sessions), now)

    def tick(self, now: int) -> RelayedLines:
        """Handles the passing of time: checks whether an answer of the agent is overdue."""
        return join_lines([self._lines(state, state.session.controller.tick(now)) for state in self._sessions.values()])

    def finish(self, now: int) -> tuple[RunView, ...]:
        """Handles the end of the connection."""
        return tuple(view for state in self._sessions.values() for view in state.session.controller.finish(now).views)

    @property
    def sessions(self) -> tuple[RelayedSession, ...]:
        """The open sessions."""
        return tuple(state.session for state in self._sessions.values())

    def _open(self, identity: str, cwd: PurePath) -> None:
        if identity not in self._sessions and len(self._sessions) < MAX_SESSIONS:
            self._sessions[identity] = _SessionState(self._open_session(identity, cwd))
            self._sessions[identity].session.driver.is_draft_2 = self._is_draft_2

    def _handle_response(self, line: bytes, message: JsonObject, now: int) -> RelayedLines:
        """Handles a response of the agent: to a request for a session, to a prompt, or to another request."""
        if self._initialize_id is not None and request_key(message.get("id")) == self._initialize_id:
            self._initialize_id = None
            result = get_object(message, "result")
            self._is_draft_2 = get_integer(result, "protocolVersion") >= _DRAFT
            self.agent_name = get_text(get_object(result, "agentInfo"), "name")
            return RelayedLines((), (line,))
        cwd = self._folders.pop(request_key(message.get("id")), None)
        if cwd is not None:
            session = get_text(get_object(message, "result"), "sessionId")
            if session:
                self._open(session, cwd)
            return RelayedLines((), (line,))
        for state in self._sessions.values():
            driver, controller = state.session.driver, state.session.controller
            if state.prompt_id is None or driver.prompt_id is None or message.get("id") != driver.prompt_id:
                continue
            is_ours = driver.prompt_id != state.prompt_id
            lines = self._lines(state, controller.receive(line, now))
            if self._is_draft_2:
                return self._handle_prompt_response(state, line, lines, is_ours=is_ours)
            if not controller.is_over:
                return lines
            answer = json.dumps({**message, "id": state.prompt_id}).encode()
            state.prompt_id, state.is_live = None, False
            return RelayedLines(lines.to_agent, (*lines.to_client, answer), lines.views)
        return RelayedLines((), (line,))

    def _handle_prompt_response(
        self, state: _SessionState, line: bytes, lines: RelayedLines, *, is_ours: bool
    ) -> RelayedLines:
        """Handles the response to a prompt in draft 2: the agent accepted or refused it. `is_ours`: we sent it."""
        shown: tuple[bytes, ...] = () if is_ours else (line,)
        if state.session.controller.is_over and state.session.driver.is_done:
            # The agent did not continue after an interrupt: the editor gets the hidden end of the answer now.
            shown += (state.hidden_end,) if is_ours and state.hidden_end is not None else ()
            state.prompt_id, state.is_live = None, False
        return RelayedLines(lines.to_agent, (*lines.to_client, *shown), lines.views)

    def _handle_agent_request(self, state: _SessionState, line: bytes, message: JsonObject, now: int) -> RelayedLines:
        """Handles a request of the agent: refuses what a rule forbids, and forwards other requests to the editor."""
        method, controller = get_text(message, "method"), state.session.controller
        call = get_text(permission_subject(get_object(message, "params")), "toolCallId")
        if method == PERMISSION:
            lines = self._lines(state, controller.observe_line(line, now))
            if state.session.driver.is_forbidden(call):
                refusal = json.dumps(state.session.driver.permission(message).content).encode()
                return RelayedLines((refusal, *lines.to_agent), lines.to_client, lines.views)
            return RelayedLines(lines.to_agent, (*lines.to_client, line), lines.views)
        if method == _WRITE and controller.is_interrupted:
            error = {"code": -32000, "message": "This write was refused: the answer breaks a rule of this project."}
            answer = {"jsonrpc": "2.0", "id": message["id"], "error": error}
            return RelayedLines((json.dumps(answer).encode(),))
        return RelayedLines((), (line,))

    def _lines(self, state: _SessionState, reaction: Reaction) -> RelayedLines:
        session = next((name for name, item in self._sessions.items() if item is state), "")
        notes = tuple(note for view in reaction.views if (note := self._note(session, view)) is not None)
        reason, views = state.session.controller.failure, reaction.views
        if reason is not None and not state.has_failed:
            state.has_failed = True
            views = (*views, end_of_enforcement(reason))
        return RelayedLines(encoded_messages(reaction), notes, views)

    def _note(self, session: str, view: RunView) -> bytes | None:
        """Returns a message of the agent that shows an interrupt in the editor: the protocol has no other form."""
        match view:
            case AgentInterrupted():
                text = f"\n\n[ttsr-ls: this answer broke the rule {', '.join(view.rules)}.]\n\n"
            case RulesInjected():
                text = f"[ttsr-ls: injected {', '.join(view.rules)}.]\n\n"
            case _:
                return None
        update: JsonObject = {"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": text}}
        if self._is_draft_2:
            self._note_count += 1
            update["messageId"] = f"ttsr-ls-{self._note_count}"
        params = {"sessionId": session, "update": update}
        return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}).encode()


def _split_batch(line: bytes) -> list[bytes]:
    """Splits a batch into lines with one message each; returns any other line unchanged."""
    batch = parse_objects(line) if line.lstrip().startswith(b"[") else ""
    return [line] if isinstance(batch, str) else [json.dumps(item).encode() for item in batch]
