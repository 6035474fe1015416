"""One session of an agent, seen through its hooks. Decides the answer to each hook call.

A rule that interrupts denies the tool call; one that does not has a reminder added to its result. A rule about prose
cannot stop an answer that was shown already: it is injected when the agent is about to stop, which then continues.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from ttsr_ls.bridge.adapters.codex.patch import canonical_calls
from ttsr_ls.bridge.adapters.turn_tracker import PartsTracker
from ttsr_ls.bridge.adapters.unknown_kinds import UnknownKinds
from ttsr_ls.bridge.agent_hooks.hook_call import (
    Allowed,
    Denied,
    HookAnswer,
    HookCall,
    HookKind,
    LoadedInstructions,
    UserConfirmation,
)
from ttsr_ls.bridge.agent_hooks.hook_injections import HookInjections
from ttsr_ls.bridge.agent_hooks.running_calls import RunningCalls
from ttsr_ls.bridge.watch.limit_messages import WHY_STREAM_DISABLED
from ttsr_ls.bridge.watch.notices import Notice, TriggerNotice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.trigger_texts import rule_names_of, rule_refs_of
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn import BackgroundHook
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallAbandoned,
    CallDone,
    CallRefused,
    InstructionsLoaded,
    StreamMatchingEnded,
    TurnCompleted,
)
from ttsr_ls.session.lifecycle.noise_budget import NoiseBudget
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.lifecycle.rule_state import recorded_rules
from ttsr_ls.session.output.agent_events import AgentEvent, SessionSeen, StreamDamaged, SubagentSeen, ToolResultSeen
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect

DENIAL_TEXT = """\
<system-interrupt reason="rule_violation" rule="{{name}}" path="{{path}}">
This tool call was not run: it breaks a rule of this project. The rule says:

{{content}}
</system-interrupt>"""
"""The message to the model about a denied call.

It states a fact, because agents may treat a command as a prompt injection.
"""

CONFIRMATION_TEXT = """\
This call breaks the rule {{name}} of this project ({{path}}). The rule says:

