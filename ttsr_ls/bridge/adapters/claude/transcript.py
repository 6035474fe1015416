"""Claude Code's transcript of a session (`~/.claude/projects/…/SESSION.jsonl`), which interactive sessions write too.

Blocks come whole, once each is complete. Nothing in it marks the end of a turn: the next prompt does.
"""

from __future__ import annotations

from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.wire_values import JsonObject, text
from ttsr_ls.session.history.turn_events import TurnCompleted, TurnOutcome
from ttsr_ls.session.output.agent_events import AgentEvent

_SIDECHAIN = "sidechain"


class ClaudeTranscriptAdapter(ClaudeAdapter):
    """Reads one transcript."""

    def outcome_at_next_prompt(self) -> TurnOutcome:
        return TurnCompleted()

    def outcome_at_end(self) -> TurnOutcome:
        return TurnCompleted()

    def message(self, message: JsonObject) -> list[AgentEvent]:
        events: list[AgentEvent] = []
        session = text(message, "sessionId")
        if session and session != self._session_id:
            self._session_id = session
            events = self.session(session, text(message, "cwd"))
        if message.get("isMeta") is True:
            return events
        if message.get("isSidechain") is True and not text(message, "parent_tool_use_id"):
            message = {**message, "parent_tool_use_id": text(message, "agentId") or _SIDECHAIN}
        return [*events, *super().message(message)]

    _session_id = ""
