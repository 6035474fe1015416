"""One session of an agent behind the proxy: its rules, its log, and its ledger. Its exchanges may run side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import PurePath

from ttsr_ls.bridge.proxy.coverage import Coverage
from ttsr_ls.bridge.proxy.enforcement_log import EnforcementLog
from ttsr_ls.bridge.proxy.features.proxy_features import ProxyFeatures
from ttsr_ls.bridge.proxy.inspection_record import InspectionRecord
from ttsr_ls.bridge.proxy.ledger.entry import ToolEntry
from ttsr_ls.bridge.proxy.ledger.ledger import Ledger
from ttsr_ls.bridge.proxy.ledger.shared_entry import SharedEntries
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import ProtectionFailed, ProxyNotice, ReminderAdded, without_excerpt
from ttsr_ls.bridge.proxy.requests.conversation import Conversation
from ttsr_ls.bridge.watch.agent_monitors import SUBAGENT
from ttsr_ls.bridge.watch.notices import LogFailedNotice, Notice, TriggerNotice, UnloggedTriggerNotice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.trigger_texts import context_mode_of, render_triggers, rule_refs_of
from ttsr_ls.matching.longest_match import longest_match
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, ToolCall, TurnCancelled, TurnCompleted, UserInput
from ttsr_ls.session.lifecycle.rule_state import RuleRef, names_of
from ttsr_ls.session.lifecycle.templates import TOOL_REMINDER
from ttsr_ls.session.output.agent_events import (
    AgentEvent,
    SessionSeen,
    SubagentSeen,
    ToolResultSeen,
    TurnClosed,
    TurnOpened,
)
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.log.errors import LogWriteError

MAX_REMINDERS = 256
MAX_AGENTS = 1024
MAX_CALLS = 1024
MAX_INHERITED = 4096


class ProxySession:
    """Decides for all exchanges of a session. `show` is called with each notice for the user.

    Relative paths in tool calls are resolved against `cwd`. Paths of rules below `home` are shortened.
    `refuses_unparsed`: requests that cannot be read are refused.
    """

    def __init__(
        self,
        observer: Observer,
        rules_for: Callable[[str], RulesByDialect],
        settings: Settings,
        ledger: Ledger,
        cwd: PurePath,
        home: PurePath,
        limits: ProxyLimits,
        show: Callable[[ProxyNotice], None],
        *,
        shared: SharedEntries | None = None,
        features: ProxyFeatures | None = None,
        refuses_unparsed: bool = False,
        keeps_content: bool = True,
    ) -> None:
        self.observer = observer
        self.features = features
        self.ledger = ledger
        self.limits = limits
        self.cwd = cwd
        self.log = EnforcementLog(observer, ledger, shared, keeps_content=keeps_content)
        self.show = show if keeps_content else lambda notice: show(without_excerpt(notice))
        self._home = home
        self._settings = settings
        self._agents: dict[str, str] = {}
        self.inspections = InspectionRecord(observer, refuses_unparsed=refuses_unparsed)
        self._in_turn = False
        self._busy: set[str] = set()
        self._unidentified: set[str] = set()
        """Agents other than the main one for which the client gave no id."""
        self._retries: Counter[tuple[str, RuleRef]] = Counter()
        self._turn_retries: Counter[str] = Counter()
        self._answered_calls = 0
        self._follow_ups = 0
        self._inherited: dict[tuple[str, RuleRef], None] = {}
        self._tool_names: dict[str, str] = {}
        self._reminders: dict[str, tuple[str, tuple[RuleRef, ...]]] = {}
        self.replace_rules(rules_for, settings)

    def start(self, session: str, now: int) -> None:
        """Records which rules are in force.

        `now` is in milliseconds since the Unix epoch, also in the methods below.
        """
        self.report(self.observer.start(now))
        self.feed([SessionSeen(session, str(self.cwd))], now)

    def replace_rules(self, rules_for: Callable[[str], RulesByDialect], settings: Settings) -> None:
        """Uses these rules and settings from now on."""
        of_agents = (*rules_for(MAIN_AGENT).rules, *rules_for(SUBAGENT).rules)
        # Rules with a question are the judge feature's.
        self._rules = tuple({rule.path: rule for rule in of_agents if rule.question is None}.values())
        self._settings = settings
        self._windows: dict[Source, int] = {}
        if self.features is not None:
            self.features.replace_rules(lambda agent: rules_for(self.kind_of(agent)).omp, settings)

    def kind_of(self, agent: str) -> str:
        """Returns the kind of an agent, which selects its rules."""
        return MAIN_AGENT if agent == MAIN_AGENT or agent in self._unidentified else SUBAGENT

    def read_shared_entries(self) -> None:
        """Reads the entries that other processes recorded for this session."""
        try:
            self.log.read_shared_entries()
        except LogWriteError as error:
            self.show(ProtectionFailed(f"Edits of other processes are unknown, because {error}."))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in force, of the main agent and of subagents."""
        return self._rules

    def hold_back_window(self) -> int:
        """Returns how many characters of text are held back."""
        if Source.TEXT not in self._windows:
            longest = longest_match(self._rules, Source.TEXT)
            limit = self.limits.window
            self._windows[Source.TEXT] = limit if longest is None else min(longest, limit)
        return self._windows[Source.TEXT]

    def begin_request(self, conversation: Conversation, subagent: str, now: int) -> str:
        """Starts a request and returns the name of its agent. `subagent` is the client's id, blank if it gave none."""
        agent = self._agent_of(conversation, subagent)
        if agent != MAIN_AGENT and not subagent and agent not in self._unidentified:
            # Another conversation of the client, such as one after a compaction. No API says whether it is a
            # subagent's, so the rules of the main agent apply.
            self._unidentified.add(agent)
            self.feed([SubagentSeen(agent, MAIN_AGENT)], now)
        events: list[AgentEvent] = []
        for call, _, state in self.latest_tool_results(conversation):
            events.append(ToolResultSeen(agent, call, state))
            self._fold_reminder(agent, call, now)
        # The results belong to the turn of their calls, which a prompt beside them ends.
        if conversation.prompt is not None and agent == MAIN_AGENT and not (conversation.is_notice and self._in_turn):
            self._in_turn = True
            events.append(TurnClosed(TurnCancelled("another prompt came")))
            events.append(TurnOpened(UserInput(conversation.prompt)))
            self._retries.clear()
            self._turn_retries.clear()
            self._answered_calls = self._follow_ups = 0
        self.feed(events, now)
        return agent

    def latest_tool_results(self, conversation: Conversation) -> tuple[tuple[str, str, CallDone | CallRefused], ...]:
        """Returns the tool results at the end of a request: call id, tool (blank if unknown), and result."""
        items = conversation.items
        last = len(items)
        while last and not items[last - 1].is_model:
            last -= 1
        found = []
        for item in items[last:]:
            if item.call:
                result = item.text or ""
                state = CallRefused(result) if item.has_failed else CallDone(result)
                found.append((item.call, self._tool_names.get(item.call, ""), state))
        return tuple(found)

    def mark_inherited(self, agent: str, rules: Iterable[RuleRef]) -> None:
        """Marks rules as injected whose texts the agent's conversation has from an earlier session, which it continues.

        Each is marked once, because the repeat policy counts from the mark.
        """
        new = [rule for rule in rules if (agent, rule) not in self._inherited]
        if new:
            for rule in new:
                put_bounded(self._inherited, (agent, rule), None, MAX_INHERITED)
            self.observer.mark_injected(new, agent)

    def note_call(self, call: ToolCall) -> None:
        """Remembers the tool of a call, because later requests contain only the call's id."""
        put_bounded(self._tool_names, call.id, call.tool, MAX_CALLS)

    def count_request(self, coverage: Coverage, now: int) -> None:
        """Counts a request of this session. The counts are recorded once a turn is over."""
        self.inspections.count(coverage)
        if not self._in_turn:
            self.inspections.record_counts(now)

    def end_request(self, agent: str, *, ends_turn: bool, now: int) -> None:
        """Ends a request; `ends_turn`: its answer is complete and calls no tool."""
        self._busy.discard(agent)
        if ends_turn and agent == MAIN_AGENT:
            self._in_turn = False
            self.feed([TurnClosed(TurnCompleted())], now)

    def close(self, now: int) -> None:
        """Closes the session in this process."""
        if self._in_turn:
            self.inspections.record_counts(now)
        self.feed([TurnClosed(TurnCancelled("the proxy was stopped"))], now)

    def feed(self, events: Iterable[AgentEvent], now: int) -> list[TriggerNotice]:
        """Feeds events to the rules and returns the recorded triggers."""
        return self.report(self.observer.feed(events, now))

    def report(self, notices: Iterable[Notice]) -> list[TriggerNotice]:
        """Shows failures to the user and returns the triggers among the notices."""
        triggers = []
        for notice in notices:
            match notice:
                case TriggerNotice():
                    triggers.append(notice)
                case UnloggedTriggerNotice():
                    rule = notice.event.rule
                    self.show(ProtectionFailed(f"{rule} fired and was not enforced, because {notice.reason}."))
                case LogFailedNotice():
                    self.show(ProtectionFailed(notice.reason))
                case _:
                    pass
        return triggers

    def may_retry(self, agent: str, rules: tuple[RuleRef, ...]) -> bool:
        """Returns whether the limits of the turn allow the agent another retry because of these rules; counts it if
        they do."""
        limits, max_interrupts = self.limits, self._settings.max_interrupts
        if self._turn_retries[agent] >= (limits.retries_per_turn if max_interrupts is None else max_interrupts):
            return False
        if any(self._retries[agent, rule] >= limits.retries_per_rule for rule in rules):
            return False
        self._turn_retries[agent] += 1
        self._retries.update((agent, rule) for rule in rules)
        return True

    def may_answer_calls(self) -> bool:
        """Returns whether features may answer calls in place of the client once more in this turn; counts it if so."""
        self._answered_calls += 1
        return self._answered_calls <= self.limits.answered_calls

    def may_follow_up(self, *, counts: bool = False) -> bool:
        """Returns whether features may request another follow-up in this turn; counts it if `counts`."""
        is_allowed = self._follow_ups < self.limits.follow_ups
        self._follow_ups += counts and is_allowed
        return is_allowed

    def context_mode(self, triggers: Iterable[TriggerNotice]) -> ContextMode:
        """Returns whether an answer that these triggers interrupt is kept in the context or discarded."""
        return context_mode_of(triggers, self._settings)

    def render_text(self, template: str, triggers: Iterable[TriggerNotice]) -> str:
        """Returns the injected text for the rules of these triggers."""
        return render_triggers(template, triggers, self.cwd, self._home)

    def schedule_reminder_in_result(self, call_id: str, triggers: list[TriggerNotice]) -> None:
        """Schedules a reminder of these rules for the result of the tool call."""
        before, rules = self._reminders.get(call_id, ("", ()))
        text = self.render_text(TOOL_REMINDER, triggers)
        injected = tuple(dict.fromkeys((*rules, *rule_refs_of(triggers))))
        put_bounded(self._reminders, call_id, (f"{before}\n\n{text}" if before else text, injected), MAX_REMINDERS)

    def _fold_reminder(self, agent: str, call_id: str, now: int) -> None:
        text, rules = self._reminders.pop(call_id, ("", ()))
        if not text:
            return
        names = tuple(dict.fromkeys(names_of(rules)))
        try:
            self.log.record_reminder_in_result(agent, call_id, text, rules, ToolEntry(call_id, text), now)
        except LogWriteError as error:
            self.show(ProtectionFailed(f"{', '.join(names)} could not be injected: {error}."))
            return
        self.show(ReminderAdded(names, is_degraded=False))

    def _agent_of(self, conversation: Conversation, subagent: str) -> str:
        """Identifies a conversation by its first message; the first conversation of a session is the main agent's."""
        root = subagent or conversation.root
        if root not in self._agents and len(self._agents) < MAX_AGENTS:
            is_main = not subagent and MAIN_AGENT not in self._agents.values()
            self._agents[root] = MAIN_AGENT if is_main else f"conversation-{root}"
        name = self._agents.get(root, f"conversation-{root}")
        agent, number = name, 1
        while agent in self._busy:
            number += 1
            agent = f"{name}-{number}"
        self._busy.add(agent)
        return agent
