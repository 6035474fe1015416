"""One request of a client and its answer, over all attempts: a state machine without sockets and clocks.

Its input is the bytes of the upstream answer, its output actions for the server. No byte is released to the client
before rules were matched against it, and an interrupt is recorded before it takes effect.
"""

from __future__ import annotations

from collections import deque
from enum import Enum, auto
from typing import Any

from ttsr_ls.bridge.proxy.actions import AskFeatures, EndAnswer, Forward, ProxyAction, RetryRequest
from ttsr_ls.bridge.proxy.answer_matching import AnswerMatching
from ttsr_ls.bridge.proxy.client_answer import ClientAnswer, CurrentFrame
from ttsr_ls.bridge.proxy.enforcement import Enforcement
from ttsr_ls.bridge.proxy.features import questions
from ttsr_ls.bridge.proxy.features.feature_steps import NO_FURTHER_REQUEST, CallStep, FeatureSteps
from ttsr_ls.bridge.proxy.features.hook_demand import hook_demand
from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.proxy.request_edits import RequestEdits
from ttsr_ls.bridge.proxy.requests.conversation import Conversation
from ttsr_ls.bridge.proxy.requests.fragments import RequestUnreadable, read_object
from ttsr_ls.bridge.proxy.streams.frame_role import NEUTRAL, FrameKind, FrameRole
from ttsr_ls.bridge.proxy.streams.sse_frames import SseFrame, SseFramer
from ttsr_ls.bridge.proxy.streams.stream_editor import EventUnreadable
from ttsr_ls.bridge.proxy.wires import ProxyWire
from ttsr_ls.bridge.watch.notices import TriggerNotice


class _Phase(Enum):
    READING = auto()
    FINISHING = auto()
    OVER = auto()


