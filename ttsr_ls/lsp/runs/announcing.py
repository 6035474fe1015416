"""Messages about triggers: the first almost at once, and one message for all triggers that follow soon after."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
    from ttsr_ls.lsp.server import Server

MOMENT = 0.2
"""Seconds before a message, in which the denial of a call is recorded after its trigger."""
INTERVAL = 3.0
"""Seconds between two messages."""


class Announcer:
    """Shows messages about triggers to the user. Used on the loop."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._waiting: list[LiveTrigger] = []
        self._timer: asyncio.TimerHandle | None = None

    def announce(self, trigger: LiveTrigger) -> None:
        """Shows a trigger after `MOMENT`, or together with others when the last message is `INTERVAL` old."""
        self._waiting.append(trigger)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(MOMENT, self._show)

    def close(self) -> None:
        """Drops the waiting triggers, and shows no more messages."""
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _show(self) -> None:
        from ttsr_ls.ide.triggers.trigger_text import notification_of_triggers

        self._timer = None
        if self._waiting:
            # The newest versions: the outcome of a trigger becomes known after the rule fired.
            newest = {(one.log, one.sequence, one.rule_path): one for one in self._server.board.triggers}
            triggers = [newest.get((one.log, one.sequence, one.rule_path), one) for one in self._waiting]
            self._waiting = []
            self._server.notify_user(types.MessageType.Info, notification_of_triggers(triggers))
            self._timer = asyncio.get_running_loop().call_later(INTERVAL, self._show)
