"""One request of a client and its answer, through all attempts: a state machine without sockets and clocks.

Bytes of the upstream answer go in, actions for the shell come out. Nothing is released to the client before the rules
saw it, and nothing about an interruption is done before it is on record.
"""

from __future__ import annotations

from enum import Enum, auto

from ttsr_ls.bridge.proxy.actions import EndAnswer, Forward, ProxyAction, RetryRequest
from ttsr_ls.bridge.proxy.answer_matching import AnswerMatching
from ttsr_ls.bridge.proxy.enforcement import Enforcement
from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.proxy.requests.conversation import Conversation
from ttsr_ls.bridge.proxy.requests.fragments import RequestUnreadable, read_object
from ttsr_ls.bridge.proxy.streams.frame_role import NEUTRAL, FrameKind, PartKind
from ttsr_ls.bridge.proxy.streams.hold_back import HeldFrame, HoldBack
from ttsr_ls.bridge.proxy.streams.sse_frames import SseFrame, SseFramer
from ttsr_ls.bridge.proxy.streams.stream_editor import EventUnreadable
from ttsr_ls.bridge.proxy.wires import ProxyWire
from ttsr_ls.bridge.watch.notices import TriggerNotice


class _Phase(Enum):
    READING = auto()
    FINISHING = auto()
    OVER = auto()


