"""The delays of the demo."""

from __future__ import annotations

import asyncio

from msgspec import Struct


class Pace(Struct, frozen=True):
    """The delays of the demo, divided by `speed`."""

    speed: float

    async def word(self) -> None:
        """Waits for the time in which a model writes a word."""
        await asyncio.sleep(0.09 / self.speed)

    async def reading(self) -> None:
        """Waits for the time in which a person reads a line or two."""
        await asyncio.sleep(1.4 / self.speed)
