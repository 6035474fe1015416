"""Decides when a conversation is too long for the model's context window, and how to shorten it. Pure.

Old results are trimmed first, which loses the least. If the next answer shows that this was not enough, the history is
compacted.
"""

from __future__ import annotations

from enum import Enum

from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.projection.trimming import Trimming

THRESHOLD = 0.8
"""The filled part of the context window at which the history is shortened. The rest is for the next answer and its
results."""

OLD_RESULTS = Trimming(answers_kept=5, longest_result=500)
"""The trimming before the history is compacted."""

ALL_RESULTS = Trimming(answers_kept=0, longest_result=200)
"""The trimming of the request for a summary after a prompt was too long."""


class MakeRoom(Enum):
    """The ways to shorten the next request."""

    NOTHING = "nothing is needed"
    TRIM = "leave old results out"
    COMPACT = "compact the history"


class ContextWindow:
    """Tracks how full the window is. `size` is in tokens; None if unknown: then nothing is shortened in advance."""

    def __init__(self, size: int | None) -> None:
        self._size = size
        self._is_trimmed = False
        self._is_compacted = False
        """True from a compaction until the next answer."""
        self._is_off = False
        """True if compacting failed or did not help. It is retried when an answer fits or the history is shorter."""

    def after_answer(self, usage: Usage | None) -> MakeRoom:
        """Returns the step to take before the next request, after an answer with this usage."""
        if self._size is None or usage is None:
            return MakeRoom.NOTHING
        was_compacted, self._is_compacted = self._is_compacted, False
        if usage.prompt_tokens + usage.output_tokens < THRESHOLD * self._size:
            self._is_off = False
            return MakeRoom.NOTHING
        self._is_off |= was_compacted
        if self._is_off:
            return MakeRoom.NOTHING
        if self._is_trimmed:
            return MakeRoom.COMPACT
        self._is_trimmed = True
        return MakeRoom.TRIM

    def compacted(self) -> None:
        """Records that the history was compacted, which also removed the trimmed results."""
        self._is_trimmed, self._is_compacted, self._is_off = False, True, False

    def compaction_failed(self) -> None:
        """Records that no summary could be generated."""
        self._is_off = True

    def restarted(self) -> None:
        """Records that the history was rewound or cleared."""
        self._is_trimmed = self._is_compacted = self._is_off = False