class ProxyExchange:
    """One request. `body` is as the client sent it, and `conversation` what was read of it.

    `given_agent` is what the client calls the agent that asks, blank where it does not say. `refuses_unread`: an event
    that cannot be read ends the answer, and is not passed on.
    """

    def __init__(
        self,
        session: ProxySession,
        wire: ProxyWire,
        body: bytes,
        conversation: Conversation,
        given_agent: str,
        now: int,
        *,
        refuses_unread: bool = False,
    ) -> None:
        self._session = session
        self._refuses_unread = refuses_unread
        self._wire = wire
        self._agent = session.enter(conversation, given_agent, now)
        self._stream = wire.make_stream(conversation.fields)
        self._framer = SseFramer()
        self._hold = HoldBack(session.window())
        self._matching = AnswerMatching(session, wire.api, self._agent)
        self._enforcement = Enforcement(session, wire, body, conversation, self._stream)
        self._enforcement.agent = self._agent
        self._phase = _Phase.READING
        self._written: list[bytes] = []
        self._next_body: bytes | None = None
        self.body = self._enforcement.upstream_body()
        """The body of the request for upstream."""
        self._is_passive = not session.rules and not self._enforcement.is_spliced
        self.unread_events = 0
        """Events that could not be read."""

    @property
    def attempt(self) -> int:
        """The number of the attempt under way, from 0."""
        return self._stream.attempt

    @property
    def keep_alive(self) -> bytes:
        """What the client may be sent while it waits for something that is held back; empty where it does not wait."""
        is_waiting = self._phase is _Phase.READING and (self._stream.attempt > 0 or not self._hold.is_empty)
        return self._stream.keep_alive if is_waiting else b""

    def feed(self, data: bytes, now: int) -> ProxyAction:
        """More of the upstream answer, a stream of events. `now` is in milliseconds since the Unix epoch."""
        if self._is_passive:
            return Forward(data)
        for frame in self._framer.feed(data):
            self._frame(frame, now)
            if self._next_body is not None or self._phase is _Phase.OVER:
                break
        return self._action()

    def finish(self, now: int) -> ProxyAction:
        """The upstream answer is over, or was cut off: what is held goes to the client as it is.

        A call that is not complete is not released where clients would run it.
        """
        if self._phase is not _Phase.OVER and not self._is_passive:
            for frame in self._hold.release_all():
                if frame.role.part_kind is not PartKind.CALL or not self._wire.runs_unclosed_calls:
                    self._write(frame, now)
            self._written.append(self._framer.finish())
        self._phase = _Phase.OVER
        return self._action()

    def whole(self, body: bytes, now: int) -> ProxyAction:
        """The whole upstream answer, where it is one JSON object."""
        if self._is_passive:
            return EndAnswer(body)
        try:
            value = read_object(body)
        except RequestUnreadable:
            self.unread_events += 1
            return EndAnswer(body)
        triggers = [each for event in self._wire.whole.events(value) for each in self._matching.feed(event, now)]
        interrupting = [trigger for trigger in triggers if trigger.event.interrupts]
        if interrupting:
            retried = self._enforcement.retry(triggers, self._matching, now)
            if retried is not None:
                self._stream.restart()
                return RetryRequest(b"", retried)
        else:
            self._enforcement.remind(triggers)
        self._enforcement.completed(self._wire.whole.parts(value), now)
        return EndAnswer(body)

    def refused(self, message: str, *, is_invalid: bool, now: int) -> ProxyAction:
        """Upstream refused a retry, because of what it says if it `is_invalid`.

        The answer ends with an error in the form of the wire, unless the reminder has another form to try.
        """
        body = self._enforcement.in_plain_form(now) if is_invalid else None
        if body is not None:
            return RetryRequest(b"", body)
        self._phase = _Phase.OVER
        return EndAnswer(self._stream.fail(message))

    def end(self, now: int) -> None:
        """The exchange is over, however it ended."""
        self._matching.end(now)
        self._session.leave(self._agent, ends_turn=self._matching.ends_turn, now=now)

    def _action(self) -> ProxyAction:
        data = b"".join(self._written)
        self._written.clear()
        if self._next_body is not None:
            body, self._next_body = self._next_body, None
            return RetryRequest(data, body)
        return EndAnswer(data) if self._phase is _Phase.OVER else Forward(data)

    def _frame(self, frame: SseFrame, now: int) -> None:
        try:
            event, role = self._stream.read(frame)
        except EventUnreadable:
            self.unread_events += 1
            if self._refuses_unread:
                self._end(self._stream.fail("ttsr-ls refuses this answer, because it cannot read an event of it."))
                return
            event, role = None, NEUTRAL
        is_end = role.kind is FrameKind.FINISH
        if not is_end:
            self._hold.push(frame.raw, event, role)
        if event is not None:
            triggers = self._matching.feed(event, now)
            if triggers and self._interrupts(triggers, now):
                return
        is_first_end = is_end and self._phase is _Phase.READING
        if is_first_end:
            self._phase = _Phase.FINISHING
            self._write_all(now)
            self._continue(self._enforcement.complete(self._matching, now))
            if self._next_body is not None:
                return
        if is_end:
            self._hold.push(frame.raw, event, role)
        for each in self._hold.release():
            self._write(each, now)
        if is_first_end:
            self._enforcement.completed(self._stream.shown(), now)
        elif self._hold.size > self._session.limits.held:
            self._end(self._stream.fail("ttsr-ls: a part of the answer is too long to be held back."))

    def _interrupts(self, triggers: list[TriggerNotice], now: int) -> bool:
        """Whether the answer is interrupted because of what fired in the last frame."""
        if not any(trigger.event.interrupts for trigger in triggers):
            self._enforcement.remind(triggers)
            return False
        if self._stream.has_shown_call:
            if not self._enforcement.end_early(triggers, now):
                return False
            self._matching.interrupt(now)
            self._end(self._stream.end_early())
            return True
        if self._enforcement.keeps(triggers):
            for each in self._hold.release_text():
                self._write(each, now)
        self._continue(self._enforcement.retry(triggers, self._matching, now))
        return self._next_body is not None

    def _continue(self, body: bytes | None) -> None:
        """Makes the request again with `body`; None: the answer goes on."""
        if body is None:
            return
        self._next_body = body
        self._written.append(self._stream.restart())
        self._hold.drop()
        self._framer = SseFramer()
        self._phase = _Phase.READING

    def _end(self, last: bytes) -> None:
        self._hold.drop()
        self._written.append(last)
        self._phase = _Phase.OVER

    def _write_all(self, now: int) -> None:
        for each in self._hold.release_all():
            self._write(each, now)

    def _write(self, frame: HeldFrame, now: int) -> None:
        self._written.append(self._stream.write(frame))
        if frame.role.kind is FrameKind.CLOSE:
            self._enforcement.note_shown(now)
