"""What a session knows of its rules: a fold of its log (spec I3 to I6).

Nothing here is ever set because of a match alone. What a rule counts as follows from what is on record: so a crash, or
a log that failed, can leave no rule marked whose injection was not committed, and loses no injection that is owed.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.matching.repeat.gate import Elapsed
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import RuleCut
from ttsr_ls.session.history.turn_events import (
    Done,
    InjectionCommitted,
    InjectionDeferred,
    ModelCall,
    OutputInterrupted,
    Refused,
    ReminderFolded,
    RuleTriggered,
    SessionResumed,
    StepAppended,
    StepUpdated,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.lifecycle.phases import BY_A_PERSON


class Named(Struct, frozen=True, gc=False):
    """A rule: its name, and the path that tells it from others of that name."""

    name: str
    path: str


class Claim(Struct, frozen=True, gc=False):
    """The result of the tool call `call` is to carry a reminder of the rule; no other call's will."""

    rule: Named
    call: str


class Deferral(Struct, frozen=True, gc=False):
    """The model is to be told of the rule when the answer that is step `step` is complete."""

    rule: Named
    step: int


class Injected(Struct, frozen=True, gc=False):
    """The rule was injected when so many turns of the session, and so many answers of the agent, were over.

    An answer whose tool calls have no result yet is not over: a reminder in a result is injected during its answer.
    """

    rule: str
    turns: int
    answers: int = 0


