"""opencode (spec W14): the events of `serve`, of which `/api/event` includes deltas of arguments, and the output of
`run --format json`.

The events may be server-sent events, or JSON lines. opencode writes the data of an event on one line, which is read at
once: so a damaged blank line loses no event.
"""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.adapters.lines import NumberedLine, OversizedLine
from ttsr_ls.bridge.adapters.opencode.calls import OpencodeCalls
from ttsr_ls.bridge.adapters.opencode.event_lines import EventLines
from ttsr_ls.bridge.adapters.opencode.messages import OpencodeMessages
from ttsr_ls.bridge.wire.fields import expect_object, expect_text, get_kind, get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_text
from ttsr_ls.bridge.wire.malformed import note_unknown_kind
from ttsr_ls.bridge.wire.usage import counted_usage
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRefused,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
)
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import AgentEvent, SubagentSeen

_PROSE = {"text": Source.TEXT, "reasoning": Source.THINKING}
_NO_OUTPUT = frozenset({"agent", "compaction", "file", "patch", "retry", "snapshot", "subtask"})
"""The kinds of parts that have no text or call of the model to match."""
_SSE_FIELDS = (b"event:", b"id:", b"retry:", b":")
_NEXT = "session.next."
_ABORTED = "MessageAbortedError"
_MAX_REMEMBERED = 1_000


