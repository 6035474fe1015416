"""Claude Code's transcript of a session (`~/.claude/projects/…/SESSION.jsonl`), which interactive sessions write too.

Each block is written when it is complete. Nothing marks the end of a turn but the next prompt.
"""

from __future__ import annotations

from pathlib import PurePath

from msgspec.structs import asdict

from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.claude.lines import parse_transcript_line
from ttsr_ls.bridge.adapters.claude.sidechains import Sidechains
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.bridge.wire.fields import get_content_text, get_kind, get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.session.history.turn_events import MAIN_AGENT, TurnCompleted, TurnFailed, TurnOutcome
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import AgentEvent, SubagentSeen

_REPEATED = "api-request-blob"
"""The kind of lines with a message of a request, which may be an answer that another line has."""
_READ_WHOLE = ("result", "stream_event", "system")
"""The kinds of lines of which further fields are read. They are rare in a transcript."""


class ClaudeTranscriptAdapter(ClaudeAdapter):
    """Translates the lines of one transcript of Claude Code into agent events."""

    _session_id = ""
    _failure = ""
    """Why the provider refused the last request of the turn; blank if the model answered since."""

    def __init__(self, cwd: PurePath | None = None, limits: AdapterLimits = ADAPTER_LIMITS) -> None:
        super().__init__(cwd, limits)
        self._kinds: dict[str, str] = {}
        """The kinds of subagents that were reported."""
        self._sidechains = Sidechains(limits.agents)

    def outcome_at_next_prompt(self) -> TurnOutcome:
        return TurnFailed(self._failure) if self._failure else TurnCompleted()

    def outcome_at_end(self) -> TurnOutcome:
        return self.outcome_at_next_prompt()

    def close_turn(self, outcome: TurnOutcome, usage: Usage | None = None) -> list[AgentEvent]:
        self._failure = ""
        return super().close_turn(outcome, usage)

    def start_answer(self, agent: str = MAIN_AGENT, model: str = "") -> list[AgentEvent]:
        if agent == MAIN_AGENT:
            self._failure = ""
        return super().start_answer(agent, model)

    def events_of_line(self, line: bytes) -> list[AgentEvent]:
        found = parse_transcript_line(line)
        if found is None or found.type in _READ_WHOLE:
            return super().events_of_line(line)
        return self.events_of_message(asdict(found))

    def _enter_session(self, session: str, cwd: str) -> list[AgentEvent]:
        if not session or session == self._session_id:
            return []
        self._session_id = session
        return self.identify_session(session, cwd)

    def _identify_subagent(self, agent: str, kind: str) -> list[AgentEvent]:
        """Reports the kind of a subagent, which not all of its lines name."""
        if not kind or self._kinds.get(agent) == kind:
            return []
        put_bounded(self._kinds, agent, kind, self._limits.agents)
        return [SubagentSeen(agent, kind)]

    def other_line(self, kind: str, message: JsonObject) -> list[AgentEvent]:
        """Skips a line about the session: transcripts have many kinds of them, and new versions add more."""
        is_of_model = get_kind(get_object(message, "message"), "role") == "assistant"
        return [] if kind == _REPEATED or (kind and not is_of_model) else self.report_unknown_kind(kind)

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        events = self._enter_session(get_text(message, "sessionId"), get_text(message, "cwd"))
        if message.get("isMeta") is True:
            return events
        if message.get("isSidechain") is True and not get_text(message, "parent_tool_use_id"):
            agent = self._sidechains.agent_of(message)
            events += self._identify_subagent(agent, self._sidechains.kind_of(message))
            message = {**message, "parent_tool_use_id": agent}
        elif message.get("isApiErrorMessage") is True:
            text = get_content_text(get_object(message, "message"), "content")
            self._failure = text or "the model's provider failed"
        if message.get("type") == "assistant":
            self._sidechains.note_calls(get_object(message, "message"))
        return [*events, *super().events_of_message(message)]
