"""The step limits of exact searches. A step takes about half a microsecond (see `esregex.program.budget`)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.automaton.nfa.limits import Limits


class SearchLimits(Struct, frozen=True):
    """The limits of exact searches, in steps. Beyond `delta`, searches are deferred; beyond `search`, a search is
    abandoned.
    """

    delta: int
    """All searches at one delta."""
    share: int
    """A new search, unless half of the remaining steps of the delta is more. Unfinished searches of earlier deltas
    get half of `delta` in equal parts, so that costly ones delay neither each other nor new ones."""
    search: int
    """One search, over all its deltas."""
    end: int
    """All searches at the end of a block, where no other delta follows."""
    end_share: int
    """One search at the end of a block, beside half of the remainder of `end // 2`."""
    preparation: int | None
    """The part of the steps of a delta that may be taken to prepare searches; None for any number beside them. At the
    end of a block, preparation has no limit."""
    burst: int = 1 << 60
    """All deltas together, beyond `rate` for each of them. Further searches are deferred."""
    rate: int = 0
    exhausted_deltas: int = 1 << 60
    """After this number of deltas in a row that left no steps, the next ones get `exhausted_rate` in place of `rate`,
    until one leaves some. Searches that are this costly are answered later, if at all."""
    exhausted_rate: int = 0
    total: int = 1 << 60
    """All searches at all deltas and ends of blocks. Further searches are abandoned."""
    quick: int = 0
    """All searches for spans with the condition's own matcher, which is many times faster but cannot be deferred: 0 if
    a user waits for the stream."""
    automaton: Limits = Limits()
    """The limits of the automaton."""
    rules: int = 1 << 60
    """The most rules that `stable` matching evaluates at a delta, which takes some 10 µs each. Others are deferred."""
    stream_length: int = 4 * 1024 * 1024
    """The longest part of a stream that is matched, in units. If a stream is longer, that is reported."""


LIVE = SearchLimits(
    delta=4_000, share=1_000, search=500_000, end=600_000, end_share=8_000, preparation=2_500, burst=150_000,
    rate=800, exhausted_deltas=100, exhausted_rate=100,
    rules=100, automaton=Limits(feed_work=1_200, end_work=300_000, deferred_units=8_000),
)  # fmt: skip
"""For a stream that a user waits for: a delta costs 5 ms at most, and half a millisecond on average, or a twentieth of
a millisecond after a hundred deltas in a row that left no steps."""

OFFLINE = SearchLimits(
    delta=500_000, share=250_000, search=250_000, end=500_000, end_share=250_000, preparation=None, quick=500_000
)
"""For commands and editors that try rules on a text, some of them twice: about half a second in all."""

OFFLINE_IN_DELTAS = replace(OFFLINE, total=OFFLINE.delta)
"""As `OFFLINE`, for a text in many deltas. The first may take all steps, so that no search is deferred: in
`reference` matching, the next delta asks about a longer prefix, and the answer for the shorter one would never be
known."""
