"""The input of `watch`, and the interface of its reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TextIO

from msgspec import Struct

from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.lifecycle.noise_budget import FixedNoise, NoiseSource
from ttsr_ls.session.output.agent_events import AgentEvent
from ttsr_ls.session.rules.rules_by_dialect import Registered, RulesByDialect

EMPTY_INPUT = "The input was empty: did the agent start? Run its command alone to see what it says."
"""The warning of a report whose stream ended without any output."""
NO_TURN = "The stream has no turn in a known format; check --from and the agent's output format."
"""The warning of a report whose stream had output and no turn."""


class SessionStart(Struct, frozen=True):
    """The start of a session that is watched: the source of its output, and its log; None: no log is kept.

    `end_earlier` returns the events that end the session before it.
    """

    agent: str
    log: Path | None
    end_earlier: Callable[[], list[AgentEvent]] = list


class Observation(Struct, frozen=True):
    """The input of `watch`: the rules, the log and the session's folder `workspace`. `log` None: no log is kept.

    A log that the user named (`is_log_named`) must be writable; a log with a default path need not.
    """

    agent: str
    workspace: Path
    rules: tuple[Registered, ...]
    settings: Settings
    matching: Matching
    log: Path | None
    is_log_named: bool
    on_log_failure: LogFailurePolicy
    output: TextIO
    format_name: str = "text"
    is_live: bool = False
    """Whether a view of the turn is painted below the report; only on a terminal."""
    changed_rules: Callable[[], tuple[Callable[[str], RulesByDialect], Settings] | None] = lambda: None
    """Returns the rules and settings after a change of their files; None: no change."""
    noise: Callable[[str], NoiseSource] = lambda _session: FixedNoise()
    """Returns the source of the noise limits of a session, by its name."""
    unseen: tuple[str, ...] = ()
    """Sentences about the parts of the agent's output that are not in the stream."""
    next_session: Callable[[], SessionStart | None] = lambda: None
    """Returns the session that begins with the current data; None: the same session."""


class WatchReport(Protocol):
    """The interface of the reports of `watch`."""

    def follow(self, events: Iterable[AgentEvent]) -> None:
        """Updates the report of `watch` with an event of the agent."""

    def show(self, notices: Iterable[Notice]) -> None:
        """Prints notices immediately."""

    def line(self, text: str) -> None:
        """Prints a note."""

    def warn(self, text: str) -> None:
        """Prints a warning."""

    def report_not_recorded(self, reason: str) -> None:
        """Reports that the session is not recorded."""

    def report_unwritten_records(self, records: int) -> None:
        """Reports how many records could not be written, if any."""

    def summary(self, now: int, *, is_input_empty: bool = False) -> None:
        """Prints the summary. `is_input_empty`: the stream ended without any output."""

    def close(self) -> None:
        """Ends the report. Can be called twice."""
