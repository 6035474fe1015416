"""Passes the lines of an editor and its agent on, in the Agent Client Protocol, and enforces rules. Pure.

To the editor it is the agent: a prompt that was interrupted and made again is one prompt with one answer. Each session
has a controller of its own. Lines of the agent that are no messages of the protocol do not reach the editor.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.bridge.adapters.acp.calls import permission_subject
from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.driver import LineToAgent
from ttsr_ls.bridge.control.drivers.acp import PERMISSION, AcpDriver, is_idle, is_running
from ttsr_ls.bridge.control.reaction import Reaction
from ttsr_ls.bridge.control.views import AgentInterrupted, AgentTrouble, RulesInjected, RunView
from ttsr_ls.bridge.watch.notices import SkippedInputNotice
from ttsr_ls.bridge.wire.fields import get_content_text, get_integer, get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_object, parse_objects
from ttsr_ls.escaping import one_line

MAX_SESSIONS = 64
MAX_STRAYS = 20
"""How many lines that cannot be read are reported."""
_MAX_STRAY_LENGTH = 200
"""How much of such a line is shown, in bytes."""
_DRAFT = 2
_WRITE = "fs/write_text_file"


class RelayedLines(Struct, frozen=True):
    """The result of handling a line: lines for the agent and for the editor, without their line ends, and views."""

    to_agent: tuple[bytes, ...] = ()
    to_editor: tuple[bytes, ...] = ()
    views: tuple[RunView, ...] = ()


class RelayedSession(Struct, frozen=True):
    """A session of the agent, with its driver and its controller."""

    driver: AcpDriver
    controller: Controller


class _Prompted:
    """A session, with the prompt of the editor that is under way in it; None between prompts."""

    __slots__ = ("has_failed", "hidden_end", "identity", "is_live", "session")

    def __init__(self, session: RelayedSession) -> None:
        self.session = session
        self.identity: object = None
        self.is_live = False
        """The agent works, on a prompt or, in draft 2, by itself: rules are enforced."""
        self.hidden_end: bytes | None = None
        """Draft 2: the end of an answer that was cut off, which the editor was not shown."""
        self.has_failed = False


class AcpRelay:
    """One connection. `open_session` makes a session, by its id and its folder."""

    def __init__(self, open_session: Callable[[str, PurePath], RelayedSession]) -> None:
        self._open_session = open_session
        self._folders: dict[str, PurePath] = {}
        """The folders of requests for a session that have no answer yet, by their ids."""
        self._sessions: dict[str, _Prompted] = {}
        self._hello: str | None = None
        """The id of the request that agrees on a version."""
        self._is_draft_2 = False
        self._notes = 0
        self._strays = 0

    def from_editor(self, line: bytes, now: int) -> RelayedLines:
        """Handles a line from the editor. `now` is in milliseconds since the Unix epoch, also in the methods below."""
        return _joined([self._relay_from_editor(item, now) for item in _unpacked(line)])

    def from_agent(self, line: bytes, now: int) -> RelayedLines:
        """Handles a line from the agent."""
        return _joined([self._relay_from_agent(item, now) for item in _unpacked(line)])

    def _relay_from_editor(self, line: bytes, now: int) -> RelayedLines:
        message = parse_object(line)
        if isinstance(message, str):
            if not line.strip():
                return RelayedLines((line,))
            said = f"A line of the editor was passed on and could not be read: {message}."
            return RelayedLines((line,), views=self._skipped(said, now))
        params = get_object(message, "params")
        prompted = self._sessions.get(get_text(params, "sessionId"))
        match get_text(message, "method"):
            case "initialize":
                self._hello = _key(message.get("id"))
            case "session/new" | "session/load" | "session/resume":
                if len(self._folders) < MAX_SESSIONS:
                    self._folders[_key(message.get("id"))] = PurePath(get_text(params, "cwd") or "/")
                if get_text(params, "sessionId"):
                    self._begin(get_text(params, "sessionId"), PurePath(get_text(params, "cwd") or "/"))
            case "session/prompt" if prompted is not None and prompted.identity is None:
                prompted.identity, prompted.is_live, prompted.hidden_end = message.get("id"), True, None
                prompted.session.driver.adopt_prompt(get_text(params, "sessionId"), message.get("id"))
                reaction = prompted.session.controller.adopt_prompt(line, get_content_text(params, "prompt"), now)
                return RelayedLines((line,), (), reaction.views)
            case "session/cancel" if prompted is not None and prompted.is_live:
                return self._lines(prompted, prompted.session.controller.stop(now))
            case _:
                pass
        return RelayedLines((line,))

    def _relay_from_agent(self, line: bytes, now: int) -> RelayedLines:
        message = parse_object(line)
        if isinstance(message, str) or not ("method" in message or "id" in message):
            return self._stray(line, now)
        method, params = get_text(message, "method"), get_object(message, "params")
        if not method:
            return self._answered(line, message, now)
        prompted = self._sessions.get(get_text(params, "sessionId"))
        if prompted is not None and self._is_draft_2 and is_running(params):
            prompted.is_live = True
        if prompted is None or not prompted.is_live:
            return RelayedLines((), (line,))
        if "id" in message:
            return self._asked(prompted, line, message, now)
        controller = prompted.session.controller
        was_interrupted = controller.is_interrupted
        lines = self._lines(prompted, controller.receive(line, now))
        # What the agent still says of an answer that was cut off is not shown.
        is_hidden = was_interrupted and controller.is_interrupted and method == "session/update"
        if self._is_draft_2 and controller.is_over and prompted.session.driver.is_done:
            prompted.identity, prompted.is_live = None, False
        elif self._is_draft_2 and is_idle(params):  # The agent goes on with a prompt of ours.
            prompted.hidden_end, is_hidden = line, True
        shown = () if is_hidden else (line,)
        return RelayedLines(lines.to_agent, (*shown, *lines.to_editor), lines.views)

    def skip_oversized_line(self, now: int) -> RelayedLines:
        """Handles a line of either side that is too long to be passed on."""
        return RelayedLines(views=self._skipped("A line was not passed on: it is too long.", now))

    def _stray(self, line: bytes, now: int) -> RelayedLines:
        """Drops a line that is no message: the protocol allows an agent no other output, and editors may end it."""
        if not line.strip():
            return RelayedLines()
        shown = one_line(line[:_MAX_STRAY_LENGTH].decode("utf-8", "replace"))
        return RelayedLines(views=self._skipped(f"A line of the agent that is no message was dropped: {shown}", now))

    def _skipped(self, message: str, now: int) -> tuple[RunView, ...]:
        """Shows and records that input could not be read. It names no session, so it is on record in all of them."""
        self._strays += 1
        if self._strays > MAX_STRAYS:
            return ()
        last = " Further lines that cannot be read are not reported." if self._strays == MAX_STRAYS else ""
        notices = [n for each in self._sessions.values() for n in each.session.controller.skip(f"{message}{last}", now)]
        return (
            AgentTrouble(f"{message}{last}"),
            *(notice for notice in notices if not isinstance(notice, SkippedInputNotice)),
        )

    def tick(self, now: int) -> RelayedLines:
        """Handles the passing of time: checks whether an answer of the agent is overdue."""
        return _joined(
            [self._lines(prompted, prompted.session.controller.tick(now)) for prompted in self._sessions.values()]
        )

    def finish(self, now: int) -> tuple[RunView, ...]:
        """Handles the end of the connection."""
        return tuple(
            view for prompted in self._sessions.values() for view in prompted.session.controller.finish(now).views
        )

    @property
    def sessions(self) -> tuple[RelayedSession, ...]:
        """The sessions that are open."""
        return tuple(prompted.session for prompted in self._sessions.values())

    def _begin(self, identity: str, cwd: PurePath) -> None:
        if identity not in self._sessions and len(self._sessions) < MAX_SESSIONS:
            self._sessions[identity] = _Prompted(self._open_session(identity, cwd))
            self._sessions[identity].session.driver.is_draft_2 = self._is_draft_2

    def _answered(self, line: bytes, message: JsonObject, now: int) -> RelayedLines:
        """A response of the agent: to a request for a session, to a prompt, or to anything else."""
        if self._hello is not None and _key(message.get("id")) == self._hello:
            self._hello = None
            self._is_draft_2 = get_integer(get_object(message, "result"), "protocolVersion") >= _DRAFT
            return RelayedLines((), (line,))
        cwd = self._folders.pop(_key(message.get("id")), None)
        if cwd is not None:
            session = get_text(get_object(message, "result"), "sessionId")
            if session:
                self._begin(session, cwd)
            return RelayedLines((), (line,))
        for prompted in self._sessions.values():
            driver, controller = prompted.session.driver, prompted.session.controller
            if prompted.identity is None or driver.prompt_id is None or message.get("id") != driver.prompt_id:
                continue
            is_ours = driver.prompt_id != prompted.identity
            lines = self._lines(prompted, controller.receive(line, now))
            if self._is_draft_2:
                return self._accepted(prompted, line, lines, is_ours=is_ours)
            if not controller.is_over:
                return lines
            answer = json.dumps({**message, "id": prompted.identity}).encode()
            prompted.identity, prompted.is_live = None, False
            return RelayedLines(lines.to_agent, (*lines.to_editor, answer), lines.views)
        return RelayedLines((), (line,))

    def _accepted(self, prompted: _Prompted, line: bytes, lines: RelayedLines, *, is_ours: bool) -> RelayedLines:
        """Draft 2: the agent accepted a prompt, of the editor or of ours, or refused it."""
        shown: tuple[bytes, ...] = () if is_ours else (line,)
        if prompted.session.controller.is_over and prompted.session.driver.is_done:
            # The agent does not go on after an interrupt: the editor learns now that the answer is over.
            shown += (prompted.hidden_end,) if is_ours and prompted.hidden_end is not None else ()
            prompted.identity, prompted.is_live = None, False
        return RelayedLines(lines.to_agent, (*lines.to_editor, *shown), lines.views)

    def _asked(self, prompted: _Prompted, line: bytes, message: JsonObject, now: int) -> RelayedLines:
        """A request of the agent: what a rule forbids is refused here, anything else is the editor's to answer."""
        method, controller = get_text(message, "method"), prompted.session.controller
        call = get_text(permission_subject(get_object(message, "params")), "toolCallId")
        if method == PERMISSION:
            lines = self._lines(prompted, controller.observe_line(line, now))
            if prompted.session.driver.is_forbidden(call):
                refusal = _encoded(prompted.session.driver.permission(message))
                return RelayedLines((refusal, *lines.to_agent), lines.to_editor, lines.views)
            return RelayedLines(lines.to_agent, (*lines.to_editor, line), lines.views)
        if method == _WRITE and controller.is_interrupted:
            error = {"code": -32000, "message": "This write was refused: the answer breaks a rule of this project."}
            answer = {"jsonrpc": "2.0", "id": message["id"], "error": error}
            return RelayedLines((json.dumps(answer).encode(),))
        return RelayedLines((), (line,))

    def _lines(self, prompted: _Prompted, reaction: Reaction) -> RelayedLines:
        to_agent = tuple(_encoded(item) for item in reaction.outgoing if isinstance(item, LineToAgent))
        session = next((name for name, item in self._sessions.items() if item is prompted), "")
        notes = tuple(note for view in reaction.views if (note := self._note(session, view)) is not None)
        reason, views = prompted.session.controller.failure, reaction.views
        if reason is not None and not prompted.has_failed:
            prompted.has_failed = True
            views = (*views, AgentTrouble(f"{reason} Rules are no longer enforced in this session."))
        return RelayedLines(to_agent, notes, views)

    def _note(self, session: str, view: RunView) -> bytes | None:
        """Returns the message that shows an interrupt in the editor, as one of the agent: the protocol has no other."""
        match view:
            case AgentInterrupted():
                said = f"\n\n[ttsr-ls: this answer broke the rule {', '.join(view.rules)}.]\n\n"
            case RulesInjected():
                said = f"[ttsr-ls: injected {', '.join(view.rules)}.]\n\n"
            case _:
                return None
        update: JsonObject = {"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": said}}
        if self._is_draft_2:
            self._notes += 1
            update["messageId"] = f"ttsr-ls-{self._notes}"
        params = {"sessionId": session, "update": update}
        return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}).encode()


def _unpacked(line: bytes) -> list[bytes]:
    """The messages of a batch as lines of their own; any other line as it is."""
    batch = parse_objects(line) if line.lstrip().startswith(b"[") else ""
    return [line] if isinstance(batch, str) else [json.dumps(item).encode() for item in batch]


def _joined(lines: list[RelayedLines]) -> RelayedLines:
    return RelayedLines(
        tuple(line for relayed_lines in lines for line in relayed_lines.to_agent),
        tuple(line for relayed_lines in lines for line in relayed_lines.to_editor),
        tuple(view for relayed_lines in lines for view in relayed_lines.views),
    )


def _encoded(message: LineToAgent) -> bytes:
    return json.dumps(message.content).encode()


def _key(identity: object) -> str:
    return json.dumps(identity, default=str)