class ProxyExchange:
    """One request. `body` is the client's, unchanged; `conversation` was parsed from it.

    `subagent` is the client's id of the subagent that sent the request, blank for the main agent. `refuses_unread`: an
    event that cannot be read ends the answer, and is not passed on.
    """

    def __init__(
        self,
        session: ProxySession,
        wire: ProxyWire,
        body: bytes,
        conversation: Conversation,
        subagent: str,
        now: int,
        *,
        refuses_unread: bool = False,
    ) -> None:
        self._session = session
        self._refuses_unread = refuses_unread
        self._wire = wire
        self._agent = session.begin_request(conversation, subagent, now)
        self._stream = wire.make_stream(conversation.fields)
        self._framer = SseFramer()
        self._frames: deque[SseFrame] = deque()
        self._matching = AnswerMatching(session, wire.api, self._agent)
        self._edits = RequestEdits(session, wire, body, conversation, self._stream, self._agent)
        self._client = ClientAnswer(self._stream, self._edits, session.hold_back_window())
        self._enforcement = Enforcement(session, wire, self._edits, self._stream)
        demand = hook_demand(session.features, session.ledger, conversation, self._agent, subagent)
        self._steps = FeatureSteps(session, wire, conversation, self._edits, self._stream, self._matching, demand)
        self._steps.offer_tools(now)
        self._phase = _Phase.READING
        self._next_body: bytes | None = None
        self._current: CurrentFrame | None = None
        self._question: questions.FeatureQuestion | None = None
        self.body = self._edits.upstream_body()
        """The body of the request for upstream."""
        self._is_passive = not session.rules and not self._edits.is_spliced and demand.is_empty
        self.unread_events = 0
        """Events that could not be read."""

    @property
    def attempt(self) -> int:
        """The number of the current attempt, from 0."""
        return self._stream.attempt

    @property
    def keep_alive(self) -> bytes:
        """The bytes that keep the client's connection alive while it waits for held frames; empty otherwise."""
        is_held = self._phase is _Phase.READING and (self._stream.attempt > 0 or not self._client.is_released)
        is_waiting = self._question is not None or is_held
        return self._stream.keep_alive if is_waiting else b""

    def opening_question(self) -> questions.FeatureQuestion | None:
        """Returns the question for the features before the request; None: no question."""
        return self._steps.opening_question()

    def feed(self, data: bytes, now: int) -> ProxyAction:
        """Takes more bytes of a streamed upstream answer. `now` is in milliseconds since the Unix epoch."""
        if self._is_passive:
            return Forward(data)
        self._frames.extend(self._framer.feed(data))
        return self._advance(now)

    def handle_feature_answer(self, answer: questions.FeatureAnswer, now: int) -> ProxyAction:
        """Continues with the answer of the features."""
        self._question = None
        match answer:
            case questions.RequestAnswer():
                self._steps.add_to_request(answer, now)
                self.body = self._edits.upstream_body()
                self._is_passive = self._is_passive and not self._edits.is_spliced
            case questions.CallAllowed() | questions.CallAnswered():
                self._apply_step(self._steps.step_after_call(answer, now), now)
                self._decide_calls(now)
            case questions.AnswerReviewed():
                body = self._steps.review(answer, self._client.sent_parts, now, is_whole=self._client.is_non_streaming)
                self._continue(body)
                if body is None:
                    self._release_end(now)
        return self._advance(now)

    def finish(self, now: int) -> ProxyAction:
        """Handles the end of the upstream stream, complete or not: releases the held frames unchanged.

        An incomplete tool call is not released if clients of this API would run it.
        """
        if self._phase is not _Phase.OVER and not self._is_passive:
            keeps_calls = not self._wire.runs_unclosed_calls
            if not self._steps.has_answered:  # After an answered call the rest is dropped: its result was not sent.
                self._client.handle_broken_stream(self._framer.finish(), now, keeps_calls=keeps_calls)
        self._phase = _Phase.OVER
        return self._action()

    def handle_non_streaming(self, body: bytes, now: int) -> ProxyAction:
        """Takes an upstream answer that is one JSON object instead of a stream."""
        if self._is_passive:
            return EndAnswer(body)
        try:
            value = read_object(body)
        except RequestUnreadable:
            self.unread_events += 1
            return EndAnswer(body)
        triggers = [notice for event in self._wire.whole.events(value) for notice in self._matching.feed(event, now)]
        if any(trigger.event.interrupts for trigger in triggers):
            self._continue(self._enforcement.retry(triggers, self._matching, now))
            if self._next_body is not None:
                return self._action()
        else:
            self._enforcement.remind(triggers)
        self._client.hold_non_streaming(body, self._wire.whole.parts(value))
        self._current = CurrentFrame(b"", None, NEUTRAL, is_first_end=True)
        self._decide_calls(now)
        return self._action()

    def handle_refused_retry(self, message: str, *, is_invalid: bool, now: int) -> ProxyAction:
        """Handles a retry that upstream refused; `is_invalid`: because of the retry's content.

        Ends the answer with an error in the format of the API, unless the reminder can be sent in another form.
        """
        body = self._edits.body_without_system_messages(now) if is_invalid else None
        if body is not None:
            return RetryRequest(b"", body)
        self._phase = _Phase.OVER
        return EndAnswer(self._stream.fail(message))

    def end(self, now: int) -> None:
        """Ends the exchange, in any state."""
        self._matching.end(now)
        self._session.end_request(self._agent, ends_turn=self._matching.ends_turn, now=now)

    def _advance(self, now: int) -> ProxyAction:
        while self._frames and self._question is None and self._next_body is None and self._phase is not _Phase.OVER:
            self._handle_frame(self._frames.popleft(), now)
        return self._action()

    def _action(self) -> ProxyAction:
        data = self._client.take()
        if self._next_body is not None:
            body, self._next_body = self._next_body, None
            return RetryRequest(data, body)
        if self._question is not None:
            return AskFeatures(data, self._question)
        return EndAnswer(data) if self._phase is _Phase.OVER else Forward(data)

    def _handle_frame(self, frame: SseFrame, now: int) -> None:
        try:
            event, role = self._stream.read(frame)
        except EventUnreadable:
            self.unread_events += 1
            if self._refuses_unread:
                self._fail("ttsr-ls refuses this answer, because it cannot read an event of it.")
                return
            event, role = None, NEUTRAL
        is_first_end = role.kind is FrameKind.FINISH and self._phase is _Phase.READING
        if role.kind is not FrameKind.FINISH:
            self._client.push(frame.raw, event, role)
        triggers = [] if event is None else self._matching.feed(event, now)
        if triggers and self._interrupts(triggers, now):
            return
        if is_first_end or self._steps.demand.calls:
            self._current = CurrentFrame(frame.raw, event, role, is_first_end)
            self._decide_calls(now)
        else:
            self._release(frame.raw, event, role, now)

    def _decide_calls(self, now: int) -> None:
        """Asks features about the tool calls that the current frame completes; then the frame may be released."""
        if self._current is None or self._phase is _Phase.OVER:
            return
        if (question := self._steps.next_call_question()) is not None:
            self._question = question
            return
        self._apply_step(self._steps.step_after_frame(is_last=self._current.is_first_end), now)
        if self._current is None:
            return
        if not self._current.is_first_end:
            current, self._current = self._current, None
            self._release(current.raw, current.event, current.role, now)
            return
        self._phase = _Phase.FINISHING
        if not self._client.is_non_streaming:
            self._client.release_all(now)
            self._continue(self._enforcement.complete(self._matching, now))
            if self._next_body is not None:
                return
        self._question = self._steps.answer_question()
        if self._question is None:
            self._release_end(now)

    def _apply_step(self, step: CallStep, now: int) -> None:
        match step:
            case CallStep.CONTINUE:
                pass
            case CallStep.HOLD:
                self._client.freeze()
            case CallStep.REPEAT:
                body = self._steps.continue_after_calls(now)
                self._current = None
                if body is None:
                    self._fail(NO_FURTHER_REQUEST)
                else:
                    self._continue(body)
            case CallStep.END:
                self._steps.end(now)
                self._current = None
                self._matching.end_complete_attempt(now)
                self._end(self._stream.end_early())

    def _release_end(self, now: int) -> None:
        """Releases the first frame that ends the answer, or the whole answer."""
        current, self._current = self._current, None
        if self._client.is_non_streaming:
            self._enforcement.record_complete(self._client.sent_parts, now)
            self._client.release_non_streaming()
            self._phase = _Phase.OVER
        elif current is not None:
            self._release(current.raw, current.event, current.role, now)
            self._enforcement.record_complete(self._client.sent_parts, now)

    def _release(self, raw: bytes, event: Any, role: FrameRole, now: int) -> None:
        if role.kind is FrameKind.FINISH:
            self._client.push(raw, event, role)
        if self._client.release(now) > self._session.limits.held:
            self._fail("ttsr-ls: a part of the answer is too long to be held back.")

    def _interrupts(self, triggers: list[TriggerNotice], now: int) -> bool:
        """Acts on the triggers of the last frame. Returns whether they interrupt the answer."""
        if not any(trigger.event.interrupts for trigger in triggers):
            self._enforcement.remind(triggers)
            return False
        if self._stream.has_sent_call:
            if not self._enforcement.end_early(triggers, now):
                return False
            self._matching.end_interrupted_attempt(now)
            self._end(self._stream.end_early())
            return True
        if self._enforcement.keeps_answer(triggers):
            self._client.release_text(now)
        body = self._enforcement.retry(triggers, self._matching, now, self._steps.answered_text)
        self._continue(body)
        return body is not None

    def _continue(self, body: bytes | None) -> None:
        """Makes the request again with `body`; None: the answer continues."""
        if body is None:
            return
        self._next_body = body
        self._client.restart()
        self._steps.forget_calls()
        self._current = None
        self._framer = SseFramer()
        self._frames.clear()
        self._phase = _Phase.READING

    def _fail(self, message: str) -> None:
        self._client.fail(message)
        self._phase = _Phase.OVER

    def _end(self, last: bytes) -> None:
        self._client.end(last)
        self._phase = _Phase.OVER
