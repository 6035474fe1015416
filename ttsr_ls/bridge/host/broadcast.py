"""Sends the events of a session to listeners. A slow listener does not delay the session or other listeners."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from weakref import WeakSet

from ttsr_ls.bridge.host.events import SessionEvent

MAX_BUFFERED = 10_000
"""The most unread events of a listener. Beyond it the oldest are dropped."""

MAX_UNSENT = 1000
"""The most events kept for the first listener: a session can fail while it is opened, before anybody can listen."""


class EventSubscription(AsyncIterator[SessionEvent]):
    """The events that one listener has not read yet."""

    def __init__(self) -> None:
        self._events: deque[SessionEvent] = deque(maxlen=MAX_BUFFERED)
        self._news = asyncio.Event()
        self._over = False

    def send(self, event: SessionEvent) -> None:
        """Adds an event for the listener to read."""
        self._events.append(event)
        self._news.set()

    def close(self) -> None:
        """Ends the stream of events."""
        self._over = True
        self._news.set()

    async def __anext__(self) -> SessionEvent:
        while not self._events:
            if self._over:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._events.popleft()


class Broadcast:
    """The listeners of one session. The first one also gets the events from before it subscribed."""

    def __init__(self) -> None:
        self._subscriptions: WeakSet[EventSubscription] = WeakSet()  # An unused subscription disappears by itself.
        self._callbacks: list[Callable[[SessionEvent], None]] = []
        self._unsent: deque[SessionEvent] = deque(maxlen=MAX_UNSENT)
        self._closed = False

    def send(self, event: SessionEvent) -> None:
        """Sends an event to all listeners. After `close` there are no further events."""
        if self._closed:
            return
        if not self._subscriptions and not self._callbacks:
            self._unsent.append(event)
        for subscription in tuple(self._subscriptions):
            subscription.send(event)
        for listener in tuple(self._callbacks):
            self._call(listener, event)

    def listen(self) -> EventSubscription:
        """Subscribes to the events from now on, after those that no listener was notified of."""
        subscription = EventSubscription()
        self._subscriptions.add(subscription)
        while self._unsent:
            subscription.send(self._unsent.popleft())
        if self._closed:  # The listening task may start only after the session was closed.
            subscription.close()
        return subscription

    def call(self, listener: Callable[[SessionEvent], None]) -> None:
        """Calls `listener` for each event from now on, and at once for those that no listener was notified of."""
        self._callbacks.append(listener)
        while self._unsent:
            self._call(listener, self._unsent.popleft())

    def _call(self, listener: Callable[[SessionEvent], None], event: SessionEvent) -> None:
        """Calls a listener. One that raises is removed, and its error goes to the event loop's exception handler."""
        if listener not in self._callbacks:
            return
        try:
            listener(event)
        except (Exception, asyncio.CancelledError) as error:  # A plain function can raise it, but not be cancelled.
            self._callbacks.remove(listener)
            context = {"message": "a listener of a session raised an exception and was removed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)

    def close(self) -> None:
        """Ends the stream of events, also for later subscriptions."""
        self._closed = True
        for subscription in tuple(self._subscriptions):
            subscription.close()
