"""The step limits of exact searches. A step takes about half a microsecond (see `esregex.program.budget`)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.automaton.nfa.limits import Limits


class SearchLimits(Struct, frozen=True):
    """The limits of exact searches, in steps. Beyond `delta`, searches are deferred; beyond `question`, a search is
    abandoned.
    """

    delta: int
    """All that a delta asks for."""
    share: int
    """What of it a new question gets, or half of what is left. Questions that wait from deltas before get half of
    `delta`, in equal parts, so that costly ones neither keep each other from being answered nor new ones."""
    question: int
    """One question, over all deltas that it waited for."""
    end: int
    """All that is asked at the end of a block, where no other delta comes."""
    end_share: int
    """What of it each question gets, beside an equal part of its half."""
    made: int | None
    """How many of the steps of a delta may be taken to make searches ready. None for any number beside them. At the end
    of a block, all that are asked for are made ready."""
    burst: int = 1 << 60
    """What deltas may take together beyond `rate` for each of them. What is asked beyond that waits."""
    rate: int = 0
    exhausted_deltas: int = 1 << 60
    """After how many deltas in a row that took all of `rate` the next ones get `exhausted_rate` in its place, until one
    leaves something. Searches that are this costly are answered later, if at all."""
    exhausted_rate: int = 0
    total: int = 1 << 60
    """All that is asked over all deltas and ends. What is asked beyond that is given up."""
    quick: int = 0
    """How many of the steps of `total` searches for places may take that nobody interrupts: those of the condition's
    own matcher, which is many times faster. They last as long as they last, so that nobody may be waiting."""
    automaton: Limits = Limits()
    """The bounds of the automaton that finds what is asked."""
    rules: int = 1 << 60
    """How many rules are evaluated at a delta with `stable` matching. Others are deferred; one takes some 10 µs."""
    stream_length: int = 4 * 1024 * 1024
    """The most that is matched of one stream, in units. The rest is not matched, which is reported."""


LIVE = SearchLimits(
    delta=4_000, share=1_000, question=500_000, end=600_000, end_share=8_000, made=2_500, burst=150_000, rate=800,
    exhausted_deltas=100, exhausted_rate=100,
    rules=100, automaton=Limits(feed_work=1_200, end_work=300_000, deferred_units=8_000),
)  # fmt: skip
"""For a stream that somebody waits for: a delta costs 5 ms at most, and on average half a millisecond, or a
twentieth of one once a hundred in a row were not enough."""

OFFLINE = SearchLimits(
    delta=500_000, share=250_000, question=250_000, end=500_000, end_share=250_000, made=None, quick=500_000
)
"""For commands and editors that try rules on a text, which some do twice: about half a second in all."""

OFFLINE_IN_PIECES = replace(OFFLINE, total=OFFLINE.delta)
"""As `OFFLINE`, for a text that comes in many deltas. With all steps at hand at once, no question waits: in `reference`
matching the next one would be about a longer prefix, and nobody would know of the prefix that was not decided."""