{{content}}"""
"""The message to the user who decides about a call."""

UNCHECKED = f"""\
<system-interrupt reason="unchecked_call">
This tool call was not run: it {WHY_STREAM_DISABLED} The hooks of this project deny calls that cannot be checked \
completely (--fail-closed). Write less text in one call.
</system-interrupt>"""
"""The message to the model about a call that is too long to be matched completely, if the hooks fail closed."""

_DENIED_BY = "ttsr"
"""The feature in the record of a denied call."""

_JUDGED = "The judge of ttsr-ls found a rule broken."

MAX_CONTINUATIONS = 5
"""How often an agent is made to continue in one turn. Claude Code has a limit of 8."""

MAX_AGENTS = 4096
"""How many subagents of a session are known by their kinds."""

_MAX_UNREAD = 20
_MAX_EVENT_LENGTH = 60
_NO_RESULT = CallAbandoned("it ended, and the agent reported no result to its hooks")
"""The result of a call that Codex handles within its shell tool, after which it calls no hook."""


class HookSession:
    """Decides the hook calls of one session. `home` is the user's home folder, which displayed paths abbreviate.

    `budget` counts triggers for the observer and the judge. `can_ask`: the agent can let its user decide about a call,
    which settings may require for some rules.
    """

    def __init__(
        self,
        observer: Observer,
        session: str,
        cwd: PurePath,
        home: PurePath,
        settings: Settings,
        *,
        can_ask: bool = False,
        budget: NoiseBudget | None = None,
    ) -> None:
        self._budget = NoiseBudget() if budget is None else budget
        self._observer = observer
        self._session = session
        self._cwd = cwd
        self._injections = HookInjections(observer, cwd, home)
        self._turns = PartsTracker(cwd)
        self._running = RunningCalls()
        self._kinds: dict[str, str] = {}
        self._settings = settings
        self._can_ask = can_ask
        self._continuations = 0
        self._denials = 0
        self._answer = ""
        self._is_started = False
        self._unread = UnknownKinds(_MAX_UNREAD, _MAX_EVENT_LENGTH)

    def decide(self, call: HookCall, now: int) -> tuple[HookAnswer, list[Notice]]:
        """Returns the answer to a hook call, and notices. `now` is in milliseconds since the Unix epoch."""
        notices: list[Notice] = []
        if not self._is_started:
            self._is_started = True
            notices += self._observer.start(now)
            notices += self._observer.feed([SessionSeen(self._session, str(self._cwd))], now)
        if call.agent_kind and self._kinds.get(call.agent) != call.agent_kind:
            put_bounded(self._kinds, call.agent, call.agent_kind, MAX_AGENTS)
            notices += self._observer.feed([SubagentSeen(call.agent, call.agent_kind)], now)
        answer: HookAnswer = Allowed()
        match call.kind:
            # VS Code does not say that a prompt is a subagent's.
            case HookKind.PROMPTED if call.agent == MAIN_AGENT and not self._running.has_prompt(call.text):
                self._continuations = self._denials = 0
                self._running.clear()
                notices += self._observer.feed(self._turns.start_prompted_turn(call.text), now)
            case HookKind.BEFORE_TOOL:
                answer = self._check_call(call, notices, now)
            case HookKind.AFTER_TOOL:
                answer = self._record_result(call, notices, now)
            case HookKind.ANSWERED:
                self._answer = call.text  # Cursor sends the text with this event, not with the stop event.
            case HookKind.STOPPING | HookKind.SUBAGENT_STOPPING:
                answer = self._stopping(call, notices, now)
            case HookKind.INSTRUCTIONS_LOADED if call.instructions is not None:
                notices += self._observer.note(_loaded(call.agent, call.instructions), now)
            case HookKind.SESSION_ENDED:
                notices += self.close(now)
            case HookKind.INSTRUCTIONS_LOADED:
                notices += self._report_unread(call.event, "names no file", now)
            case HookKind.OTHER:
                notices += self._report_unread(call.event, "is not known", now)
            # A subagent's prompt is within the turn.
            case HookKind.SESSION_STARTED | HookKind.PROMPTED | HookKind.UNUSED:
                pass
        return answer, notices

    def _report_unread(self, event: str, reason: str, now: int) -> list[Notice]:
        """Reports a hook call that no rule is matched against, once for each event."""
        name = self._unread.add(event)
        if name is None:
            return []
        message = f"The agent called a hook for the event '{name}', which {reason}; no rule sees it."
        return self._observer.feed([StreamDamaged(message)], now)

    def replace_rules(self, rules_for: Callable[[str], RulesByDialect], settings: Settings, now: int) -> list[Notice]:
        """Replaces the rules and settings. Rules that fired keep their state."""
        # Rules apply from the next answer on. Hooks get whole tool calls, so ending an answer splits none.
        self._settings = settings
        ended = self._observer.feed(self._turns.end_answers(), now)
        return [*ended, *self._observer.replace_rules(rules_for, settings, now)]

    def warn(self, injection: PendingInjection, now: int) -> bool:
        """Records that the agent is woken because of judged rules. False: the record failed, so nothing may be sent."""
        self._observer.feed(self._turns.open_turn(BackgroundHook(_JUDGED)), now)
        rules = recorded_rules(injection.rules, ())
        is_recorded, _ = self._observer.inject(injection.purpose, injection.text, rules, 0, now)
        return is_recorded

    def close(self, now: int) -> list[Notice]:
        """Closes the session. Triggers that the judge suppressed after the last turn get a turn of their own."""
        events = self._turns.open_turn(BackgroundHook(_JUDGED)) if self._budget.has_suppressed else []
        return self._observer.feed([*events, *self._turns.close_turn(TurnCompleted())], now)

    def _check_call(self, call: HookCall, notices: list[Notice], now: int) -> HookAnswer:
        events, answer = self._turns.ensure_answer(call.agent)
        calls = canonical_calls(call.tool, call.call, call.arguments)
        for each in calls:
            events += answer.add_complete_call(each.tool, each.call, each.arguments)
        self._running.add(call, tuple(each.call for each in calls))
        triggers = self._feed(call.agent, events, notices, now)
        denying = [trigger for trigger in triggers if trigger.event.interrupts and self._may_deny]
        asks = self._can_ask and all(self._settings.asks(trigger.rule.name) for trigger in denying)
        if denying and not asks:
            self._denials += 1
            return self._deny(call, self._injections.render(DENIAL_TEXT, denying), rule_names_of(denying), notices, now)
        if call.needs_complete_check and any(isinstance(notice, StreamMatchingEnded) for notice in notices):
            return self._deny(call, UNCHECKED, (), notices, now)
        if triggers:
            self._injections.remind_later(call.call or call.tool, triggers)
        if not denying:
            return self._remind_before(call, notices, now) if triggers and call.is_reminded_before else Allowed()
        return UserConfirmation(self._injections.render(CONFIRMATION_TEXT, denying), rule_names_of(denying))

    def _deny(self, call: HookCall, text: str, rules: tuple[str, ...], notices: list[Notice], now: int) -> Denied:
        ended = self._turns.end_answer(call.agent)
        notices += self._observer.feed([*ended, *self._result_events(call, CallRefused(text, _DENIED_BY))], now)
        return Denied(text, rules)

    def _remind_before(self, call: HookCall, notices: list[Notice], now: int) -> HookAnswer:
        ended = self._turns.end_answer(call.agent)
        notices += self._observer.feed(ended, now)
        return self._injections.remind(call.agent, call.call, notices, now)

    @property
    def _may_deny(self) -> bool:
        max_interrupts = self._settings.max_interrupts
        return max_interrupts is None or self._denials < max_interrupts

    def _record_result(self, call: HookCall, notices: list[Notice], now: int) -> HookAnswer:
        state = CallRefused(call.text) if call.has_failed else CallDone(call.text)
        # After the result of a tool, a new answer begins.
        ended = self._turns.end_answer(call.agent)
        notices += self._observer.feed(ended, now)
        answer = self._injections.remind(call.agent, call.call or call.tool, notices, now)
        notices += self._observer.feed(self._result_events(call, state), now)
        return answer

    def _result_events(self, call: HookCall, state: CallDone | CallRefused) -> list[AgentEvent]:
        """Returns the results of all recorded calls that a hook call stands for: a patch is one call for each file."""
        return [ToolResultSeen(call.agent, identity, state) for identity in self._running.end(call.call)]

    def _ended_without_result(self, agent: str) -> list[AgentEvent]:
        """Returns results for calls of the agent for which it called no hook, although it continued after them."""
        identities = self._running.end_all_of(agent)
        ended = self._turns.end_answer(agent) if identities else []
        return [*ended, *(ToolResultSeen(agent, identity, _NO_RESULT) for identity in identities)]

    def _stopping(self, call: HookCall, notices: list[Notice], now: int) -> HookAnswer:
        triggers: list[TriggerNotice] = []
        if not call.has_failed:
            notices += self._observer.feed(self._ended_without_result(call.agent), now)
        answer_text, self._answer = call.text or self._answer, ""
        if answer_text and not call.has_failed:
            events, answer = self._turns.ensure_answer(call.agent)
            triggers = self._feed(
                call.agent, [*events, *answer.add_complete_prose(Source.TEXT, answer_text)], notices, now
            )
        notices += self._observer.feed(self._turns.end_answer(call.agent), now)
        if triggers and self._continuations < MAX_CONTINUATIONS:
            continued = self._injections.continue_with(call.agent, triggers, notices, now)
            if continued is not None:
                self._continuations += 1
                return continued
        if call.kind is HookKind.STOPPING:
            self._continuations = 0
            notices += self._observer.feed(self._turns.close_turn(TurnCompleted()), now)
        return Allowed()

    def _feed(self, agent: str, events: list[AgentEvent], notices: list[Notice], now: int) -> list[TriggerNotice]:
        found = self._observer.feed(events, now)
        notices += found
        # A trigger that is not on record does not count (spec U1).
        triggers = [notice for notice in found if isinstance(notice, TriggerNotice)]
        self._observer.mark_injected(rule_refs_of(triggers), agent)
        return triggers


def _loaded(agent: str, instructions: LoadedInstructions) -> InstructionsLoaded:
    return InstructionsLoaded(agent, instructions.path, instructions.level, instructions.reason)
