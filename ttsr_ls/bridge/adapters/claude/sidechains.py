"""The subagents whose lines Claude Code keeps in the transcript of the main agent, without naming them.

Versions before agents had ids wrote these lines. Such a subagent's first line is its prompt, which the call that
started it has, too; each later line names the line before it.
"""

from __future__ import annotations

from ttsr_ls.bridge.adapters.claude.answer import SPAWNING_TOOLS
from ttsr_ls.bridge.wire.fields import get_content_text, get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.put_bounded import put_bounded

_MAX_LINES = 1_000
"""The most lines that are kept to find the chains of later ones."""
_UNKNOWN = "sidechain"


class Sidechains:
    """Tells to which subagent a line of a transcript belongs, and of which kind the subagent is."""

    def __init__(self, max_agents: int) -> None:
        self._max_agents = max_agents
        self._kinds_of_prompts: dict[str, str] = {}
        self._agents_of_lines: dict[str, str] = {}

    def note_calls(self, message: JsonObject) -> None:
        """Remembers the prompts and the kinds of the subagents that an answer starts."""
        for block in get_objects(message, "content"):
            if get_text(block, "name") in SPAWNING_TOOLS:
                arguments = get_object(block, "input")
                prompt, kind = get_text(arguments, "prompt"), get_text(arguments, "subagent_type")
                if prompt and kind:
                    put_bounded(self._kinds_of_prompts, prompt, kind, self._max_agents)

    def agent_of(self, line: JsonObject) -> str:
        """Returns the id of the subagent of a line: its own, or that of the first line of its chain."""
        if agent := get_text(line, "agentId"):
            return agent
        identity, parent = get_text(line, "uuid"), get_text(line, "parentUuid")
        agent = self._agents_of_lines.get(parent, _UNKNOWN) if parent else identity or _UNKNOWN
        put_bounded(self._agents_of_lines, identity, agent, _MAX_LINES)
        return agent

    def kind_of(self, line: JsonObject) -> str:
        """Returns the kind of the subagent of a line, if the line names it or is its prompt; else blank."""
        return get_text(line, "attributionAgent") or (
            self._kinds_of_prompts.get(get_content_text(get_object(line, "message"), "content"), "")
            if line.get("type") == "user"
            else ""
        )
