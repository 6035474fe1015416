"""The limits of reading and reporting an agent's output."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.wire.answer_limits import AnswerLimits


class AdapterLimits(Struct, frozen=True):
    """The bounds of reading one session."""

    answer: AnswerLimits = AnswerLimits()
    agents: int = 256
    """The maximum number of agents with an open answer. Beyond it, the oldest answers are dropped."""
    damaged_lines: int = 1_000
    """The most unreadable lines that are reported."""
    unknown_kinds: int = 50
    """The most unknown kinds of messages that are reported."""
    line: int = 64 * 1024 * 1024
    """The longest line, in bytes: agents repeat whole messages in one line (spec W4), but none is that long."""


ADAPTER_LIMITS = AdapterLimits()
"""The bounds in use."""
