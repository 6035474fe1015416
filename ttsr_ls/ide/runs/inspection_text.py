"""Describes the requests that a proxy could or could not inspect, in one line for users."""

from __future__ import annotations

from ttsr_ls.session.history.inspection import RequestNotInspected, RequestsCounted


def not_inspected_text(event: RequestNotInspected) -> str:
    """The line for a request that was not inspected."""
    outcome = "refused" if event.is_refused else "passed on WITHOUT protection"
    return f"a request was {outcome}: {event.reason}"


def counts_text(event: RequestsCounted) -> str:
    """The line with the counts of a session's requests."""
    parts = [f"{event.inspected} inspected"]
    if event.irrelevant:
        parts.append(f"{event.irrelevant} irrelevant")
    if event.unparsed:
        parts.append(f"{event.unparsed} NOT inspected")
    unread = "refused" if event.refuses_unparsed else "passed on"
    return f"requests: {', '.join(parts)} (unreadable requests are {unread})"
