"""The state that the hook sessions in one folder share."""

from __future__ import annotations

import threading
import time

from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.matching.streams.matcher_cache import SharedMatching


class HookProject:
    """The state that the sessions in one folder share. Its lock serialises their calls."""

    __slots__ = ("__weakref__", "called", "lock", "matching", "rules")

    def __init__(self) -> None:
        self.called = 0.0
        """The time of the last call, of a monotonic clock."""
        self.lock = threading.Lock()
        self.matching = SharedMatching(shares_searches=True)
        self.rules: ReloadingRules | None = None
        """None until the first session is opened."""

    def reload(self, *, at_once: bool) -> None:
        """Reloads changed rule files. Without `at_once`, the disk is not checked again right after the last check."""
        if self.rules is not None and self.rules.has_changed(time.monotonic(), at_once=at_once):
            self.matching.drop_unused()
