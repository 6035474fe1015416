"""The limits that the project sets itself for matching, and whether a run kept them."""

from __future__ import annotations

from msgspec import Struct

from benchmarks.measuring import Cost

WORST_DELTA = 5e-3
FIRST_MESSAGE = 5e-6
MEMORY = 100
"""MB."""
PREWARMING = 0.5
_HARD_TEXTS = frozenset({"minified", "base64"})


class Verdict(Struct, frozen=True):
    """One limit, in the words that are printed."""

    subject: str
    measured: str
    limit: str
    is_kept: bool

    def __str__(self) -> str:
        return f"{'kept  ' if self.is_kept else 'BROKEN'} {self.subject}: {self.measured} (limit {self.limit})"


def delta_verdict(subject: str, kind: str, count: int, cost: Cost) -> Verdict:
    """The limits of a delta on text that the automaton knows the like of."""
    if count <= 100:
        median, p99 = 2e-6, 50e-6
    else:
        median, p99 = (30e-6 if kind in _HARD_TEXTS else 8e-6), 500e-6
    return Verdict(
        subject,
        f"p50 {1e6 * cost.median:.1f}, p99 {1e6 * cost.p99:.0f} µs",
        f"{1e6 * median:.0f}, {1e6 * p99:.0f}",
        cost.median < median and cost.p99 < p99,
    )


def first_message_verdict(subject: str, cost: Cost) -> Verdict:
    """The limit of the first message of a session."""
    measured = f"p50 {1e6 * cost.median:.1f} µs"
    return Verdict(subject, measured, f"{1e6 * FIRST_MESSAGE:.0f}", cost.median < FIRST_MESSAGE)


def worst_verdict(subject: str, cost: Cost) -> Verdict:
    """The limit of any delta of any rule set, in processor time."""
    measured = f"max {1e3 * cost.greatest:.1f} ms"
    return Verdict(subject, measured, f"{1e3 * WORST_DELTA:.0f}", cost.greatest < WORST_DELTA)


def prewarming_verdict(subject: str, seconds: float) -> Verdict:
    """The limit of prewarming, in processor time."""
    return Verdict(subject, f"{1e3 * seconds:.0f} ms", f"{1e3 * PREWARMING:.0f}", seconds < PREWARMING)


def memory_verdict(subject: str, megabytes: int) -> Verdict:
    """The limit of the memory of a process."""
    return Verdict(subject, f"{megabytes} MB", str(MEMORY), megabytes < MEMORY)
