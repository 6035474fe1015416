"""Observes an agent's byte stream with rules, log and report, for `watch` and `demo`."""

from __future__ import annotations

import gc
import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol, TextIO

from msgspec import Struct

from ttsr_ls import __version__
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.rules.ast_problems import with_ast_problems
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.live_output_writer import LiveObserver, LiveOutputWriter
from ttsr_ls.bridge.watch.notices import LogFailedNotice, Notice, SkippedInputNotice, UnloggedTriggerNotice
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.watch.trigger_report import TriggerReport
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.session.lifecycle.noise_budget import FixedNoise, NoiseSource
from ttsr_ls.session.output.agent_events import Adapter, AgentEvent
from ttsr_ls.session.rules.rule_problems import problem_line
from ttsr_ls.session.rules.rules_by_dialect import Registered, RulesByDialect, compose
from ttsr_ls.store.files.bounded_file import read_edited_text
from ttsr_ls.store.log.live_output import LiveOutput
from ttsr_ls.store.log.reader import Header
from ttsr_ls.store.log.session_dirs import (
    Retention,
    prune_all,
    session_file,
    state_home,
    workspace_folder,
    workspace_root,
)
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog

PREWARMED = 50_000
"""The most that matching is prewarmed with, in characters; more changes little (docs/performance.md)."""


