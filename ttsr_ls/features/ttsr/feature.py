"""TTSR itself, as a feature on the hooks: rules watch what streams, and the model is told when it broke one.

Owns the monitor and the fold of what rules did. What is decided about a match says `session.lifecycle.verdicts`, what a
model is told `session.lifecycle.templates`; this puts the two into the words of the hook contract.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from pathlib import PurePath
from typing import assert_never

from msgspec import Struct

from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.matching.repeat.gate import Elapsed
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd
from ttsr_ls.session.history.retry import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import (
    Cleared,
    InjectionCommitted,
    InjectionDeferred,
    ModelCall,
    ReminderFolded,
    Rewound,
    StepAppended,
    TurnEnded,
    TurnEvent,
)
from ttsr_ls.session.hooks.authority import Authority, granted
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
    Noted,
    OutputContext,
    OutputResult,
    Prepend,
    Proceed,
    RequestContext,
    RequestResult,
    Resume,
    Told,
    ToolResultContext,
    ToolResultResult,
)
from ttsr_ls.session.lifecycle.interrupt_messages import Injecting, interrupt_messages
from ttsr_ls.session.lifecycle.rule_state import Named, RuleFold, RuleState
from ttsr_ls.session.lifecycle.templates import Telling, Templates, rendered, shown_path
from ttsr_ls.session.lifecycle.verdicts import Claimed, CutOff, Deferred, Nothing, OnlyTold, verdict
from ttsr_ls.session.output.trigger_recorder import TriggerPosition, TriggerRecorder
from ttsr_ls.session.rules.session_monitor import Fired, SessionMonitor
from ttsr_ls.session.rules.session_rules import SessionRules

_DURING_ITS_ANSWER = Elapsed(answers=1)
"""A reminder in a tool's result belongs to the answer with the call, which is on record before."""


class Watching(Struct, frozen=True):
    """With what an agent is watched. Both folders are absolute; the paths of rules are shown as seen from them."""

    rules: SessionRules
    settings: Settings
    matching: Matching
    agent: str
    cwd: PurePath
    home: PurePath
    templates: Templates = Templates()
    ast_search: AstSearch | None = None


_PROCEED = Proceed()


