"""The monitors of a session's agents: created when an agent first writes, reset with each of its answers.

Pure. Does not decide about triggers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ttsr_ls.bridge.watch.watched_agent import WatchedAgent
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd
from ttsr_ls.session.history.turn_events import MAIN_AGENT
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    AnswerEnded,
    AnswerStarted,
    BlockFinished,
    SubagentSeen,
    ToolResultSeen,
    TurnClosed,
)
from ttsr_ls.session.output.trigger_recorder import FileText, TriggerRecorder
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.session.rules.session_monitor import SessionMonitor

SUBAGENT = "sub"
"""The kind of a subagent without a name (spec B3)."""

MAX_MONITORS, MAX_KINDS = 256, 4096

RulesFor = Callable[[str], RulesByDialect]
"""Returns the rules for a kind of agent: `main`, `sub`, or a subagent's kind."""


class AgentMonitors:
    """The monitors of one session. See `Observer` for the arguments."""

    def __init__(
        self,
        rules_for: RulesFor,
        settings: Settings,
        matching: Matching,
        ast_search: AstSearch | None = None,
        file_text: FileText | None = None,
        matchers: MatcherCache | None = None,
    ) -> None:
        self._rules_for, self._settings, self._matching = rules_for, settings, matching
        self._ast_search, self._file_text = ast_search, file_text
        self._matchers = MatcherCache() if matchers is None else matchers
        self._stale: set[str] = set()  # The agents whose unfinished answer is still matched with the replaced rules.
        self._kinds: dict[str, str] = {}
        self._agents: dict[str, WatchedAgent] = {}
        self._injected: dict[RuleRef, None] = {}
        self._injected_by_agent: dict[str, dict[RuleRef, None]] = {}

    def rules_for(self, kind: str) -> RulesByDialect:
        """Returns the rules for a kind of agent."""
        return self._rules_for(kind)

    def replace_rules(self, rules_for: RulesFor, settings: Settings, is_answering: Callable[[str], bool]) -> None:
        """Uses other rules from the next answer of each agent on."""
        self._rules_for, self._settings = rules_for, settings
        self._stale = set(filter(is_answering, self._agents))
        self._agents = {agent: self._agents[agent] for agent in self._stale}

    def mark_injected(self, rules: Iterable[RuleRef], agent: str | None = None) -> None:
        """Marks these rules as injected, for all agents or for one; their repeat policy counts from here."""
        marked = dict.fromkeys(rules)
        if agent is None:
            self._injected.update(marked)
        else:
            if agent not in self._injected_by_agent and len(self._injected_by_agent) >= MAX_KINDS:
                del self._injected_by_agent[next(name for name in self._injected_by_agent if name != MAIN_AGENT)]
            self._injected_by_agent.setdefault(agent, {}).update(marked)
        for name, watched in self._agents.items():
            if agent is None or name == agent:
                watched.monitor.mark_injected(marked)

    def of_agent(self, agent: str) -> WatchedAgent:
        """Returns the monitor of an agent; creates it when it is first needed."""
        watched = self._agents.get(agent)
        if watched is None:
            while len(self._agents) >= MAX_MONITORS:
                del self._agents[next(name for name in self._agents if name != MAIN_AGENT)]
            kind = MAIN_AGENT if agent == MAIN_AGENT else self._kinds.get(agent, SUBAGENT)
            rules = self._rules_for(kind)
            monitor = SessionMonitor(rules, self._settings, self._matching, self._ast_search, self._matchers)
            monitor.mark_injected((*self._injected, *self._injected_by_agent.get(agent, ())))
            recorder = TriggerRecorder(agent, self._matching, self._file_text)
            watched = self._agents[agent] = WatchedAgent(monitor, recorder)
        return watched

    def is_quiet(self, delta: AgentDelta, now: int) -> bool:
        """Returns whether it is certain that no rule fires on a new stream that has the text of `delta` and then ends.

        `now` is in milliseconds.
        """
        if isinstance(delta.event, BlockEnd):
            return False
        return self.of_agent(delta.agent).monitor.is_quiet(delta.event, now / 1000)

    def follow(self, event: AgentEvent) -> None:
        """Follows the starts and ends of answers, turns and subagents. Deltas have no effect."""
        # Not `match`, which takes several times as long: a replay calls this for each event.
        if type(event) is BlockFinished or type(event) is AgentDelta:
            return
        if isinstance(event, AnswerStarted):
            if event.agent in self._stale:
                self._stale.discard(event.agent)
                self._agents.pop(event.agent, None)
            watched = self.of_agent(event.agent)
            watched.monitor.reset()
            watched.recorder.start_answer()
        elif isinstance(event, AnswerEnded):
            if event.agent in self._agents:
                self._agents[event.agent].monitor.end_answer()
        elif isinstance(event, ToolResultSeen):
            # The kind is kept: a call that starts a subagent in the background has its result at once.
            self._agents.pop(event.call, None)
        elif isinstance(event, TurnClosed):
            for watched in self._agents.values():
                watched.monitor.end_turn()
        elif isinstance(event, SubagentSeen):
            put_bounded(self._kinds, event.agent, event.kind, MAX_KINDS)
