"""The report of `watch` on a terminal: the triggers as lines, and below them a live view of the turn."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import PurePath
from typing import TextIO

from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.cli.printing.live_area import LiveArea
from ttsr_ls.cli.printing.terminal import TextStyle
from ttsr_ls.cli.watch.trigger_report import TriggerReport
from ttsr_ls.cli.watch.turn_panel import PanelLine, TurnPanel
from ttsr_ls.session.output.agent_events import AgentEvent


class LiveReport(TriggerReport):
    """Prints on `terminal`; `started` is in milliseconds since the epoch, `rules` is how many rules are matched."""

    def __init__(self, terminal: TextIO, started_at: int, cwd: PurePath, rules: int) -> None:
        self._terminal = terminal
        self._began = started_at / 1000
        self._panel = TurnPanel(rules)
        self._shown: tuple[PanelLine, ...] = self._panel.lines()
        self._area = LiveArea(terminal, self._view)
        self._is_open = True
        super().__init__(self._area.stream, started_at, cwd)
        self._area.__enter__()

    def follow(self, events: Iterable[AgentEvent]) -> None:
        """Updates the view with an event of the agent."""
        followed = list(events)
        self._panel.follow(followed)
        self._refresh()
        super().follow(followed)

    def show(self, notices: Iterable[Notice]) -> None:
        shown = list(notices)
        self._panel.count(shown)
        self._refresh()
        super().show(shown)

    def summary(self, now: int, *, is_input_empty: bool = False) -> None:
        """Removes the view and prints the summary."""
        self.close()
        super().summary(now, is_input_empty=is_input_empty)

    def close(self) -> None:
        """Removes the view. What is printed later is printed plainly."""
        if self._is_open:
            self._is_open = False
            self._area.__exit__(None, None, None)
            self._stream = self._terminal

    def _refresh(self) -> None:
        # The thread that paints reads this tuple alone, never the panel.
        self._shown = self._panel.lines()

    def _view(self) -> list[tuple[str, TextStyle | None]]:
        head, *rest = self._shown
        minutes, seconds = divmod(max(int(time.time() - self._began), 0), 60)
        first = (f"── {minutes}:{seconds:02} · {head.text} ──", head.style)
        return [first, *((line.text, line.style) for line in rest)]
