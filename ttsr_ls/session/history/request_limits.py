"""Limits how often a session sends requests within one turn: the limits with their defaults, and the event of reaching
one.

Every path that sends another request has a limit here. `request_budget` counts.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.session.history.recorded_value import RecordedValue


class RequestLimits(Struct, frozen=True):
    """The limits of one turn; each is a number of requests from 0.

    `retries_per_feature` limits the interrupts and follow-ups of one feature; all rules together are one feature, and
    the judge is another. `retries` limits those of all features together, because two features may keep answering each
    other. `pauses` limits how often a pausing provider is asked to continue, `requests` all requests for any reason.
    """

    retries_per_feature: int = 20
    retries: int = 40
    pauses: int = 20
    requests: int = 10_000


DEFAULT_LIMITS = RequestLimits()

AGENT_LIMITS = RequestLimits(requests=200)
"""The limits of `ttsr-ls agent`, whose loop has no other limit of requests."""


class LimitKind(StrEnum):
    """The limit that was reached; the values are the names of the fields of `RequestLimits`."""

    RETRIES_PER_FEATURE = "retries_per_feature"
    RETRIES = "retries"
    PAUSES = "pauses"
    REQUESTS = "requests"


class RequestLimitReached(RecordedValue, frozen=True):
    """Until turn `turn` ends, no request is sent for this reason any more, after `requests` requests for it.

    `feature` is None if the limit does not belong to one feature.
    """

    turn: str
    agent: str
    limit: LimitKind
    requests: int
    feature: str | None = None
