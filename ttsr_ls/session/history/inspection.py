"""What a proxy between an agent and its model could inspect: the events with which session logs tell of it."""

from __future__ import annotations

from ttsr_ls.session.history.recorded import Recorded


class RequestNotInspected(Recorded, frozen=True):
    """Rules did not see a request or its answer, because of `reason`. It `is_refused`, or was passed on."""

    reason: str
    is_refused: bool


class RequestsCounted(Recorded, frozen=True):
    """The requests of the session so far, in this run of the proxy; `irrelevant` ones ask no model to work.

    `refuses_unparsed`: what cannot be inspected is refused (the proxy fails closed), else it is passed on.
    """

    inspected: int
    irrelevant: int
    unparsed: int
    refuses_unparsed: bool
