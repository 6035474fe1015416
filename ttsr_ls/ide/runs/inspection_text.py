"""Describes which requests a proxy could inspect, in a line for users."""

from __future__ import annotations

from ttsr_ls.session.history.inspection import RequestNotInspected, RequestsCounted


def not_inspected_text(event: RequestNotInspected) -> str:
    """The line for a request that rules did not see."""
    outcome = "refused" if event.is_refused else "passed on WITHOUT protection"
    return f"a request was {outcome}: {event.reason}"


def counts_text(event: RequestsCounted) -> str:
    """The line for the requests of a session."""
    said = [f"{event.inspected} inspected"]
    if event.irrelevant:
        said.append(f"{event.irrelevant} irrelevant")
    if event.unparsed:
        said.append(f"{event.unparsed} NOT inspected")
    unread = "refused" if event.refuses_unparsed else "passed on"
    return f"requests: {', '.join(said)} (what cannot be read is {unread})"
