"""Carries out the answers of features in an exchange. Each is recorded before it takes effect."""

from __future__ import annotations

from collections import deque
from enum import Enum, auto

from ttsr_ls.bridge.proxy.answer_matching import AnswerMatching
from ttsr_ls.bridge.proxy.features.answered_calls import answered_messages, answered_text
from ttsr_ls.bridge.proxy.features.questions import (
    AnswerFinished,
    AnswerReviewed,
    CallAllowed,
    CallAnswered,
    CallFinished,
    HookDemand,
    RequestAnswer,
    RequestPrepared,
    StepContext,
)
from ttsr_ls.bridge.proxy.ledger.entry import ToolEntry, ToolsOfferedEntry
from ttsr_ls.bridge.proxy.proxy_notices import CallsAnswered, FollowUpAdded, ProtectionFailed
from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.proxy.request_edits import InjectedText, RequestEdits
from ttsr_ls.bridge.proxy.requests.conversation import Conversation
from ttsr_ls.bridge.proxy.streams.stream_editor import SentPart, StreamEditor
from ttsr_ls.bridge.proxy.wires import ProxyWire
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import CallAbandoned, CallRefused, FeatureRecorded, ToolCall
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.lifecycle.rule_state import recorded_rules
from ttsr_ls.store.log.errors import LogWriteError

NO_FURTHER_REQUEST = "ttsr-ls: features answered calls of this answer, and the model cannot be asked again."
"""The error for the client when the results of calls cannot be sent to the model."""

_NOT_DELIVERED = CallAbandoned("the model was asked again before the agent had this call")


class CallStep(Enum):
    """The next step of an attempt after a tool call was allowed or answered."""

    CONTINUE = auto()
    """The attempt continues."""
    HOLD = auto()
    """The attempt continues, and nothing more of it is released."""
    REPEAT = auto()
    """The attempt ends here: the request is made again, with the results of the calls."""
    END = auto()
    """The answer ends here, after the calls that the client has; the results follow with the next request."""


