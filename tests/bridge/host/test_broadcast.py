"""Listeners are told each event once; what happened before there was a listener is the first one's."""

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


def test_all_listeners_are_told_each_event_once_and_in_order() -> None:
    broadcast = Broadcast()
    first: list[SessionEvent] = []
    second: list[SessionEvent] = []
    broadcast.call(first.append)
    broadcast.send(RequestRetried(1))
    broadcast.call(second.append)
    broadcast.send(RequestRetried(2))
    assert first == [RequestRetried(1), RequestRetried(2)]
    assert second == [RequestRetried(2)]


def test_what_nobody_was_told_of_is_the_first_listeners() -> None:
    broadcast = Broadcast()
    told: list[SessionEvent] = []
    broadcast.send(RequestRetried(1))
    broadcast.call(told.append)
    broadcast.call(told.append)
    assert told == [RequestRetried(1)]


async def test_an_iterating_listener_gets_it_too_and_ends_with_the_session() -> None:
    broadcast = Broadcast()
    broadcast.send(RequestRetried(1))
    listening = broadcast.listen()
    broadcast.send(RequestRetried(2))
    broadcast.close()
    assert [event async for event in listening] == [RequestRetried(1), RequestRetried(2)]


def test_what_nobody_ever_listens_to_does_not_pile_up() -> None:
    broadcast = Broadcast()
    told: list[SessionEvent] = []
    for number in range(MAX_UNSENT + 5):
        broadcast.send(RequestRetried(number))
    broadcast.call(told.append)
    assert told == [RequestRetried(number) for number in range(5, MAX_UNSENT + 5)]


async def test_a_log_that_fails_while_a_session_is_opened_is_told() -> None:
    class Full(NullLog):
        def append(self, event: TurnEvent, time: int) -> Record:
            raise LogWriteError("the disk is full")

    told: list[SessionEvent] = []
    async with await Session.open(log=OpenLog(Full(), (), (), lambda: None)) as session:
        session.on_event(told.append)
        assert told == [LogFailed("the disk is full")]


async def test_who_begins_to_listen_after_the_end_gets_what_nobody_was_told_of_and_the_end() -> None:
    broadcast = Broadcast()
    broadcast.send(RequestRetried(1))
    broadcast.close()
    broadcast.send(RequestRetried(2))
    async with asyncio.timeout(5):
        assert [event async for event in broadcast.listen()] == [RequestRetried(1)]
        assert [event async for event in broadcast.listen()] == []


async def test_a_listener_that_raises_a_cancellation_cancels_nobody() -> None:
    broadcast = Broadcast()
    told: list[SessionEvent] = []
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))

    def listener(event: SessionEvent) -> None:
        told.append(event)
        raise asyncio.CancelledError

    broadcast.call(listener)
    broadcast.send(RequestRetried(1))
    broadcast.send(RequestRetried(2))
    assert told == [RequestRetried(1)]
    assert [type(error) for error in reported] == [asyncio.CancelledError]
