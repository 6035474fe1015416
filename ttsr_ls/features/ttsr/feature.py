"""TTSR itself, as a feature on the hooks: matches rules on streams, and injects the broken ones.

Owns the monitor and the fold of the rules' state. `session.lifecycle.trigger_action` decides the action for a match,
`session.lifecycle.templates` has the injected texts; this module translates both into results of hooks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from pathlib import PurePath
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.features.ttsr.rule_refs import RuleFinder
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.matching.repeat.repeat_policy import JUST_NOW, Elapsed
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Trigger
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import (
    HistoryCleared,
    HistoryRewound,
    InjectionCommitted,
    InjectionDeferred,
    ModelCall,
    OutputInterrupted,
    ReminderFolded,
    StepAppended,
    TriggersSuppressed,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.hooks.authority import Authority, grants_authority
from ttsr_ls.session.hooks.contract import (
    AbortedContext,
    AbortedResult,
    Append,
    DeltaContext,
    DeltaResult,
    Ending,
    Feature,
    FollowUp,
    Interrupt,
    Note,
    OutputContext,
    OutputResult,
    PendingInjection,
    Prepend,
    Proceed,
    RecordableEvent,
    RequestContext,
    RequestResult,
    Resume,
    ToolResultContext,
    ToolResultResult,
    TurnContext,
    TurnResult,
)
from ttsr_ls.session.lifecycle.interrupt_messages import interrupt_messages
from ttsr_ls.session.lifecycle.noise_budget import NoiseGate
from ttsr_ls.session.lifecycle.rule_state import AgentRuleState, RuleFold, RuleRef
from ttsr_ls.session.lifecycle.templates import RuleText, Templates, render_template, rule_text
from ttsr_ls.session.lifecycle.trigger_action import (
    InjectAfterAnswer,
    InterruptNow,
    NoAction,
    RemindInToolResult,
    ReportOnly,
    TriggerAction,
    rule_ref,
    trigger_action,
)
from ttsr_ls.session.output.trigger_recorder import TriggerPosition, TriggerRecorder
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.session.rules.session_monitor import SessionMonitor

_DURING_ITS_ANSWER = Elapsed(answers=1)
"""A reminder in a tool's result is injected during the answer with the call, which was counted before the reminder."""


class RuleFeatureConfig(Struct, frozen=True):
    """The configuration of the rules of one agent. Both folders are absolute; paths are shown relative to them."""

    rules: RulesByDialect
    settings: Settings
    matching: Matching
    agent: str
    cwd: PurePath
    home: PurePath
    templates: Templates = Templates()
    ast_search: AstSearch | None = None
    noise: NoiseGate | None = None
    matchers: Callable[[], MatcherCache] = MatcherCache


_PROCEED = Proceed()


