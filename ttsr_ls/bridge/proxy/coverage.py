"""Counts the requests of a proxy: each is inspected, irrelevant, or unparsed."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from ttsr_ls.session.history.turn_events import TriggersSuppressed, TurnEvent


class Coverage(StrEnum):
    """The category of a request: inspected, irrelevant to rules, or not parsed."""

    INSPECTED = "inspected"
    """Rules were matched against its answer."""
    IRRELEVANT = "irrelevant"
    """Not a request of an agent's turn: another path, or a request without tools, such as one for a title."""
    UNPARSED = "unparsed"
    """A request to a model that could not be read."""


class CoverageCount:
    """Counts what one proxy did with requests and answers, for its report."""

    def __init__(self) -> None:
        self.requests: Counter[Coverage] = Counter()
        self.unparsed: Counter[str] = Counter()
        """The unparsed requests by reason."""
        self.answers = 0
        """The inspected answers, including answers to retries."""
        self.unread_events = 0
        self.retries = 0
        self.ended_early = 0
        self.reminders = 0
        self.answered_calls = 0
        self.follow_ups = 0
        self.suppressed = 0
        self.failures = 0
        self.active = 0
        self.upstream_errors = 0

    def count_unparsed(self, reason: str) -> None:
        """Counts an unparsed request under its reason."""
        self.requests[Coverage.UNPARSED] += 1
        if reason in self.unparsed or len(self.unparsed) < 100:
            self.unparsed[reason] += 1

    def evolve(self, event: TurnEvent) -> None:
        """Counts what a session recorded."""
        if isinstance(event, TriggersSuppressed):
            self.suppressed += sum(rule.triggers for rule in event.rules)

    def state(self) -> dict[str, object]:
        """The counts, for the health endpoint."""
        return {
            "requests": {str(kind): self.requests[kind] for kind in Coverage},
            "unparsed": dict(self.unparsed),
            **self._counters(),
            "active_streams": self.active,
        }

    def metrics(self) -> str:
        """The counts in the text format of Prometheus."""
        lines = ["# TYPE ttsr_proxy_requests_total counter"]
        lines += [f'ttsr_proxy_requests_total{{coverage="{kind}"}} {self.requests[kind]}' for kind in Coverage]
        for name, value in self._counters().items():
            lines += [f"# TYPE ttsr_proxy_{name}_total counter", f"ttsr_proxy_{name}_total {value}"]
        lines += ["# TYPE ttsr_proxy_active_streams gauge", f"ttsr_proxy_active_streams {self.active}", ""]
        return "\n".join(lines)

    def _counters(self) -> dict[str, int]:
        return {
            "answers": self.answers,
            "unread_events": self.unread_events,
            "retries": self.retries,
            "ended_early": self.ended_early,
            "reminders": self.reminders,
            "answered_calls": self.answered_calls,
            "follow_ups": self.follow_ups,
            "suppressed_triggers": self.suppressed,
            "failures": self.failures,
            "upstream_errors": self.upstream_errors,
        }