class OpencodeAdapter(LineAdapter):
    """Reads one session and its subagents, and the other sessions of its server."""

    def __init__(self, cwd: PurePath | None = None) -> None:
        super().__init__(cwd)
        self._main_session = ""
        self._is_identified = False
        self._messages = OpencodeMessages()
        self._kinds: dict[str, str] = {}
        """The kind of each open part of the older events."""
        self._other_sessions: dict[str, None] = {}
        self._calls = OpencodeCalls()
        self._data = EventLines(self._limits.line)

    def finish(self) -> list[AgentEvent]:
        events = self._read_lines(self._splitter.finish())
        with self._damage.malformed:
            events += self.read_numbered_lines(self._data.end())
        return events + super().finish()

    def _read(self, line: bytes | OversizedLine) -> list[AgentEvent]:
        if isinstance(line, bytes) and line.startswith(b"data:"):
            self._damage.number += 1
            data = line.removeprefix(b"data:").rstrip(b"\r")
            return self.read_numbered_lines(self._data.add(NumberedLine(self._damage.number, data)))
        if isinstance(line, bytes) and line.startswith(_SSE_FIELDS):
            self._damage.number += 1
            return []
        return [*self.read_numbered_lines(self._data.end()), *super()._read(line)]

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        kind = get_kind(message)
        if kind.startswith(_NEXT):
            return self._next(kind.removeprefix(_NEXT), get_object(message, "data"), get_object(message, "location"))
        if "part" in message:
            return self._run(kind, get_text(message, "sessionID"), get_object(message, "part"))
        return self._event(kind, get_object(message, "properties") or get_object(message, "data"))

    def _agent(self, session: str) -> str:
        if not self._main_session:
            self._main_session = session
        return MAIN_AGENT if session in ("", self._main_session) else session

    def _event(self, kind: str, properties: JsonObject) -> list[AgentEvent]:
        """An event of `/event`: parts of messages, and their deltas."""
        session = get_text(properties, "sessionID")
        match kind:
            case "session.created" | "session.updated":
                return self._session(get_object(properties, "info"))
            case "message.updated":
                self._messages.note_message(session, get_object(properties, "info"))
                return []
            case "message.part.updated":
                return self._part(self._agent(session), expect_object(properties, "part"))
            case "message.part.delta":
                if (field := expect_text(properties, "field")) != "text":
                    note_unknown_kind("delta", field)
                    return []
                part, delta = expect_text(properties, "partID"), expect_text(properties, "delta")
                return self._delta(self._agent(session), part, delta)
            case "session.error":
                error = get_object(properties, "error")
                reason = get_text(get_object(error, "data"), "message")
                aborted = get_text(error, "name") == _ABORTED
                if not self._is_main(session):
                    return self.end_answer(session, complete=False)
                return self.close_turn(TurnCancelled("aborted") if aborted else TurnFailed(reason))
            case "session.idle":
                return self.close_turn(TurnCompleted()) if self._is_main(session) else self.end_answer(session)
            case _:
                # All other events concern the program: plugins, catalogues, files, permissions.
                return [] if "." in kind else self.report_unknown_kind(kind)

    def _is_main(self, session: str) -> bool:
        return self._agent(session) == MAIN_AGENT

    def _session(self, info: JsonObject) -> list[AgentEvent]:
        session, parent = get_text(info, "id"), get_text(info, "parentID")
        self._messages.note_session(info)
        if not parent and self._is_main(session):
            return self._identify(session, get_text(info, "directory"))
        self._agent(parent)  # The parent of the first session is the main one.
        if not session or session in self._other_sessions:
            return []
        put_bounded(self._other_sessions, session, None, _MAX_REMEMBERED)
        # A session without a parent is another one of the server, for which the rules of the main agent apply.
        return [SubagentSeen(session, (get_text(info, "agent") or "task") if parent else MAIN_AGENT)]

    def _identify(self, session: str, directory: str) -> list[AgentEvent]:
        """Reports the main session, once: a server also sends the events of other sessions."""
        if not session or self._is_identified or not self._is_main(session):
            return []
        self._is_identified = True
        return self.identify_session(session, directory)

    def _delta(self, agent: str, part: str, text: str) -> list[AgentEvent]:
        kind = self._kinds.get(part)
        if kind is None:
            return []
        events, answer = self.ensure_answer(agent)
        return [*events, *answer.add_prose(part, _PROSE[kind], text)]

    def _part(self, agent: str, part: JsonObject) -> list[AgentEvent]:
        kind, identity = expect_text(part, "type"), get_text(part, "id")
        if self._messages.is_of_user(part):
            is_prompt = agent == MAIN_AGENT and self._messages.is_prompt(part)
            is_new = is_prompt and self.is_first_occurrence(f"prompt:{identity}")
            return self.start_prompted_turn(get_text(part, "text")) if is_new else []
        if not self._messages.is_output(part):
            return []
        if kind in _PROSE:
            return self._prose_part(agent, kind, identity, part)
        match kind:
            case "step-start":
                return self.start_answer(agent) if self.is_first_occurrence(f"step:{identity}") else []
            case "step-finish":
                return self.end_answer(agent, usage=_usage(get_object(part, "tokens")))
            case "tool":
                return self._tool_part(agent, part)
            case _:
                if kind not in _NO_OUTPUT:
                    note_unknown_kind("part", kind)
                return []

    def _prose_part(self, agent: str, kind: str, identity: str, part: JsonObject) -> list[AgentEvent]:
        if not get_object(part, "time").get("end"):
            put_bounded(self._kinds, identity, kind, _MAX_REMEMBERED)
            return []
        answer = self.answer_of(agent)
        was_seen = self._kinds.pop(identity, None) is not None
        if answer is not None and answer.is_open(identity):
            return answer.end_part(identity)
        # An aborted part is repeated as a whole after its answer has ended.
        if was_seen or not self.is_first_occurrence(f"part:{identity}"):
            return []
        events, answer = self.ensure_answer(agent)
        return [*events, *answer.add_complete_prose(_PROSE[kind], expect_text(part, "text"))]

    def _tool_part(self, agent: str, part: JsonObject) -> list[AgentEvent]:
        call, state = expect_text(part, "callID"), expect_object(part, "state")
        events: list[AgentEvent] = []
        status, arguments = expect_text(state, "status"), get_object(state, "input")
        # The arguments of a pending call are not complete yet, and those of a call that was aborted may be missing.
        has_arguments = bool(arguments) or status in ("running", "completed")
        if has_arguments and self.is_first_occurrence(f"call:{call}"):
            events = self._complete_call(agent, get_text(part, "tool"), call, arguments)
        match status:
            case "completed" if self.is_first_occurrence(f"result:{call}"):
                events += self._calls.results(agent, call, CallDone(get_text(state, "output")))
            case "error" if self.is_first_occurrence(f"result:{call}"):
                events += self._calls.results(agent, call, CallRefused(get_text(state, "error")))
            case "pending" | "running" | "completed" | "error":
                pass
            case _:
                note_unknown_kind("status", status)
        return events

    def _complete_call(self, agent: str, tool: str, call: str, arguments: JsonObject) -> list[AgentEvent]:
        events, answer = self.ensure_answer(agent)
        return [*events, *self._calls.complete(answer, tool, call, arguments)]

    def _run(self, kind: str, session: str, part: JsonObject) -> list[AgentEvent]:
        """A line of `run --format json`: whole parts."""
        events = self._identify(session, "")
        match kind:
            case "step_start":
                return [*events, *self.start_answer()]
            case "text" | "reasoning":
                start_events, answer = self.ensure_answer()
                return [*events, *start_events, *answer.add_complete_prose(_PROSE[kind], expect_text(part, "text"))]
            case "tool_use":
                return [*events, *self._tool_part(MAIN_AGENT, part)]
            case "step_finish":
                events += self.end_answer(usage=_usage(get_object(part, "tokens")))
                return [*events, *(self.close_turn(TurnCompleted()) if get_text(part, "reason") == "stop" else [])]
            case _:
                return [*events, *self.report_unknown_kind(kind)]

    def _next(self, kind: str, data: JsonObject, location: JsonObject) -> list[AgentEvent]:
        """An event of `/api/event`, which has deltas of everything."""
        session = get_text(data, "sessionID")
        events = self._identify(session, get_text(location, "directory"))
        return [*events, *self._next_event(self._agent(session), kind, data)]

    def _next_event(self, agent: str, kind: str, data: JsonObject) -> list[AgentEvent]:
        subject, _, step = kind.rpartition(".")
        match subject, step:
            case "", "prompted":
                return (
                    self.start_prompted_turn(get_text(get_object(data, "prompt"), "text"))
                    if agent == MAIN_AGENT
                    else []
                )
            case "step", "started":
                return self.start_answer(agent, get_text(get_object(data, "model"), "id"))
            case "step", "ended":
                events = self.end_answer(agent, usage=_usage(get_object(data, "tokens")))
                is_last = get_text(data, "finish") not in ("", "tool-calls") and agent == MAIN_AGENT
                return [*events, *(self.close_turn(TurnCompleted()) if is_last else [])]
            case "step", "failed":
                return self.end_answer(agent, complete=False)
            case (("text" | "reasoning"), _):
                return self._next_prose(agent, subject, step, data)
            case "tool.input", _:
                return self._next_input(agent, step, data)
            case "tool", "called":
                return self._next_called(agent, data)
            case "tool", ("success" | "failed"):
                call = get_text(data, "callID")
                failed = step == "failed"
                result = get_text(get_object(data, "error"), "message") if failed else get_text(data, "output")
                return self._calls.results(agent, call, CallRefused(result) if failed else CallDone(result))
            case _:
                return []

    def _next_prose(self, agent: str, kind: str, step: str, data: JsonObject) -> list[AgentEvent]:
        events, answer = self.ensure_answer(agent)
        key = get_text(data, f"{kind}ID") or kind
        match step:
            case "delta":
                return [*events, *answer.add_prose(key, _PROSE[kind], expect_text(data, "delta"))]
            case "ended" if answer.is_open(key):
                return [*events, *answer.end_part(key)]
            case "ended":
                return [*events, *answer.add_complete_prose(_PROSE[kind], get_text(data, "text"))]
            case _:
                return events

    def _next_input(self, agent: str, step: str, data: JsonObject) -> list[AgentEvent]:
        events, answer = self.ensure_answer(agent)
        call = expect_text(data, "callID")
        match step:
            case "started":
                return [*events, *self._calls.start(answer, get_text(data, "name"), call)]
            case "delta":
                return [*events, *self._calls.add_arguments(answer, call, expect_text(data, "delta"))]
            case "ended" if self._calls.is_open(answer, call):
                self.is_first_occurrence(f"call:{call}")
                return [*events, *self._calls.end(answer, call, parse_text(get_text(data, "text")) or {})]
            case _:  # Includes the end of a call whose start was lost: `tool.called` repeats that call as a whole.
                return events

    def _next_called(self, agent: str, data: JsonObject) -> list[AgentEvent]:
        call = get_text(data, "callID")
        if not self.is_first_occurrence(f"call:{call}"):
            return []
        return self._complete_call(agent, get_text(data, "tool"), call, get_object(data, "input"))


def _usage(tokens: JsonObject) -> Usage | None:
    return counted_usage(
        {**tokens, **get_object(tokens, "cache")},
        prompt="input",
        output="output",
        read="read",
        written="write",
        thinking="reasoning",
    )
