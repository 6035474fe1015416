"""The numbers and the order of events that editor plugins report."""

from __future__ import annotations

import asyncio


class HostedEvents:
    """The last number of an event of `ttsr/event`, and the lock of the notification whose events are being added.

    Many events are added in several turns of the loop. Those of later notifications wait for `in_order`.
    """

    __slots__ = ("in_order", "last")

    def __init__(self) -> None:
        self.in_order = asyncio.Lock()
        self.last = 0
