"""The displayed runs of agents in the workspace: adding their records, and clearing them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from ttsr_ls.ide.triggers.trigger_board import RunKey, ShownRun
from ttsr_ls.ide.triggers.trigger_outcome import outcome_after
from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.runs import trigger_view
from ttsr_ls.lsp.runs.run_changes import run_changed
from ttsr_ls.lsp.server import Server
from ttsr_ls.session.history.turn_events import (
    ConditionTooSlow,
    OutputInterrupted,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    TurnEvent,
)
from ttsr_ls.store.log.cleared_runs import ClearedMarks, mark_cleared
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.session_dirs import are_being_written

_LENS_PAUSE = 0.3
"""Seconds from a trigger to the request for new lenses: an agent may trigger rules many times a second."""

PLUGIN_LOG = ""
"""The log of runs that an editor plugin reports: they have none."""


def show_record(server: Server, key: RunKey, folder: str, record: Record, *, live: bool) -> None:
    """Shows a record of a run whose agent works in `folder`; the first record of a log begins a run.

    A trigger that is not live, because it was recorded before the run was followed, is shown but not announced.
    """
    if record.sequence == 1:
        _run_started(server, key)
    if record.sequence <= server.cleared.get(_clearing_key(key), 0):
        return
    event = record.event
    if isinstance(event, StepAppended | StepUpdated | OutputInterrupted):
        _update_outcomes(server, key, event)
    if isinstance(event, ConditionTooSlow):
        condition = trigger_view.disabled_rule_condition(event, folder, record.sequence)
        server.board = server.board.with_disabled(key, condition)
        _update(server, trigger_view.files_at(server, {condition.rule_path}))
    if isinstance(event, RuleTriggered):
        trigger = trigger_view.live_trigger(event, folder, key.log, record.sequence)
        server.board = server.board.added(key, trigger)
        _update(server, trigger_view.concerned_files(server, trigger))
        _refresh_lenses_soon(server)
        if live:
            trigger_view.notify(server, key.workspace, trigger)
    if server.board.run(key).triggers or server.board.run(key).disabled:
        server.board = server.board.seen(key, record.sequence)


async def clear_all(server: Server) -> None:
    """Clears the triggers of all runs permanently: neither a restart of the server nor another window shows
    them again. Raises OSError.
    """
    runs = server.board.runs
    marks: dict[Path, dict[str, int]] = {}
    for run in runs:
        cleared_run = _clearing_key(run.key)
        server.cleared[cleared_run] = max(run.last, server.cleared.get(cleared_run, 0))
        if run.key.log != PLUGIN_LOG:
            log = Path(run.key.log)
            marks.setdefault(log.parent, {})[log.name] = run.last
    # Before the marks are stored: a trigger that fires meanwhile is not cleared.
    _remove(server, {run.key for run in runs})
    for folder, cleared in marks.items():
        await server.run_in_thread(mark_cleared, folder, ClearedMarks(triggers=cleared))


def forget_workspace(server: Server, workspace: str) -> None:
    """Removes the triggers of a workspace that the client closed."""
    _remove(server, {run.key for run in server.board.of(workspace)})


def apply_clearing(server: Server, workspace: str, logs: Path, marks: Mapping[str, int]) -> None:
    """Removes from the trigger list the runs that the user cleared in another window, or before the server started.

    `marks` has, for each log file in `logs`, the number of the last cleared record.
    """
    for name, mark in marks.items():
        server.cleared[str(logs / name)] = mark
    before = server.board.of(workspace)
    after = [run.after(server.cleared.get(_clearing_key(run.key), 0)) for run in before]
    if after != list(before):
        _show(server, before, after)


def _clearing_key(key: RunKey) -> str:
    """The key of a run in `Server.cleared`: runs of plugins have no log, and each folder counts their records anew."""
    return key.workspace if key.log == PLUGIN_LOG else key.log


def _run_started(server: Server, key: RunKey) -> None:
    """Removes the finished runs of the workspace. Runs of other agents that are still working stay."""
    if key.log == PLUGIN_LOG:
        server.cleared.pop(_clearing_key(key), None)
    _remove(server, {key})
    trigger_view.announce_run(server, key.workspace)
    logged = [run for run in server.board.of(key.workspace) if run.key != key and run.key.log != PLUGIN_LOG]
    if logged:
        server.start(_remove_finished(server, logged))


async def _remove_finished(server: Server, runs: Sequence[ShownRun]) -> None:
    written = await server.run_in_thread(are_being_written, tuple(run.key.log for run in runs))
    _remove(
        server,
        {
            run.key
            for run, is_written in zip(runs, written, strict=True)
            # A record that was read during the check is newer than the result of the check.
            if not is_written and server.board.run(run.key).last == run.last
        },
    )


def _update_outcomes(server: Server, key: RunKey, event: TurnEvent) -> None:
    """Updates outcomes and marks: a match can be located in its file only after the agent wrote the file."""
    run = server.board.run(key)
    if not run.triggers:
        return
    server.board = server.board.with_outcomes(key, lambda trigger: outcome_after(trigger, event))
    paths = {trigger.target_path for trigger in run.triggers} | {trigger.rule_path for trigger in run.triggers}
    _update(server, trigger_view.files_at(server, paths))


def _remove(server: Server, keys: Collection[RunKey]) -> None:
    runs = [run for run in server.board.runs if run.key in keys]
    concerned = _concerned(server, runs)
    server.board = server.board.without(keys)
    _update(server, concerned)
    _refresh_lenses(server, runs)
    _announce_removal(server, runs)


def _show(server: Server, before: Iterable[ShownRun], after: Iterable[ShownRun]) -> None:
    concerned = _concerned(server, before)
    for run in after:
        server.board = server.board.with_run(run)
    _update(server, concerned)
    _refresh_lenses(server, before)
    _announce_removal(server, before)


def _announce_removal(server: Server, runs: Iterable[ShownRun]) -> None:
    """Notifies the client of the new number of displayed triggers in the workspaces of `runs`."""
    workspaces = {run.key.workspace for run in runs}
    for workspace in workspaces:
        trigger_view.announce_run(server, workspace)
    if workspaces:
        run_changed(server, None)


def _refresh_lenses(server: Server, runs: Iterable[ShownRun]) -> None:
    """Requests new lenses, which show how often conditions fired, if runs with triggers were removed."""
    if server.client.refreshes_lenses and any(run.triggers for run in runs):
        server.workspace_code_lens_refresh(None)


def _refresh_lenses_soon(server: Server) -> None:
    """Schedules one request for new lenses for all triggers within `_LENS_PAUSE`."""
    if server.client.refreshes_lenses and not server.refreshes_lenses_soon:
        server.refreshes_lenses_soon = True
        server.start(_refresh_lenses_later(server))


async def _refresh_lenses_later(server: Server) -> None:
    await asyncio.sleep(_LENS_PAUSE)
    server.refreshes_lenses_soon = False
    server.workspace_code_lens_refresh(None)


def _concerned(server: Server, runs: Iterable[ShownRun]) -> list[str]:
    """The files with marks of these runs."""
    uris = [uri for run in runs for trigger in run.triggers for uri in trigger_view.concerned_files(server, trigger)]
    rules = {condition.rule_path for run in runs for condition in run.disabled}
    return [*uris, *trigger_view.files_at(server, rules)]


def _update(server: Server, uris: Iterable[str]) -> None:
    for uri in dict.fromkeys(uris):
        publishing.document_changed(server, uri)