class FeatureSteps:
    """Asks the features of one exchange and carries out their answers. `demand` says at which points they are asked."""

    def __init__(
        self,
        session: ProxySession,
        wire: ProxyWire,
        conversation: Conversation,
        edits: RequestEdits,
        stream: StreamEditor,
        answer_matching: AnswerMatching,
        demand: HookDemand,
    ) -> None:
        self.demand = demand
        self._session = session
        self._wire = wire
        self._conversation = conversation
        self._edits = edits
        self._stream = stream
        self._matching = answer_matching
        self._calls: deque[ToolCall] = deque()
        self._answered: list[CallAnswered] = []
        self._has_allowed = False
        """True if features allowed a tool call of the current attempt: the client gets it."""

    @property
    def has_answered(self) -> bool:
        """True if a feature answered a tool call of the current attempt in place of the client."""
        return bool(self._answered)

    @property
    def answered_text(self) -> str:
        """The results of the answered calls of the current attempt, as text; blank where there are none."""
        return answered_text(self._answered)

    def forget_calls(self) -> None:
        """Forgets the tool calls of an ended attempt, whose results are in the next request."""
        self._answered = []
        self._has_allowed = False
        self._calls.clear()

    def opening_question(self) -> RequestPrepared | None:
        """Returns the question before the first attempt; None if features need none."""
        if not self.demand.requests:
            return None
        return RequestPrepared(self._context, self._session.latest_tool_results(self._conversation))

    def offer_tools(self, now: int) -> None:
        """Adds the tools of features to this request and all later ones of the conversation, and records that."""
        root = self._conversation.root
        if self.demand.tools and not self._session.ledger.has_offered_tools(root):
            self._edits.record(ToolsOfferedEntry(root), now)
        self._edits.tools = self.demand.tools

    def add_to_request(self, answer: RequestAnswer, now: int) -> None:
        """Adds the reminders and injections of features to the next request, and records them."""
        log = self._session.log
        try:
            log.record_feature_events(answer.records, now)
            for reminder in answer.reminders:
                entry = ToolEntry(reminder.call, reminder.text)
                agent, rules = self._edits.agent, recorded_rules(reminder.rules, ())
                log.record_reminder_in_result(agent, reminder.call, reminder.text, rules, entry, now, has_content=True)
            for injection in answer.injections:
                self._edits.remind_before_answer(_join_injections((injection,)), now)
        except LogWriteError as error:
            self._show_failure(error)

    def next_call_question(self) -> CallFinished | None:
        """Returns the question about the next complete tool call; None if there is no such call."""
        if self.demand.calls:
            self._calls.extend(self._matching.take_calls())
        if not self._calls:
            return None
        return CallFinished(self._context, self._calls.popleft(), bool(self.demand.tools))

    def step_after_call(self, answer: CallAllowed | CallAnswered, now: int) -> CallStep:
        """Returns how the attempt continues after the features' answer about a call."""
        if isinstance(answer, CallAllowed):
            if self._answered and not self._has_allowed:
                return CallStep.REPEAT
            self._record(answer.records, now)
            self._has_allowed = True
            return CallStep.CONTINUE
        self._answered.append(self._record_answer(answer, now))
        if self._stream.has_sent_call:
            return CallStep.END
        return CallStep.HOLD

    def step_after_frame(self, *, is_last: bool) -> CallStep:
        """Returns how the attempt continues after all calls of a frame are decided.

        `is_last`: the frame ends the answer.
        """
        return CallStep.REPEAT if self._answered and (self._has_allowed or is_last) else CallStep.CONTINUE

    def continue_after_calls(self, now: int) -> bytes | None:
        """Records the results of the calls and returns the HTTP body of the next request. None: no further request."""
        answers, mixed = self._answered, self._has_allowed
        self.forget_calls()
        if not self._session.may_answer_calls():
            self._session.show(
                ProtectionFailed("An answer was ended, because features answered too many calls of this turn.")
            )
            return None
        self._session.show(_notice(answers))
        by_call = {answer.call.id for answer in answers}
        for part in self._matching.output:
            if isinstance(part, ToolCall) and part.id not in by_call:
                self._matching.record_call_result(part.id, _NOT_DELIVERED, now)
        try:
            if mixed:
                injected_text = InjectedText(InjectionKind.NOTE, answered_text(answers), (), has_content=True)
                return self._edits.retry(
                    injected_text, ContextMode.DISCARD, self._matching, self._stream.attempt + 2, now
                )
            messages = answered_messages(self._wire.api, self._matching.output, answers)
            return self._edits.record_answered_calls(messages, self._matching, now)
        except LogWriteError as error:
            self._show_failure(error)
            return None

    def end(self, now: int) -> None:
        """Records that the next request of the client carries the results of the calls."""
        answers, self._answered = self._answered, []
        self._session.show(_notice(answers))
        injected_text = InjectedText(InjectionKind.NOTE, answered_text(answers), (), has_content=True)
        try:
            self._edits.inject_in_next_request(injected_text, self._stream.sent_parts(), now)
        except LogWriteError as error:
            self._show_failure(error)

    def answer_question(self) -> AnswerFinished | None:
        """Returns the question about a complete answer; None if features need none."""
        if not self.demand.answers:
            return None
        can_retry = self._session.may_follow_up()
        return AnswerFinished(
            self._context, tuple(self._matching.output), can_retry, ends_turn=not self._matching.calls
        )

    def review(self, reviewed: AnswerReviewed, parts: list[SentPart], now: int, *, is_whole: bool) -> bytes | None:
        """Injects texts of features after an answer.

        Returns the HTTP body of a further request; None: the answer ends here.
        """
        self._record(reviewed.records, now)
        if not reviewed.injections or not self._session.may_follow_up(counts=True):
            return None
        injected_text = _join_injections(reviewed.injections)
        self._session.show(FollowUpAdded(injected_text.names))
        try:
            if self._wire.can_keep and not self._matching.calls and parts and not is_whole:
                attempt = self._stream.attempt + 2
                return self._edits.retry(injected_text, ContextMode.KEEP, self._matching, attempt, now)
            self._edits.inject_in_next_request(injected_text, parts, now)
        except LogWriteError as error:
            self._show_failure(error)
        return None

    @property
    def _context(self) -> StepContext:
        position = self._session.observer.position(self._edits.agent)
        return StepContext(position.turn, position.step, self._edits.agent)

    def _record_answer(self, answer: CallAnswered, now: int) -> CallAnswered:
        """Records the answer and returns it. If that fails, the result is "Nothing was done": tools act by records."""
        try:
            self._session.log.record_feature_events(answer.records, now)
        except LogWriteError as error:
            if not (isinstance(answer.state, CallRefused) and answer.state.denied_by):
                answer = CallAnswered(answer.call, CallRefused(f"Nothing was done: {error}"), answer.feature)
            self._show_failure(error)
        self._matching.record_call_result(answer.call.id, answer.state, now)
        return answer

    def _record(self, records: tuple[FeatureRecorded, ...], now: int) -> None:
        try:
            self._session.log.record_feature_events(records, now)
        except LogWriteError as error:
            self._show_failure(error)

    def _show_failure(self, error: LogWriteError) -> None:
        self._session.show(ProtectionFailed(f"Decisions of features could not be recorded: {error}."))


def _notice(answers: list[CallAnswered]) -> CallsAnswered:
    denied = (
        answer.call.tool for answer in answers if isinstance(answer.state, CallRefused) and answer.state.denied_by
    )
    return CallsAnswered(tuple(answer.call.tool for answer in answers), tuple(denied))


def _join_injections(injections: tuple[PendingInjection, ...]) -> InjectedText:
    rules = dict.fromkeys(rule for injection in injections for rule in recorded_rules(injection.rules, ()))
    records = tuple(record for injection in injections for record in injection.feature_records)
    text = "\n\n".join(injection.text for injection in injections)
    # Only injections of rules name rules; the texts of other features may quote the conversation.
    has_content = not all(injection.rules for injection in injections)
    return InjectedText(injections[0].purpose, text, tuple(rules), records, has_content)
