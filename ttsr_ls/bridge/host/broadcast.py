"""Sends the events of a session to listeners. A slow listener does not delay the session or other listeners."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from weakref import WeakSet

from ttsr_ls.bridge.host.events import SessionEvent

MAX_BUFFERED = 10_000
"""So many events wait for a listener at most; the oldest go first."""

MAX_UNSENT = 1000
"""So many are kept for the first listener: a session can fail while it is opened, before anybody can listen."""


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
        self._listening: WeakSet[EventSubscription] = WeakSet()  # Who stops listening is forgotten.
        self._called: list[Callable[[SessionEvent], None]] = []
        self._unsent: deque[SessionEvent] = deque(maxlen=MAX_UNSENT)
        self._closed = False

    def send(self, event: SessionEvent) -> None:
        """Sends an event to all listeners. After `close` there are no further events."""
        if self._closed:
            return
        if not self._listening and not self._called:
            self._unsent.append(event)
        for listening in tuple(self._listening):
            listening.send(event)
        for listener in tuple(self._called):
            self._call(listener, event)

    def listen(self) -> EventSubscription:
        """Returns the events from now on, after those that no listener was notified of."""
        listening = EventSubscription()
        self._listening.add(listening)
        while self._unsent:
            listening.send(self._unsent.popleft())
        if self._closed:  # A task that was to listen may begin only when the session is over.
            listening.close()
        return listening

    def call(self, listener: Callable[[SessionEvent], None]) -> None:
        """Calls `listener` for each event from now on, and at once for those that no listener was notified of."""
        self._called.append(listener)
        while self._unsent:
            self._call(listener, self._unsent.popleft())

    def _call(self, listener: Callable[[SessionEvent], None], event: SessionEvent) -> None:
        """A listener that raises is called no more; its error goes where the event loop takes such."""
        if listener not in self._called:
            return
        try:
            listener(event)
        except (Exception, asyncio.CancelledError) as error:  # Foreign code; nobody can cancel it from outside.
            self._called.remove(listener)
            context = {"message": "a listener of a session raised an exception and was removed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)

    def close(self) -> None:
        """Ends the stream of events, also for those who begin to listen later."""
        self._closed = True
        for listening in tuple(self._listening):
            listening.close()