class Observation(Struct, frozen=True):
    """The input of `watch`: the rules, the log and the session's folder `workspace`. `log` None: no log is kept.

    A log that a person named (`is_log_named`) must be there; one of our own may be missing.
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
    """Gives the rules and settings when their files have changed; None: they have not."""
    noise: Callable[[str], NoiseSource] = lambda _session: FixedNoise()
    """Gives what reads the limits of a session."""
    unseen: tuple[str, ...] = ()
    """Sentences on what rules cannot see in the stream."""


def now() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def new_session_log(workspace: Path) -> Path:
    """The path of a new session log. Deletes logs that are too old."""
    started_at = now()
    state = state_home(os.environ, Path.home())
    prune_all(state, Retention(), started_at)
    return session_file(workspace_folder(state, workspace_root(workspace)), started_at, uuid.uuid4().hex[:12])


def observe(observation: Observation, adapter: Adapter, chunks: Iterable[bytes]) -> int:
    """Watches until `chunks` end or the user presses Ctrl-C; returns the exit status.

    Raises LogWriteError if the log cannot be written and a failing log ends the run.
    """
    started_at = now()
    rules_for = _rules_by_agent(observation.rules, observation.settings)
    report = _report(observation, started_at, len(rules_for(MAIN_AGENT).rules))
    try:
        status = _observed(observation, adapter, chunks, report, rules_for, started_at)
    finally:
        report.close()
    return status


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

    def summary(self, now: int) -> None:
        """Prints the summary."""

    def close(self) -> None:
        """Ends the report. Can be called twice."""


def _report(observation: Observation, started_at: int, rules: int) -> WatchReport:
    if observation.format_name == "jsonl":
        from ttsr_ls.cli.watch.json_report import JsonLinesReport

        return JsonLinesReport(observation.output, started_at)
    if observation.is_live:
        from ttsr_ls.cli.watch.live_report import LiveReport

        return LiveReport(observation.output, started_at, observation.workspace, rules)
    return TriggerReport(observation.output, started_at, observation.workspace)


def _observed(
    observation: Observation,
    adapter: Adapter,
    chunks: Iterable[bytes],
    report: WatchReport,
    rules_for: Callable[[str], RulesByDialect],
    started_at: int,
) -> int:
    status = ExitCode.OK
    with _event_log(observation, report, started_at) as (log, past), AstProcess() as ast_search:
        observer = LiveObserver(
            rules_for,
            log,
            settings=observation.settings,
            matching=observation.matching,
            ast_search=ast_search,
            file_text=partial(read_edited_text, observation.workspace),
            noise_limits=observation.noise(log.path.stem if isinstance(log, TurnLog) else ""),
        )
        _say_what_is_watched(observation, report, rules_for(MAIN_AGENT), log)
        observer.resume(past)

        def tell(notices: list[Notice]) -> None:
            report.show(notices)
            for notice in notices:
                if observation.on_log_failure is LogFailurePolicy.STOP and isinstance(
                    notice, LogFailedNotice | UnloggedTriggerNotice
                ):
                    raise LogWriteError(notice.reason)

        if isinstance(log, TurnLog):
            observer.live = LiveOutputWriter(LiveOutput(log.path), observer.position)

        def take(events: list[AgentEvent]) -> None:
            report.follow(events)
            tell(observer.feed(events, now()))

        tell(observer.start(started_at))
        _settle(observer, rules_for(MAIN_AGENT))
        try:
            for data in chunks:
                replaced = observation.changed_rules()
                if replaced is not None:
                    tell(observer.replace_rules(*replaced, now()))
                take(adapter.feed(data))
        except KeyboardInterrupt:
            status = ExitCode.INTERRUPTED
        except BrokenPipeError:  # Whoever reads the copy of the stream, or the report, is gone.
            status = ExitCode.BROKEN_PIPE
        try:
            take(adapter.finish())
        finally:
            if observer.live is not None:
                observer.live.close()
            lost_count = log.count if isinstance(log, NullLog) and observation.log is not None else observer.lost
            report.report_unwritten_records(lost_count)
    report.summary(now())
    return status


def _settle(observer: Observer, rules: RulesByDialect) -> None:
    """Prewarms the matchers before the first delta."""
    # What an agent writes about is what its rules speak of.
    observer.prewarm("\n".join(rule.body for rule in rules.rules)[:PREWARMED])
    # Rules and automaton live as long as the process; looking through them in vain costs milliseconds in a delta.
    gc.collect()
    gc.freeze()


def _say_what_is_watched(observation: Observation, report: WatchReport, rules: RulesByDialect, log: EventLog) -> None:
    place = f"session log {log.path}" if isinstance(log, TurnLog) else "no session log"
    others = ", ".join(f"{len(rule_set.rules)} of {rule_set.profile.id}" for rule_set in reversed(rules.others))
    display = count(len(rules.rules), "rule") + (f" ({others})" if others else "")
    report.line(f"Watching {observation.agent} with {display}, {observation.matching} matching, {place}")
    for sentence in observation.unseen:
        report.line(sentence)
    for problem in rules.problems:
        report.warn(problem_line(problem))


@contextmanager
def _event_log(
    observation: Observation, report: WatchReport, started_at: int
) -> Iterator[tuple[EventLog, tuple[TurnEvent, ...]]]:
    """The log, with the events that it held before."""
    if observation.log is None:
        yield NullLog(), ()
        return
    workspace = str(workspace_root(observation.workspace))
    header = Header(observation.log.stem, observation.agent, workspace, started_at, f"ttsr-ls {__version__}")
    try:
        log, content = TurnLog.open_with_content(observation.log, header)
    except LogWriteError as error:
        if observation.is_log_named or observation.on_log_failure is LogFailurePolicy.STOP:
            raise
        report.report_not_recorded(str(error))
        yield NullLog(), ()
        return
    report.show([SkippedInputNotice(f"{observation.log}: {problem.message}") for problem in content.problems])
    with log:
        yield log, tuple(record.event for record in content.records)


def _rules_by_agent(registered: tuple[Registered, ...], settings: Settings) -> Callable[[str], RulesByDialect]:
    rules_by_dialects: dict[str, RulesByDialect] = {}

    def rules_for(kind: str) -> RulesByDialect:
        if kind not in rules_by_dialects:
            rules_by_dialects[kind] = with_ast_problems(compose(registered, settings, kind))
        return rules_by_dialects[kind]

    return rules_for
