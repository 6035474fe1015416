"""Each listener gets each event once. The first one also gets the events from before it subscribed."""

from __future__ import annotations

import asyncio

from ttsr_ls.bridge.host.broadcast import MAX_UNSENT, Broadcast
from ttsr_ls.bridge.host.events import LogFailed, RequestRetried, SessionEvent
from ttsr_ls.bridge.host.logs import OpenLog
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.turn_log import LogWriteError


def test_each_listener_gets_each_event_once_and_in_order() -> None:
    broadcast = Broadcast()
    first: list[SessionEvent] = []
    second: list[SessionEvent] = []
    broadcast.call(first.append)
    broadcast.send(RequestRetried(1))
    broadcast.call(second.append)
    broadcast.send(RequestRetried(2))
    assert first == [RequestRetried(1), RequestRetried(2)]
    assert second == [RequestRetried(2)]


def test_the_first_listener_gets_the_events_from_before_it_subscribed() -> None:
    broadcast = Broadcast()
    received: list[SessionEvent] = []
    broadcast.send(RequestRetried(1))
    broadcast.call(received.append)
    broadcast.call(received.append)
    assert received == [RequestRetried(1)]


async def test_an_iterating_listener_gets_earlier_events_and_ends_with_the_session() -> None:
    broadcast = Broadcast()
    broadcast.send(RequestRetried(1))
    listening = broadcast.listen()
    broadcast.send(RequestRetried(2))
    broadcast.close()
    assert [event async for event in listening] == [RequestRetried(1), RequestRetried(2)]


def test_unsent_events_are_limited() -> None:
    broadcast = Broadcast()
    received: list[SessionEvent] = []
    for number in range(MAX_UNSENT + 5):
        broadcast.send(RequestRetried(number))
    broadcast.call(received.append)
    assert received == [RequestRetried(number) for number in range(5, MAX_UNSENT + 5)]


async def test_a_log_failure_during_opening_is_reported_to_the_first_listener() -> None:
    class Full(NullLog):
        def append(self, event: TurnEvent, time: int) -> Record:
            raise LogWriteError("the disk is full")

    received: list[SessionEvent] = []
    async with await Session.open(log=OpenLog(Full(), (), (), lambda: None)) as session:
        session.on_event(received.append)
        assert received == [LogFailed("the disk is full")]


async def test_a_listener_after_the_end_gets_the_unsent_events_and_the_end() -> None:
    broadcast = Broadcast()
    broadcast.send(RequestRetried(1))
    broadcast.close()
    broadcast.send(RequestRetried(2))
    async with asyncio.timeout(5):
        assert [event async for event in broadcast.listen()] == [RequestRetried(1)]
        assert [event async for event in broadcast.listen()] == []


async def test_a_listener_that_raises_cancelled_error_cancels_no_task() -> None:
    broadcast = Broadcast()
    received: list[SessionEvent] = []
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))

    def listener(event: SessionEvent) -> None:
        received.append(event)
        raise asyncio.CancelledError

    broadcast.call(listener)
    broadcast.send(RequestRetried(1))
    broadcast.send(RequestRetried(2))
    assert received == [RequestRetried(1)]
    assert [type(error) for error in reported] == [asyncio.CancelledError]