@granted(Authority.RULES)
class Ttsr(Feature):
    """The rules of one session."""

    name = "ttsr"
    patience = inf  # Every search has its own bound, and a rule that exceeds it is given up alone.

    def __init__(self, watching: Watching) -> None:
        self._watching = watching
        self._rules = {Named(rule.name, rule.path): rule for rule in reversed(watching.rules.rules)}
        self._fold = RuleFold(watching.agent)
        self._monitor: SessionMonitor | None = None
        self._recorder = TriggerRecorder(watching.agent, watching.matching)

    @property
    def rules(self) -> SessionRules:
        """The rules that are in force, and what is wrong with others."""
        return self._watching.rules

    @property
    def state(self) -> RuleState:
        """What is known of the rules."""
        return self._fold.state

    def evolve(self, event: TurnEvent) -> None:
        """What rules did is a fold of the log."""
        self._fold.evolve(event)
        if self._monitor is None:
            return
        match event:
            case InjectionCommitted():
                self._monitor.mark_injected(event.rules)
            case ReminderFolded():
                self._monitor.mark_injected(event.rules, _DURING_ITS_ANSWER)
            case StepAppended(content=ModelCall(agent=self._watching.agent)):
                self._monitor.end_answer()
            case TurnEnded():
                self._monitor.end_turn()
            case Rewound() | Cleared():
                self._monitor = None
            case _:
                pass

    async def on_request(self, context: RequestContext) -> RequestResult:
        """A response starts: all streams start anew. What is still owed after a crash is told now."""
        self._ready().reset()
        self._recorder.start_answer()
        interrupts = self._injecting(self.state.interrupts)
        items = [context.items.interruption(each.text, each.rules, each.role) for each in interrupts]
        reminder = self._reminder(self.state.reminders)
        if reminder is not None:
            items.append(context.items.reminder(reminder.text, reminder.rules))
        return Append(tuple(items)) if items else Proceed()

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        """What a piece of the answer triggers."""
        streamed = context.streamed
        monitor = self._ready()
        if not monitor.watches(streamed.event.context):
            return _PROCEED
        fired = self._recorder.feed(monitor, streamed.event, context.now)
        found = (
            verdict(
                self.state,
                fired,
                streamed.call,
                self._watching.settings,
                can_retry=context.can_retry,
            )
            if fired
            else Nothing()
        )
        given_up = tuple(map(self._recorder.disabled_event, self._recorder.disabled(monitor)))
        if not fired and not given_up and not isinstance(streamed.event, BlockEnd):
            return _PROCEED
        match found:
            case CutOff():
                records = (*given_up, *self._triggers(found.fired, context, interrupts=True))
                rules = tuple(each.rule.name for each in found.fired)
                result: DeltaResult = Interrupt(rules, found.context, streamed.call, records)
            case Deferred():
                rules = tuple(each.rule.name for each in found.fired)
                deferred = InjectionDeferred(context.turn, context.step, context.agent, rules)
                result = Note((*given_up, *self._triggers(found.fired, context, interrupts=False), deferred))
            case Claimed() | OnlyTold():
                result = Note((*given_up, *self._triggers(found.fired, context, interrupts=False)))
            case Nothing():
                result = Note(given_up) if given_up else Proceed()
            case _:
                assert_never(found)
        self._recorder.finish(streamed.event)
        return result

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        """The reminders of the rules that claimed the call are put in front of its result."""
        claimed = tuple(claim.rule for claim in self.state.claims if claim.call == context.call)
        tellings = [telling for _, telling in self._tellings(claimed)]
        if not tellings:
            return Proceed()
        text = rendered(self._watching.templates.tool_reminder, tellings)
        return Prepend(text, tuple(telling.name for telling in tellings))

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        """What was deferred is told after a complete answer; after any other it is dropped, by the fold."""
        can_tell = context.ending is Ending.COMPLETE and context.can_retry  # Else the next request tells.
        reminder = self._reminder(self.state.reminders) if can_tell else None
        return Proceed() if reminder is None else FollowUp((reminder,))

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        """The model is told of all that cut the answer off, and asked again after a while."""
        told = tuple(
            Told(InjectionKind.INTERRUPT, each.role, each.text, each.rules)
            for each in self._injecting(self.state.interrupts)
        )
        after = max((rule.profile.resume_after for rule in self._known(self.state.interrupts)), default=0.0)
        return Resume(told, after) if told else Proceed()

    def _ready(self) -> SessionMonitor:
        """The monitor, in the state that the log tells."""
        if self._monitor is None:
            watching = self._watching
            monitor = SessionMonitor(watching.rules, watching.settings, watching.matching, watching.ast_search)
            for mark in self.state.injected:
                monitor.mark_injected((mark.rule,), self.state.since(mark))
            self._monitor = monitor
        return self._monitor

    def _triggers(self, fired: Iterable[Fired], context: DeltaContext, *, interrupts: bool) -> tuple[Noted, ...]:
        streamed = context.streamed
        at = TriggerPosition(context.turn, context.step, context.agent, streamed.call, streamed.write)
        return self._recorder.events(fired, streamed.event.context, at, interrupts=interrupts)

    def _known(self, rules: Iterable[Named]) -> list[Rule]:
        """The rules without those whose files are gone since the log was written."""
        return [self._rules[rule] for rule in rules if rule in self._rules]

    def _tellings(self, rules: Iterable[Named]) -> list[tuple[Rule, Telling]]:
        cwd, home = self._watching.cwd, self._watching.home
        return [(rule, Telling(rule.name, shown_path(rule.path, cwd, home), rule.body)) for rule in self._known(rules)]

    def _injecting(self, rules: tuple[Named, ...]) -> tuple[Injecting, ...]:
        return interrupt_messages(self._tellings(rules), self._watching.templates)

    def _reminder(self, rules: tuple[Named, ...]) -> Told | None:
        tellings = [telling for _, telling in self._tellings(rules)]
        if not tellings:
            return None
        text = rendered(self._watching.templates.deferred, tellings)
        return Told(InjectionKind.REMINDER, Role.USER, text, tuple(telling.name for telling in tellings))
