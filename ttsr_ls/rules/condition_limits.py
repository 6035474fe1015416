"""Limits the number and the length of the conditions of one rule file, so that building their matchers is not
noticeable.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttsr_ls.esregex.tree.pattern_size import MAX_UNITS, is_plain_text

MAX_CONDITIONS = 1_000
"""The most conditions of one file that are matched."""


def indexes_beyond_limits(texts: Sequence[str]) -> frozenset[int]:
    """Returns the indexes of the conditions of a file that exceed the limits and are not matched, in order.

    `texts` are the conditions as authored. Plain-text conditions cost next to nothing, so only their number counts.
    """
    remaining, matched = MAX_UNITS, 0
    beyond = set()
    for index, text in enumerate(texts):
        length = 0 if is_plain_text(text) else len(text)
        if length <= remaining and matched < MAX_CONDITIONS:
            remaining -= length
            matched += 1
        else:
            beyond.add(index)
    return frozenset(beyond)


def limit_message(count: int) -> str:
    """Returns the message about `count` conditions that exceed the limits, in two sentences."""
    subject = "This condition is" if count == 1 else f"This condition and {count - 1:,} more are"
    return (
        f"{subject} never matched: a rule file may have up to {MAX_CONDITIONS:,} conditions, with up to {MAX_UNITS:,} "
        "characters in all. Split the rule, or write shorter conditions."
    )


def limit_reason(text: str) -> str:
    """Returns why a condition that exceeds the limits is ignored, as a full sentence."""
    if not is_plain_text(text) and len(text) > MAX_UNITS:
        return f"It is too large to match within the limits: it has {len(text):,} characters, of at most {MAX_UNITS:,}."
    return (
        f"It is beyond the limits of matching for one file: {MAX_CONDITIONS:,} conditions, with {MAX_UNITS:,} "
        "characters in all."
    )
