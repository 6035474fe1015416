"""One session that `watch` observes: its log, and the observer that writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.live_output_writer import LiveObserver, LiveOutputWriter
from ttsr_ls.bridge.watch.notices import LogFailedNotice, Notice, SkippedInputNotice, UnloggedTriggerNotice
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.bridge.watch.prewarming import prewarming_text
from ttsr_ls.cli.watch.observation import Observation, SessionStart, WatchReport
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.collector import freeze_live_objects
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.session.output.agent_events import AgentEvent
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.files.bounded_file import read_edited_text
from ttsr_ls.store.log.header import new_header
from ttsr_ls.store.log.live_output import LiveOutput
from ttsr_ls.store.log.session_dirs import workspace_root
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog


class WatchedSession:
    """A session that is open. Raises LogWriteError if the log cannot be written and a failing log ends the run."""

    def __init__(self, observer: LiveObserver, log: EventLog, report: WatchReport, policy: LogFailurePolicy) -> None:
        self._observer = observer
        self.log = log
        self._report = report
        self._policy = policy

    @property
    def lost(self) -> int:
        """The number of records that are not in the log."""
        return self.log.count if isinstance(self.log, NullLog) else self._observer.lost

    def take(self, events: list[AgentEvent]) -> None:
        """Observes events, and reports them."""
        self._report.follow(events)
        self.show(self._observer.feed(events, epoch_ms()))

    def replace_rules(self, rules_for: Callable[[str], RulesByDialect], settings: Settings) -> None:
        """Replaces the rules from the next answer on."""
        self.show(self._observer.replace_rules(rules_for, settings, epoch_ms()))

    def show(self, notices: Iterable[Notice]) -> None:
        """Reports notices."""
        shown = list(notices)
        self._report.show(shown)
        for notice in shown:
            if self._policy is LogFailurePolicy.STOP and isinstance(notice, LogFailedNotice | UnloggedTriggerNotice):
                raise LogWriteError(notice.reason)


@contextmanager
def watched_session(
    start: SessionStart,
    observation: Observation,
    report: WatchReport,
    rules_for: Callable[[str], RulesByDialect],
    settings: Settings,
    ast_search: AstProcess,
    announce: Callable[[EventLog], None],
) -> Iterator[WatchedSession]:
    """Opens a session, and closes it at the end of the body of a `with`. `announce` is called with its log."""
    started_at = epoch_ms()
    with _event_log(start, observation, report, started_at) as (log, past):
        observer = LiveObserver(
            rules_for,
            log,
            settings=settings,
            matching=observation.matching,
            ast_search=ast_search,
            file_text=partial(read_edited_text, observation.workspace),
            noise_limits=observation.noise(log.path.stem if isinstance(log, TurnLog) else ""),
        )
        session = WatchedSession(observer, log, report, observation.on_log_failure)
        announce(log)
        observer.resume(past)
        if isinstance(log, TurnLog):
            observer.live = LiveOutputWriter(LiveOutput(log.path), observer.position)
        session.show(observer.start(started_at))
        _prewarm(observer, rules_for(MAIN_AGENT))
        try:
            yield session
        finally:
            if observer.live is not None:
                observer.live.close()
            report.report_unwritten_records(0 if start.log is None else session.lost)


def _prewarm(observer: LiveObserver, rules: RulesByDialect) -> None:
    """Prewarms the matchers before the first delta."""
    observer.prewarm(prewarming_text(rules.rules))
    freeze_live_objects()


@contextmanager
def _event_log(
    start: SessionStart, observation: Observation, report: WatchReport, started_at: int
) -> Iterator[tuple[EventLog, tuple[TurnEvent, ...]]]:
    """The log, with the events that it held before."""
    path: Path | None = start.log
    if path is None:
        yield NullLog(), ()
        return
    workspace = str(workspace_root(observation.workspace))
    header = new_header(path, start.agent, workspace, started_at)
    try:
        log, content = TurnLog.open_with_content(path, header)
    except LogWriteError as error:
        if observation.is_log_named or observation.on_log_failure is LogFailurePolicy.STOP:
            raise
        report.report_not_recorded(str(error))
        yield NullLog(), ()
        return
    report.show([SkippedInputNotice(f"{path}: {problem.message}") for problem in content.problems])
    with log:
        yield log, tuple(record.event for record in content.records)
