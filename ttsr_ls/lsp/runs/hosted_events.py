"""The numbers and the order of events that editor plugins report."""

from __future__ import annotations

import asyncio


class HostedEvents:
    """The last number of an event of `ttsr/event` in each folder, and the lock of a notification that adds events.

    Many events are added in several turns of the loop. Those of later notifications wait for `in_order`.
    """

    __slots__ = ("in_order", "last")

    def __init__(self) -> None:
        self.in_order = asyncio.Lock()
        self.last: dict[str, int] = {}
