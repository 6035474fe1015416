"""Controls one agent: decides how to react to each rule that fires, and carries it out. Pure.

Its input is lines of the agent, its output messages to the agent and views for the user. Every injection is recorded
before it is sent (spec U1): if the log fails, the agent continues undisturbed and the user is notified. A turn that
the agent's protocol splits at an interrupt (one ends, another begins with the injection) is one turn in the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from ttsr_ls.bridge.control.correction import Correction, ViolatingCalls, interrupt_plan, supported_mode
from ttsr_ls.bridge.control.driver import AgentDriver, AgentRefusedError, Plan, PlanStep, ToAgent, take
from ttsr_ls.bridge.control.injection_recorder import InjectionRecorder
from ttsr_ls.bridge.control.injection_text import GO_ON, DisplayRoots
from ttsr_ls.bridge.control.output_views import views_of
from ttsr_ls.bridge.control.plan_runner import PlanRunner
from ttsr_ls.bridge.control.reaction import CONTROL_LIMITS, ControlLimits, Reaction
from ttsr_ls.bridge.control.turn_merger import TurnMerger
from ttsr_ls.bridge.control.views import AgentInterrupted, AgentLimit, AgentTrouble, ProseShown, RunView
from ttsr_ls.bridge.watch.notices import Notice, TriggerNotice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.trigger_texts import context_mode_of
from ttsr_ls.bridge.wire.json_lines import parse_object
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    TurnCancelled,
    TurnFailed,
    TurnOutcome,
    UnseenTrigger,
    UserInput,
)
from ttsr_ls.session.output.agent_events import (
    Adapter,
    AgentEvent,
    AnswerStarted,
    StreamDamaged,
    ToolResultSeen,
    TurnClosed,
    TurnOpened,
)


class Controller:
    """One session of one agent. `settings` may be replaced, and apply from the next trigger on."""

    def __init__(
        self,
        driver: AgentDriver,
        adapter: Adapter,
        observer: Observer,
        settings: Settings,
        roots: DisplayRoots,
        limits: ControlLimits = CONTROL_LIMITS,
    ) -> None:
        self.driver, self._adapter, self._observer = driver, adapter, observer
        self.settings, self._limits = settings, limits
        self.plans = PlanRunner(limits.timeout)
        self._violating_calls = ViolatingCalls()
        # Until the agent has stopped, no call may run: its answer may be removed.
        driver.is_forbidden = lambda call: (
            self._violating_calls.is_forbidden(call) or (self._correction is not None and not self._correction.is_sent)
        )
        self._correction: Correction | None = None
        self._turns, self._prompt = TurnMerger(), ""
        self._now = self._last_output_at = self._interrupts = 0
        self._in_turn = self._has_run_call = False
        self._is_turn_requested = False
        """A turn was requested and has not begun."""
        self._outgoing: list[ToAgent] = []
        self._views: list[RunView] = []
        self._injector = InjectionRecorder(observer, roots, self._turns, self._views.append)
        self.failure: str | None = None
        """The reason why the session cannot continue."""
        self.outcome: TurnOutcome | None = None
        """The outcome of the last turn."""

    @property
    def is_over(self) -> bool:
        """True if the agent is done or the session has failed."""
        if self.failure is not None:
            return True
        is_busy = self._in_turn or self._is_turn_requested or self._turns.is_merging or not self.plans.is_idle
        return not is_busy and self.driver.is_quiescent

    def start(self, prompt: str, now: int) -> Reaction:
        """Starts the agent and sends the prompt. `now` is in milliseconds since the Unix epoch, also below."""
        self._prompt, self._is_turn_requested = prompt, True
        self.plans.add((*self.driver.start(), self.driver.prompt(prompt)))
        return self._reaction(now)

    def adopt_prompt(self, line: bytes, prompt: str, now: int) -> Reaction:
        """Handles a prompt that another client sent to the agent; `line` is the message that contains it."""
        self._prompt, self._is_turn_requested = prompt, True
        return self.observe_line(line, now)

    def observe_line(self, line: bytes, now: int) -> Reaction:
        """Handles a line of the agent that another client answers."""
        self._now = self._last_output_at = now
        self._feed(self._adapter.feed(line + b"\n"))
        return self._reaction(now)

    @property
    def is_interrupted(self) -> bool:
        """True if the agent was interrupted and has not begun to answer again."""
        return self._correction is not None

    def receive(self, line: bytes, now: int) -> Reaction:
        """Handles a line from the agent, without its line end."""
        self._now = self._last_output_at = now
        message = parse_object(line) if line.strip() else ""
        if isinstance(message, str) or "http" not in message:  # Answers to requests are no events.
            self._feed(self._adapter.feed(line + b"\n"))
        if not isinstance(message, str):  # After the adapter, so that rules are matched before a permission is decided.
            self._outgoing += self.driver.receive(message)
            for omitted in take(self.driver.omitted_lines):
                self._feed(self._adapter.feed(omitted + b"\n"))
            try:
                self.plans.receive(message)
            except AgentRefusedError as error:
                self._handle_refusal(str(error))
        self._views += (ProseShown(Source.TEXT, text) for text in take(self.driver.command_output))
        self._views += (*map(AgentTrouble, take(self.driver.notes)), *map(AgentLimit, take(self.driver.limits)))
        return self._reaction(now)

    def skip(self, message: str, now: int) -> list[Notice]:
        """Records that a part of the session could not be read; `message` is a full sentence."""
        return self._observer.feed([StreamDamaged(message)], now)

    def tick(self, now: int) -> Reaction:
        """Handles the passing of time: checks whether an answer of the agent is overdue."""
        if (overdue := self.plans.overdue_step(now)) is not None:
            self.failure = f"The agent did not answer '{overdue}' within {self._limits.timeout // 1000} seconds."
        return self._reaction(now)

    def stop(self, now: int) -> Reaction:
        """Stops the agent at the user's request."""
        self.plans.clear()
        self._injector.reminders.clear()
        self._turns.is_merging = False
        self._correction, self._is_turn_requested = None, False
        self.plans.add(self.driver.interrupt() if self._in_turn else ())
        return self._reaction(now)

    def finish(self, now: int) -> Reaction:
        """Handles the end of the agent's output."""
        self._now = now
        is_premature = not self.is_over
        self.plans.clear()
        self._turns.is_merging = False
        self._feed(self._adapter.finish())
        if self._in_turn:
            self._feed([TurnClosed(TurnCancelled("the agent ended"))])
        if is_premature and self.failure is None:
            self.failure = "The agent ended before it was done."
        return self._reaction(now)

    def _reaction(self, now: int) -> Reaction:
        self._now = now
        reason = self.driver.idle_reason
        is_waiting = (self._in_turn or self._is_turn_requested) and self.plans.is_idle
        if reason is not None and is_waiting and now - self._last_output_at >= self.driver.lag:
            self._in_turn = True
            self._feed([TurnClosed(TurnFailed(reason))])
        if self.failure is None:
            self._outgoing += self.plans.send(now)
        reaction = Reaction(tuple(self._outgoing), tuple(self._views))
        self._outgoing.clear()
        self._views.clear()
        return reaction

    def _handle_refusal(self, reason: str) -> None:
        """Handles a refused request: a failure while the agent starts; an interrupt is replaced by a prompt, once."""
        correction = self._correction
        if correction is None or correction.is_prompted:
            self.failure = f"The agent refused {reason}"
            return
        correction.is_prompted = True
        self._views.append(AgentTrouble(f"The agent refused {reason}. It is prompted instead."))
        self.plans.clear()
        self.plans.add(self._injection(correction, steers=False, again=False))

    def _feed(self, events: Iterable[AgentEvent]) -> None:
        is_stopping = not self.plans.is_idle
        for event in self._turns.merged(events, in_turn=self._in_turn, is_stopping=is_stopping):
            self._views += views_of(event)
            match event:
                case AnswerStarted(agent=agent) if agent == MAIN_AGENT:
                    self._start_answer()
                case TurnOpened():
                    if isinstance(event.trigger, UnseenTrigger) and self._is_turn_requested:
                        event = TurnOpened(UserInput(self._prompt))  # noqa: PLW2901 - the stream does not show it
                    self._injector.injected_texts.clear()
                    self._in_turn, self._is_turn_requested, self._interrupts, self._has_run_call = True, False, 0, False
                    self.driver.has_permitted_call = False
                case ToolResultSeen():
                    self._handle_call_result(event)
                case TurnClosed():
                    if self._continues(event):
                        continue
                    self._in_turn, self._is_turn_requested = False, False
                    self._correction, self.outcome = None, event.outcome
                    self._turns.is_merging = False
                    self._violating_calls.clear()
            notices = self._observer.feed([event], self._now)
            self._views += notices
            if triggers := [notice for notice in notices if isinstance(notice, TriggerNotice)]:
                self._react_to_triggers(triggers)

    def _continues(self, event: TurnClosed) -> bool:
        """Returns whether the turn continues in the log, because messages of this program are pending."""
        if isinstance(event.outcome, TurnCancelled):
            return False
        if self._injector.reminders:
            if (text := self._injector.reminder(self._now)) is None:
                return False
            self.plans.add((self.driver.inject(text),))
        elif not self.driver.has_queued_message:
            return False
        self._is_turn_requested = True
        self._turns.is_merging = True
        return True

    def _start_answer(self) -> None:
        self._in_turn, self._is_turn_requested = True, False
        if self._correction is None or self._correction.is_sent:
            self._correction = None
            self._turns.is_merging = False

    def _handle_call_result(self, event: ToolResultSeen) -> None:
        # A call of an interrupted answer counts only with a result, because others did not run.
        self._has_run_call |= self._correction is None or isinstance(event.state, CallDone)
        if (ran := self._violating_calls.view_if_finished(event.call, event.state)) is not None:
            self._views.append(ran)
            if self._correction is not None:
                self._correction.call_ran = True

    def _react_to_triggers(self, triggers: list[TriggerNotice]) -> None:
        main = [notice for notice in triggers if notice.event.agent == MAIN_AGENT]
        is_allowed = self._interrupts < self._limits.max_interrupts_of(self.settings)
        is_forbidden = is_allowed and any(notice.event.interrupts for notice in main)
        if is_forbidden and self.driver.can_interrupt(main[0].event.source, has_run_call=self._has_run_call):
            is_forbidden = self._interrupt(main)
            triggers = [notice for notice in triggers if notice not in main]
        for notice in main:
            self._violating_calls.add(notice, is_forbidden=is_forbidden)
        self._injector.reminders.update((notice.rule.path, notice.rule) for notice in triggers)
        can_remind = self._injector.reminders and self.driver.capabilities.queues
        if can_remind and (text := self._injector.reminder(self._now)) is not None:
            self.plans.add(self.driver.remind(text))

    def _interrupt(self, triggers: list[TriggerNotice]) -> bool:
        """Interrupts the answer and injects all of the rules. False: the interruption could not be recorded."""
        if (correction := self._correction) is not None:
            if not correction.is_sent:
                correction.add(triggers)
            return True
        call_runs = triggers[0].event.source is Source.TOOL and not self.driver.asks_before_calls
        is_fresh = not self._has_run_call and not call_runs
        can, may_run = self.driver.capabilities, self.driver.has_permitted_call
        context = supported_mode(context_mode_of(triggers, self.settings), can, is_fresh=is_fresh, may_run=may_run)
        correction = Correction(triggers, call_ran=call_runs)
        is_recorded, notices = self._observer.interrupt(correction.rules_by_name, context, self._now)
        self._views += notices
        if not is_recorded:
            return False
        self._interrupts += 1
        self._correction = correction
        self._turns.is_merging = True
        self._views.append(AgentInterrupted(correction.rules_by_name, context is ContextMode.DISCARD, call_runs))
        self.plans.add(interrupt_plan(self.driver, context, partial(self._injection, correction)))
        return True

    def _injection(self, correction: Correction, steers: bool, again: bool) -> Plan:
        """Returns the step that injects. Its text is built and recorded when the step is sent."""
        sent: list[PlanStep] = []

        def make() -> tuple[ToAgent, ...]:
            injected = self._injector.interrupt(correction, self._interrupts, self._now)
            if injected is None and steers:  # The message would also interrupt, so the agent continues by itself.
                self._correction = None
                self._turns.is_merging = False
                return ()
            text = injected or GO_ON
            if again and self.driver.has_removed_answer:  # The prompt and earlier rules were removed, too.
                text = "\n\n".join([self._prompt, *self._injector.injected_texts])
            self._turns.add_sent(text)
            sent.append(self.driver.steer(text) if steers else self.driver.inject(text))
            return sent[0].make()

        return (PlanStep("inject", make, lambda message: not sent or sent[0].is_answered(message)),)
