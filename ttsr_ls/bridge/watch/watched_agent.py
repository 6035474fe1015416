"""One agent of an observed session."""

from __future__ import annotations

from ttsr_ls.session.output.trigger_recorder import TriggerRecorder
from ttsr_ls.session.rules.session_monitor import SessionMonitor


class WatchedAgent:
    """One agent: its monitor, and the recorder of its triggers."""

    __slots__ = ("monitor", "recorder", "undecided")

    def __init__(self, monitor: SessionMonitor, recorder: TriggerRecorder) -> None:
        self.monitor = monitor
        self.recorder = recorder
        self.undecided: set[str] = set()
        """The names of the undecided rules that were reported."""
