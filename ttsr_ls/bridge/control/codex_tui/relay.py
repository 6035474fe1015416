"""Forwards the lines of Codex's terminal interface and its app server, and enforces rules. Pure.

Each thread that the user opens has a controller of its own, also for its subagents. Unknown lines are forwarded
unchanged; lines that are not JSON objects are also reported and recorded.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.drivers.codex_tui import OUR_REQUESTS, CodexTuiDriver
from ttsr_ls.bridge.control.reaction import Reaction
from ttsr_ls.bridge.control.relayed_lines import (
    RelayedLines,
    UnreadableLines,
    encoded_messages,
    end_of_enforcement,
    join_lines,
    request_key,
)
from ttsr_ls.bridge.control.views import AgentInterrupted, AgentTrouble, CallRanAnyway, RulesInjected, RunView
from ttsr_ls.bridge.wire.fields import get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_object

MAX_THREADS = 64
_MAX_SUBAGENTS = 1_000
_OPENING = ("thread/start", "thread/resume", "thread/fork")


class TuiThread(Struct, frozen=True):
    """A thread with its driver and its controller."""

    driver: CodexTuiDriver
    controller: Controller


class CodexTuiRelay:
    """One connection of the interface. `open_thread` creates the controller of a thread from its id and its folder."""

    def __init__(self, open_thread: Callable[[str, PurePath], TuiThread]) -> None:
        self._open_thread = open_thread
        self._opening: dict[str, None] = {}
        """The pending requests that open a thread, by their ids."""
        self._threads: dict[str, TuiThread] = {}
        self._roots: dict[str, str] = {}
        """The thread of the main agent, for each subagent's thread."""
        self._failed: set[str] = set()
        self._unreadable = UnreadableLines()

    def from_tui(self, line: bytes, now: int) -> RelayedLines:
        """Handles a line from the terminal interface.

        `now` is in milliseconds since the Unix epoch, also in the methods below.
        """
        message = parse_object(line)
        if isinstance(message, str):
            return RelayedLines((line,), views=self._report_unreadable_line("Codex's interface", line, message, now))
        method, params = get_text(message, "method"), get_object(message, "params")
        thread = self._threads.get(get_text(params, "threadId"))
        # The interface generates titles in ephemeral threads, in which no rules apply.
        is_utility = method == "thread/start" and params.get("ephemeral") is True
        if method in _OPENING and not is_utility and len(self._opening) < MAX_THREADS:
            self._opening[request_key(message.get("id"))] = None
        elif method == "turn/start" and thread is not None:
            sent = {**message, "params": thread.driver.adopt_turn(params)}
            reaction = thread.controller.adopt_prompt(line, _prompt(params), now)
            return self._lines(get_text(params, "threadId"), reaction, (json.dumps(sent).encode(),))
        elif method == "turn/interrupt" and thread is not None:
            # The user's request is sent before the controller's, which then has nothing to interrupt.
            return self._lines(get_text(params, "threadId"), thread.controller.stop(now), (line,))
        return RelayedLines((line,))

    def from_server(self, line: bytes, now: int) -> RelayedLines:
        """Handles a line from the app server."""
        message = parse_object(line)
        if isinstance(message, str):
            return RelayedLines((), (line,), self._report_unreadable_line("Codex's app server", line, message, now))
        method, params = get_text(message, "method"), get_object(message, "params")
        if not method:
            return self._handle_response(line, message, now)
        if method == "thread/started":
            self._note_subagent(get_object(params, "thread"))
        identity = get_text(params, "threadId") or get_text(get_object(params, "thread"), "id")
        root = self._roots.get(identity, identity)
        thread = self._threads.get(root)
        if thread is None:
            return RelayedLines((), (line,))
        if method == "thread/settings/updated":
            line = json.dumps({**message, "params": thread.driver.with_user_settings(params)}).encode()
        reaction = thread.controller.receive(line, now)
        shown = () if "id" in message and thread.driver.answers_permission(message) else (line,)
        return self._lines(root, reaction, (), shown)

    def skip_oversized_line(self, now: int) -> RelayedLines:
        """Handles a line of the app server that is too long to be forwarded."""
        return RelayedLines(views=self._report_unreadable("A line of Codex was not passed on: it is too long.", now))

    def _report_unreadable_line(self, side: str, line: bytes, reason: str, now: int) -> tuple[RunView, ...]:
        if not line.strip():
            return ()
        return self._report_unreadable(f"A line of {side} was passed on and could not be read: {reason}.", now)

    def _report_unreadable(self, message: str, now: int) -> tuple[RunView, ...]:
        return self._unreadable.report(message, (thread.controller for thread in self._threads.values()), now)

    def tick(self, now: int) -> RelayedLines:
        """Handles the passing of time: checks whether an answer of the agent is overdue."""
        return join_lines(
            self._lines(identity, thread.controller.tick(now)) for identity, thread in self._threads.items()
        )

    def finish(self, now: int) -> tuple[RunView, ...]:
        """Handles the end of the connection."""
        return tuple(view for thread in self._threads.values() for view in thread.controller.finish(now).views)

    def _handle_response(self, line: bytes, message: JsonObject, now: int) -> RelayedLines:
        """Handles a response of the server: to our request, to one that opens a thread, or to another one."""
        if get_text(message, "id").startswith(OUR_REQUESTS):
            return join_lines(
                self._lines(identity, thread.controller.receive(line, now))
                for identity, thread in self._threads.items()
                if thread.driver.owns_response(message)
            )
        if request_key(message.get("id")) in self._opening:
            del self._opening[request_key(message.get("id"))]
            self._open(get_object(message, "result"))
        return RelayedLines((), (line,))

    def _open(self, opened: JsonObject) -> None:
        identity = get_text(get_object(opened, "thread"), "id")
        if identity and identity not in self._threads and len(self._threads) < MAX_THREADS:
            self._threads[identity] = self._open_thread(identity, PurePath(get_text(opened, "cwd") or "/"))
        if identity in self._threads:
            self._threads[identity].driver.adopt_thread(opened)

    def _note_subagent(self, thread: JsonObject) -> None:
        identity, parent = get_text(thread, "id"), get_text(thread, "parentThreadId")
        if identity and parent and identity not in self._threads and len(self._roots) < _MAX_SUBAGENTS:
            self._roots[identity] = self._roots.get(parent, parent)

    def _lines(
        self, identity: str, reaction: Reaction, to_agent: tuple[bytes, ...] = (), to_client: tuple[bytes, ...] = ()
    ) -> RelayedLines:
        views = reaction.views
        reason = self._threads[identity].controller.failure
        if reason is not None and identity not in self._failed:
            self._failed.add(identity)
            views = (*views, end_of_enforcement(reason))
        notes = tuple(note for view in views if (note := _note(identity, view)) is not None)
        return RelayedLines((*to_agent, *encoded_messages(reaction)), (*to_client, *notes), views)


def _note(thread: str, view: RunView) -> bytes | None:
    """Returns the warning that shows a view in the terminal interface."""
    match view:
        case AgentInterrupted():
            message = f"ttsr-ls: this answer breaks the rule {', '.join(view.rules)}."
        case RulesInjected():
            message = f"ttsr-ls: injected {', '.join(view.rules)}."
        case CallRanAnyway():
            message = (
                f"ttsr-ls: a call that breaks the rule {', '.join(view.rules)} ran; the agent is asked to correct it."
            )
        case AgentTrouble():
            message = f"ttsr-ls: {view.message}"
        case _:
            return None
    return json.dumps({"method": "warning", "params": {"threadId": thread, "message": message}}).encode()


def _prompt(params: JsonObject) -> str:
    return "\n".join(
        get_text(item, "text") for item in get_objects(params, "input") if get_text(item, "type") == "text"
    )
