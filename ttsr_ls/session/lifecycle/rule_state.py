"""The state of the rules in a session: a fold of its log (spec I3 to I6).

A match alone changes nothing here. The state of a rule follows from what is on record: so neither a crash nor a failed
log can mark a rule whose injection was not committed, or lose a pending injection.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.matching.repeat.repeat_policy import Elapsed
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import InterruptedByRules
from ttsr_ls.session.history.turn_events import (
    CallDone,
    CallRefused,
    InjectionCommitted,
    InjectionDeferred,
    ModelCall,
    OutputInterrupted,
    ReminderFolded,
    RuleTriggered,
    SessionResumed,
    StepAppended,
    StepUpdated,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.lifecycle.transitions import CANCELLED_BY_USER


class RuleRef(Struct, frozen=True, gc=False):
    """A rule: its name, and the path that distinguishes it from others of that name."""

    name: str
    path: str


def names_of(rules: Iterable[RuleRef]) -> tuple[str, ...]:
    """The names of rules for a record."""
    return tuple(rule.name for rule in rules)


def paths_of(rules: Iterable[RuleRef]) -> tuple[str, ...]:
    """The paths of rules for a record; empty if none is known."""
    paths = tuple(rule.path for rule in rules)
    return paths if any(paths) else ()


def recorded_rules(names: tuple[str, ...], paths: tuple[str, ...]) -> tuple[RuleRef, ...]:
    """The injected rules of a record. Without `paths`, as of a judge's or a feature's injection, they are blank: a name
    then stands for all rules of that name."""
    return tuple(map(RuleRef, names, paths if len(paths) == len(names) else ("",) * len(names)))


class ToolReminder(Struct, frozen=True, gc=False):
    """The result of the tool call `call` will carry a reminder of the rule."""

    rule: RuleRef
    call: str


class DeferredInjection(Struct, frozen=True, gc=False):
    """The rule will be injected when the answer that is step `step` is complete."""

    rule: RuleRef
    step: int


class InjectionMark(Struct, frozen=True, gc=False):
    """The rule was injected after this many turns of the session and answers of the agent.

    An answer whose tool calls have no result yet is not counted: a reminder in a result is injected during its answer.
    `path` is that of the injected rule, because rules of several dialects may have one name; empty if it is not known.
    """

    rule: str
    turns: int
    answers: int = 0
    path: str = ""

    @property
    def ref(self) -> RuleRef:
        """The injected rule."""
        return RuleRef(self.rule, self.path)


class AgentRuleState(Struct, frozen=True, gc=False):
    """The state of all rules of one agent.

    `turns` and `answers` count the finished ones. `interrupts` and `reminders` are pending: on record as matched, but
    not injected yet. `seen` are the rules that matched during the answer in progress.
    """

    injected: tuple[InjectionMark, ...] = ()
    turns: int = 0
    answers: int = 0
    interrupts: tuple[RuleRef, ...] = ()
    reminders: tuple[RuleRef, ...] = ()
    deferred_injections: tuple[DeferredInjection, ...] = ()
    tool_reminders: tuple[ToolReminder, ...] = ()
    seen: tuple[RuleRef, ...] = ()

    @property
    def deferred(self) -> frozenset[RuleRef]:
        """The rules that will be injected when an answer is complete."""
        return frozenset(injection.rule for injection in self.deferred_injections)

    @property
    def reserved(self) -> frozenset[RuleRef]:
        """The rules whose injection is already queued."""
        return self.deferred.union(self.interrupts, self.reminders)

    def since(self, mark: InjectionMark) -> Elapsed:
        """Returns what ended since a rule was injected."""
        return Elapsed(self.answers - mark.answers, self.turns - mark.turns)

    def after(self, event: TurnEvent, agent: str) -> AgentRuleState:
        """Returns the state after an event. `RuleFold` handles rewinding and clearing."""
        match event:  # The most frequent first: a long log has very many.
            case StepAppended(content=ModelCall() as answer) if answer.agent == agent:
                return self._answered(event.step, answer)
            case StepUpdated():
                return self._settled(event)
            case TurnStarted():
                return replace(self, deferred_injections=(), tool_reminders=(), seen=())
            case RuleTriggered() if event.agent == agent:
                return self._triggered(event)
            case OutputInterrupted() if event.interruption.agent == agent:
                return self._interrupted(event)
            case InjectionDeferred() if event.agent == agent:
                # The record has names, and another rule with one of them may be deferred already.
                rules = (rule for rule in self._seen(event.rules) if rule not in self.deferred)
                injections = (DeferredInjection(rule, event.step) for rule in rules)
                return replace(self, deferred_injections=(*self.deferred_injections, *injections))
            case InjectionCommitted() if event.injection.agent == agent:
                return self._mark_injected(recorded_rules(event.rules, event.rule_paths))
            case ReminderFolded():
                return self._reminded(event)
            case TurnEnded():
                return self._ended(event)
            case SessionResumed():
                return replace(self, deferred_injections=(), tool_reminders=(), seen=())
            case _:
                return self

    def _triggered(self, event: RuleTriggered) -> AgentRuleState:
        rule = RuleRef(event.rule, event.rule_path)
        seen = self if rule in self.seen else replace(self, seen=(*self.seen, rule))
        if event.interrupts or event.source is not Source.TOOL or event.call is None:
            return seen
        if any(reminder.rule == rule for reminder in self.tool_reminders):
            return seen
        return replace(seen, tool_reminders=(*self.tool_reminders, ToolReminder(rule, event.call)))

    def _seen(self, names: Iterable[str]) -> list[RuleRef]:
        """The rules with these names that matched during the answer. Names of other features' reasons are ignored."""
        return list(dict.fromkeys(rule for name in names for rule in self.seen if rule.name == name))

    def _interrupted(self, event: OutputInterrupted) -> AgentRuleState:
        """Makes the answer's deferred injections pending at once, as the reference agent does (recorded).

        The pending rules need no reminder in a tool's result any more.
        """
        cause = event.interruption.cause
        if not isinstance(cause, InterruptedByRules):
            return self
        deferred, other_injections = self._deferred_injections(event.interruption.answer)
        pending = [rule for rule in (*deferred, *self._seen(cause.rules)) if rule not in self.interrupts]
        tool_reminders = tuple(reminder for reminder in self.tool_reminders if reminder.rule not in pending)
        interrupts = tuple(dict.fromkeys((*self.interrupts, *pending)))
        return replace(self, interrupts=interrupts, tool_reminders=tool_reminders, deferred_injections=other_injections)

    def _deferred_injections(self, step: int) -> tuple[tuple[RuleRef, ...], tuple[DeferredInjection, ...]]:
        """The rules that are to be injected after an answer, and all other deferred injections."""
        of_answer = tuple(injection.rule for injection in self.deferred_injections if injection.step == step)
        return of_answer, tuple(injection for injection in self.deferred_injections if injection.step != step)

    def _answered(self, step: int, answer: ModelCall) -> AgentRuleState:
        of_answer, other_injections = self._deferred_injections(step)
        answers = self.answers + 1
        if not answer.complete:
            return replace(self, answers=answers, deferred_injections=other_injections, tool_reminders=(), seen=())
        return replace(
            self,
            answers=answers,
            deferred_injections=other_injections,
            reminders=(*self.reminders, *of_answer),
            seen=(),
        )

    def _mark_injected(self, rules: Iterable[RuleRef]) -> AgentRuleState:
        injected = _with_paths(rules, (*self.interrupts, *self.reminders))
        return replace(
            self._mark(injected, self.answers),
            interrupts=tuple(rule for rule in self.interrupts if rule not in injected),
            reminders=tuple(rule for rule in self.reminders if rule not in injected),
        )

    def _reminded(self, event: ReminderFolded) -> AgentRuleState:
        of_call = (reminder.rule for reminder in self.tool_reminders if reminder.call == event.call)
        reminded = _with_paths(recorded_rules(event.rules, event.rule_paths), of_call)
        tool_reminders = tuple(
            reminder for reminder in self.tool_reminders if reminder.call != event.call or reminder.rule not in reminded
        )
        return replace(self._mark(reminded, self.answers - 1), tool_reminders=tool_reminders)

    def _settled(self, event: StepUpdated) -> AgentRuleState:
        """Handles the end of a call whose reminders were not recorded, because the log failed. They become pending if
        the call has a result, and are dropped if it has none."""
        unsent = tuple(reminder.rule for reminder in self.tool_reminders if reminder.call == event.call)
        if not unsent:
            return self
        tool_reminders = tuple(reminder for reminder in self.tool_reminders if reminder.call != event.call)
        pending = unsent if isinstance(event.state, CallDone | CallRefused) else ()
        return replace(self, tool_reminders=tool_reminders, reminders=(*self.reminders, *pending))

    def _mark(self, rules: Iterable[RuleRef], answers: int) -> AgentRuleState:
        new = {(rule.name, rule.path): InjectionMark(rule.name, self.turns, answers, rule.path) for rule in rules}
        kept = tuple(mark for mark in self.injected if (mark.rule, mark.path) not in new)
        return replace(self, injected=(*kept, *(new[key] for key in sorted(new))))

    def _ended(self, event: TurnEnded) -> AgentRuleState:
        """Drops the pending injections of a turn that a user stopped; after any other end of the turn, they are still
        injected."""
        ended = replace(self, turns=self.turns + 1, deferred_injections=(), tool_reminders=(), seen=())
        return replace(ended, interrupts=(), reminders=()) if event.outcome == CANCELLED_BY_USER else ended


def _with_paths(rules: Iterable[RuleRef], pending: Iterable[RuleRef]) -> list[RuleRef]:
    """Returns injected rules with the paths that their record lacks: each such name stands for the next pending rule
    of that name."""
    remaining = list(dict.fromkeys(pending))
    found: list[RuleRef] = []
    for rule in rules:
        known = rule if rule.path else next((each for each in remaining if each.name == rule.name), rule)
        found.append(known)
        if known in remaining:
            remaining.remove(known)
    return found


class RuleFold:
    """The current state of the rules of `agent`. Call `evolve` with each event in order; reading in between
    is cheap.
    """

    __slots__ = ("_agent", "_state")

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._state = Rewindable(AgentRuleState())

    @property
    def state(self) -> AgentRuleState:
        """The state so far."""
        return self._state.now

    def evolve(self, event: TurnEvent) -> None:
        """Updates the state by `event`. Rewinding restores the state at the start of the turn (I6: the
        current branch).
        """
        self._state.evolve(event)
        self._state.now = self._state.now.after(event, self._agent)
