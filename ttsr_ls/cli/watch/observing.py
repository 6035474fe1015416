"""Observes an agent's byte stream with rules, log and report, for `watch` and `demo`."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.rules.ast_problems import with_ast_problems
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.watch.observation import Observation, SessionStart, WatchReport
from ttsr_ls.cli.watch.trigger_report import TriggerReport
from ttsr_ls.cli.watch.watched_session import WatchedSession, watched_session
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.output.agent_events import Adapter
from ttsr_ls.session.rules.rule_problems import problem_line
from ttsr_ls.session.rules.rules_by_dialect import Registered, RulesByDialect, compose
from ttsr_ls.store.log.session_dirs import (
    Retention,
    prune_all,
    session_file,
    state_home,
    workspace_folder,
    workspace_root,
)
from ttsr_ls.store.log.turn_log import TurnLog


def new_session_log(workspace: Path) -> Path:
    """The path of a new session log. Deletes logs that are too old."""
    started_at = epoch_ms()
    state = state_home(os.environ, Path.home())
    prune_all(state, Retention(), started_at)
    return session_file(workspace_folder(state, workspace_root(workspace)), started_at, uuid.uuid4().hex[:12])


def observe(observation: Observation, adapter: Adapter, chunks: Iterable[bytes]) -> int:
    """Watches until `chunks` end or the user presses Ctrl-C; returns the exit status.

    Raises LogWriteError if the log cannot be written and a failing log ends the run.
    """
    started_at = epoch_ms()
    rules_for = _rules_by_agent(observation.rules, observation.settings)
    report = _report(observation, started_at, len(rules_for(MAIN_AGENT).rules))
    try:
        status = _observed(observation, adapter, chunks, report, rules_for)
    finally:
        report.close()
    return status


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
) -> int:
    status = ExitCode.OK
    rules = (rules_for, observation.settings)
    with AstProcess() as ast_search, ExitStack() as stack:

        def opened(start: SessionStart, announce: Callable[[EventLog], None]) -> WatchedSession:
            session = watched_session(start, observation, report, *rules, ast_search, announce)
            return stack.enter_context(session)

        session = opened(
            SessionStart(observation.agent, observation.log),
            partial(_print_start, observation, report, rules_for(MAIN_AGENT)),
        )
        is_input_empty = True
        try:
            for data in chunks:
                is_input_empty = is_input_empty and not data.strip()
                replaced = observation.changed_rules()
                if replaced is not None:
                    rules = replaced
                    session.replace_rules(*rules)
                later = observation.next_session()
                if later is not None:
                    session.take(later.end_earlier())
                    stack.close()
                    session = opened(later, partial(_print_log, report))
                session.take(adapter.feed(data))
        except KeyboardInterrupt:
            status = ExitCode.INTERRUPTED
        except BrokenPipeError:  # The reader of the copied stream, or of the report, is gone.
            status = ExitCode.BROKEN_PIPE
        session.take(adapter.finish())
    report.summary(epoch_ms(), is_input_empty=is_input_empty and status is ExitCode.OK)
    return status


def _print_log(report: WatchReport, log: EventLog) -> None:
    report.line(f"Its {_place(log)}")


def _place(log: EventLog) -> str:
    return f"session log {log.path}" if isinstance(log, TurnLog) else "no session log"


def _print_start(observation: Observation, report: WatchReport, rules: RulesByDialect, log: EventLog) -> None:
    others = ", ".join(f"{len(rule_set.rules)} of {rule_set.profile.id}" for rule_set in reversed(rules.others))
    display = count(len(rules.rules), "rule") + (f" ({others})" if others else "")
    report.line(f"Watching {observation.agent} with {display}, {observation.matching} matching, {_place(log)}")
    for sentence in observation.unseen:
        report.line(sentence)
    if not rules.rules and not rules.others:
        report.warn("No rules are in force here, so none can fire; `ttsr-ls list` shows why.")
    for problem in rules.problems:
        report.warn(problem_line(problem))


def _rules_by_agent(registered: tuple[Registered, ...], settings: Settings) -> Callable[[str], RulesByDialect]:
    rules_by_dialects: dict[str, RulesByDialect] = {}

    def rules_for(kind: str) -> RulesByDialect:
        if kind not in rules_by_dialects:
            rules_by_dialects[kind] = with_ast_problems(compose(registered, settings, kind))
        return rules_by_dialects[kind]

    return rules_for