class RuleState(Struct, frozen=True, gc=False):
    """What is known of the rules of one agent.

    `turns` and `answers` count those that are over. `interrupts` and `reminders` are owed: on record as matched, and
    the model could not be told yet. `seen` are the rules that matched during the answer under way.
    """

    injected: tuple[Injected, ...] = ()
    turns: int = 0
    answers: int = 0
    interrupts: tuple[Named, ...] = ()
    reminders: tuple[Named, ...] = ()
    deferrals: tuple[Deferral, ...] = ()
    claims: tuple[Claim, ...] = ()
    seen: tuple[Named, ...] = ()

    @property
    def deferred(self) -> frozenset[Named]:
        """The rules that the model will be told of when an answer is complete."""
        return frozenset(deferral.rule for deferral in self.deferrals)

    @property
    def reserved(self) -> frozenset[Named]:
        """The rules that the model will be told of anyway."""
        return self.deferred.union(self.interrupts, self.reminders)

    def since(self, mark: Injected) -> Elapsed:
        """What ended since a rule was injected."""
        return Elapsed(self.answers - mark.answers, self.turns - mark.turns)

    def after(self, event: TurnEvent, agent: str) -> RuleState:
        """The state after an event; rewinding and clearing are `RuleFold`'s."""
        match event:  # The most frequent first: a long log has very many.
            case StepAppended(content=ModelCall() as answer) if answer.agent == agent:
                return self._answered(event.step, answer)
            case StepUpdated():
                return self._settled(event)
            case TurnStarted():
                return replace(self, deferrals=(), claims=(), seen=())
            case RuleTriggered() if event.agent == agent:
                return self._triggered(event)
            case OutputInterrupted() if event.interruption.agent == agent:
                return self._interrupted(event)
            case InjectionDeferred() if event.agent == agent:
                due = (Deferral(rule, event.step) for rule in self._seen(event.rules))
                return replace(self, deferrals=(*self.deferrals, *due))
            case InjectionCommitted() if event.injection.agent == agent:
                return self._told(event.rules)
            case ReminderFolded():
                return self._reminded(event)
            case TurnEnded():
                return self._ended(event)
            case SessionResumed():
                return replace(self, deferrals=(), claims=(), seen=())
            case _:
                return self

    def _triggered(self, event: RuleTriggered) -> RuleState:
        rule = Named(event.rule, event.rule_path)
        seen = self if rule in self.seen else replace(self, seen=(*self.seen, rule))
        if event.interrupts or event.source is not Source.TOOL or event.call is None:
            return seen
        if any(claim.rule == rule for claim in self.claims):
            return seen
        return replace(seen, claims=(*self.claims, Claim(rule, event.call)))

    def _seen(self, names: Iterable[str]) -> list[Named]:
        """The rules with these names that matched during the answer. Features may cut off for reasons of their own."""
        return [rule for name in names for rule in self.seen if rule.name == name]

    def _interrupted(self, event: OutputInterrupted) -> RuleState:
        """What the model was to be told when the answer is complete, it is told at once (recorded of the reference).

        The tools of the answer will not run, so what their results were to carry is free again.
        """
        cut = event.interruption.cut
        if not isinstance(cut, RuleCut):
            return self
        deferred, others = self._deferrals(event.interruption.answer)
        owed = [rule for rule in (*deferred, *self._seen(cut.rules)) if rule not in self.interrupts]
        claims = tuple(claim for claim in self.claims if claim.rule not in owed)
        interrupts = tuple(dict.fromkeys((*self.interrupts, *owed)))
        return replace(self, interrupts=interrupts, claims=claims, deferrals=others)

    def _deferrals(self, step: int) -> tuple[tuple[Named, ...], tuple[Deferral, ...]]:
        """The rules that the model is to be told of after an answer, and all other deferrals."""
        of_answer = tuple(deferral.rule for deferral in self.deferrals if deferral.step == step)
        return of_answer, tuple(deferral for deferral in self.deferrals if deferral.step != step)

    def _answered(self, step: int, answer: ModelCall) -> RuleState:
        of_answer, others = self._deferrals(step)
        answers = self.answers + 1
        if not answer.complete:
            return replace(self, answers=answers, deferrals=others, claims=(), seen=())
        return replace(self, answers=answers, deferrals=others, reminders=(*self.reminders, *of_answer), seen=())

    def _told(self, rules: Iterable[str]) -> RuleState:
        names = frozenset(rules)
        return replace(
            self._mark(names, self.answers),
            interrupts=tuple(rule for rule in self.interrupts if rule.name not in names),
            reminders=tuple(rule for rule in self.reminders if rule.name not in names),
        )

    def _reminded(self, event: ReminderFolded) -> RuleState:
        names = frozenset(event.rules)
        claims = tuple(claim for claim in self.claims if claim.call != event.call or claim.rule.name not in names)
        return replace(self._mark(names, self.answers - 1), claims=claims)

    def _settled(self, event: StepUpdated) -> RuleState:
        """A result that could not carry its reminder, as the log failed, leaves it owed. No result, no reminder."""
        left = tuple(claim.rule for claim in self.claims if claim.call == event.call)
        if not left:
            return self
        claims = tuple(claim for claim in self.claims if claim.call != event.call)
        owed = left if isinstance(event.state, Done | Refused) else ()
        return replace(self, claims=claims, reminders=(*self.reminders, *owed))

    def _mark(self, names: frozenset[str], answers: int) -> RuleState:
        kept = tuple(mark for mark in self.injected if mark.rule not in names)
        return replace(self, injected=(*kept, *(Injected(name, self.turns, answers) for name in sorted(names))))

    def _ended(self, event: TurnEnded) -> RuleState:
        """What a person stopped is not taken up again; whatever else ended the turn, the model is still to be told."""
        ended = replace(self, turns=self.turns + 1, deferrals=(), claims=(), seen=())
        return replace(ended, interrupts=(), reminders=()) if event.outcome == BY_A_PERSON else ended


class RuleFold:
    """The state so far of the rules of `agent`. `evolve` by each event in turn; reading in between is free."""

    __slots__ = ("_agent", "_state")

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._state = Rewindable(RuleState())

    @property
    def state(self) -> RuleState:
        """The state so far."""
        return self._state.now

    def evolve(self, event: TurnEvent) -> None:
        """The state after `event`. Rewinding brings back what was when the turn began (I6: the current branch)."""
        self._state.evolve(event)
        self._state.now = self._state.now.after(event, self._agent)