@grants_authority(Authority.RULES)
class RuleFeature(Feature):
    """The feature that matches rules on an agent's output, and injects their bodies."""

    name = "ttsr"
    timeout = inf  # Each search has its own limit, which disables a condition and not the feature.

    def __init__(self, config: RuleFeatureConfig) -> None:
        self._config = config
        self._finder = RuleFinder(config.rules.rules, config.cwd)
        self._interrupts = 0
        self._fold = RuleFold(config.agent)
        self._monitor: SessionMonitor | None = None
        self._recorder = TriggerRecorder(config.agent, config.matching)

    @property
    def rules(self) -> RulesByDialect:
        """The active rules, and the problems of other rules."""
        return self._config.rules

    @property
    def settings(self) -> Settings:
        """The settings of the rules."""
        return self._config.settings

    def replace_rules(self, rules: RulesByDialect, settings: Settings) -> None:
        """Uses other rules and settings from the next request on. Rules that were injected stay so, by name."""
        self._config = replace(self._config, rules=rules, settings=settings)
        self._finder = RuleFinder(rules.rules, self._config.cwd)
        self._monitor = None
        self._recorder = TriggerRecorder(self._config.agent, self._config.matching)

    @property
    def state(self) -> AgentRuleState:
        """The state of the rules."""
        return self._fold.state

    def evolve(self, event: TurnEvent) -> None:
        """Updates the state of the rules by one event of the log."""
        known_marks = self.state.injected
        self._fold.evolve(event)
        match event:
            case TurnStarted():
                self._interrupts = 0
                if self._config.noise is not None:
                    self._config.noise.start_turn()
            case OutputInterrupted(interruption=interruption) if interruption.agent == self._config.agent:
                self._interrupts += 1
            case _:
                pass
        if self._monitor is None:
            return
        match event:
            case InjectionCommitted() | ReminderFolded():
                since = _DURING_ITS_ANSWER if isinstance(event, ReminderFolded) else JUST_NOW
                new_marks = (mark for mark in self.state.injected if mark not in known_marks)
                self._monitor.mark_injected((self._finder.current(mark.ref) for mark in new_marks), since)
            case StepAppended(content=ModelCall(agent=self._config.agent)):
                self._monitor.end_answer()
            case TurnEnded():
                self._monitor.end_turn()
            case HistoryRewound() | HistoryCleared():
                self._monitor = None
            case _:
                pass

    async def on_request(self, context: RequestContext) -> RequestResult:
        """Starts a response: resets all streams, and injects what is pending after a crash."""
        self._current_monitor().reset()
        self._recorder.start_answer()
        interrupts = self._interrupt_injections(self.state.interrupts)
        items = [context.items.interruption(pending.text, pending.rules, pending.role) for pending in interrupts]
        reminder = self._reminder(self.state.reminders)
        if reminder is not None:
            items.append(context.items.reminder(reminder.text, reminder.rules))
        return Append(tuple(items)) if items else Proceed()

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        """Returns the action for the triggers of one delta."""
        delta = context.streamed
        monitor = self._current_monitor()
        if not monitor.can_match(delta.event.context):
            return _PROCEED
        triggers = self._admitted(self._recorder.feed(monitor, delta.event, context.now))
        action: TriggerAction = NoAction()
        if triggers:
            action = trigger_action(
                self.state,
                triggers,
                delta.call,
                self._config.settings,
                can_retry=context.can_retry,
                can_interrupt=self._can_interrupt,
            )
        disabled = tuple(map(self._recorder.disabled_event, self._recorder.disabled(monitor)))
        if not triggers and not disabled and not isinstance(delta.event, BlockEnd):
            return _PROCEED
        match action:
            case InterruptNow():
                records = (*disabled, *self._trigger_events(action.triggers, context, interrupts=True))
                rules = tuple(trigger.rule.name for trigger in action.triggers)
                result: DeltaResult = Interrupt(rules, action.context, delta.call, records)
            case InjectAfterAnswer():
                rules = tuple(trigger.rule.name for trigger in action.triggers)
                deferred = InjectionDeferred(context.turn, context.step, context.agent, rules)
                result = Note((*disabled, *self._trigger_events(action.triggers, context, interrupts=False), deferred))
            case RemindInToolResult() | ReportOnly():
                result = Note((*disabled, *self._trigger_events(action.triggers, context, interrupts=False)))
            case NoAction():
                result = Note(disabled) if disabled else Proceed()
            case _:
                assert_never(action)
        self._recorder.finish(delta.event)
        return result

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        """Prepends the reminders of the rules that are queued for the call to its result."""
        rules = tuple(reminder.rule for reminder in self.state.tool_reminders if reminder.call == context.call)
        rule_texts = [rule_text for _, rule_text in self._rule_texts(rules)]
        if not rule_texts:
            return Proceed()
        text = render_template(self._config.templates.tool_reminder, rule_texts)
        return Prepend(text, tuple(rule_text.name for rule_text in rule_texts))

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        """Injects deferred rules after a complete answer. After any other answer the fold drops them."""
        if context.ending is not Ending.COMPLETE or not context.can_retry:
            return Proceed()  # The next request injects them.
        reminder = self._reminder(self.state.reminders)
        return Proceed() if reminder is None else FollowUp((reminder,))

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        """Injects all rules that interrupted the answer, and schedules the next request."""
        injections = self._interrupt_injections(self.state.interrupts)
        after = max((rule.profile.resume_after for rule in self._finder.find_all(self.state.interrupts)), default=0.0)
        return Resume(injections, after) if injections else Proceed()

    async def on_turn_end(self, context: TurnContext) -> TurnResult:
        """Puts the suppressed triggers of the turn on record."""
        suppressed = () if self._config.noise is None else self._config.noise.end_turn()
        return Note((TriggersSuppressed(context.turn, suppressed),)) if suppressed else Proceed()

    @property
    def _can_interrupt(self) -> bool:
        max_interrupts = self._config.settings.max_interrupts
        return max_interrupts is None or self._interrupts < max_interrupts

    def _admitted(self, triggers: tuple[Trigger, ...]) -> tuple[Trigger, ...]:
        """The triggers that the noise budget admits. A rule that is queued for injection is counted already."""
        noise_gate = self._config.noise
        if not triggers or noise_gate is None:
            return triggers
        reserved = self.state.reserved.union(reminder.rule for reminder in self.state.tool_reminders)
        return tuple(
            trigger for trigger in triggers if rule_ref(trigger) in reserved or noise_gate.admits(trigger.rule.name)
        )

    def _current_monitor(self) -> SessionMonitor:
        """The monitor, in the state that the log describes."""
        if self._monitor is None:
            config = self._config
            matchers = config.matchers()  # Created here, because matchers belong to the running event loop.
            monitor = SessionMonitor(config.rules, config.settings, config.matching, config.ast_search, matchers)
            for mark in self.state.injected:
                monitor.mark_injected((self._finder.current(mark.ref),), self.state.since(mark))
            self._monitor = monitor
        return self._monitor

    def _trigger_events(
        self, triggers: Iterable[Trigger], context: DeltaContext, *, interrupts: bool
    ) -> tuple[RecordableEvent, ...]:
        delta = context.streamed
        position = TriggerPosition(context.turn, context.step, context.agent, delta.call, delta.write)
        return self._recorder.events(triggers, delta.event.context, position, interrupts=interrupts)

    def _rule_texts(self, rules: Iterable[RuleRef]) -> list[tuple[Rule, RuleText]]:
        cwd, home = self._config.cwd, self._config.home
        return [(rule, rule_text(rule, cwd, home)) for rule in self._finder.find_all(rules)]

    def _interrupt_injections(self, rules: tuple[RuleRef, ...]) -> tuple[PendingInjection, ...]:
        return interrupt_messages(self._rule_texts(rules), self._config.templates)

    def _reminder(self, rules: tuple[RuleRef, ...]) -> PendingInjection | None:
        rule_texts = [rule_text for _, rule_text in self._rule_texts(rules)]
        if not rule_texts:
            return None
        text = render_template(self._config.templates.deferred, rule_texts)
        names = tuple(rule_text.name for rule_text in rule_texts)
        return PendingInjection(InjectionKind.REMINDER, Role.USER, text, names)
