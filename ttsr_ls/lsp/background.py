"""Background work: following the session logs of the workspace, and requesting the client's settings."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from lsprotocol import types

from ttsr_ls.ide.triggers.trigger_board import RunKey
from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.configuration import read_configurations
from ttsr_ls.lsp.options import SECTION, Options, option_mistakes, read_options
from ttsr_ls.lsp.rule_locations import unreadable_rules_warning
from ttsr_ls.lsp.runs import run_recording, shown_runs
from ttsr_ls.lsp.runs.following import follow
from ttsr_ls.lsp.runs.hook_server_watch import watch_hook_server
from ttsr_ls.lsp.server import Server
from ttsr_ls.store.log.cleared_runs import ClearedMarks
from ttsr_ls.store.log.follow import LoggedEvent
from ttsr_ls.store.log.live_output import LiveDelta
from ttsr_ls.store.log.session_dirs import workspace_root
from ttsr_ls.store.log.silenced_rules import SilencedRules

logger = logging.getLogger(__name__)


def rules_changed(server: Server) -> None:
    """Checks all open rules again, after rule files on the disk changed."""
    server.current = server.current.with_changed_disk()
    server.start(_read_project_configuration(server))
    publishing.everything_changed(server)


def forget_closed(server: Server, closed: Iterable[str], kept: Iterable[str]) -> None:
    """Removes the runs of closed folders, unless their workspace has another folder that stays open."""
    workspaces = {workspace for folder in closed for workspace in _workspaces_of(folder)}
    workspaces -= {workspace for folder in kept for workspace in _workspaces_of(folder)}
    for workspace in sorted(workspaces):
        shown_runs.forget_workspace(server, workspace)
        run_recording.forget_workspace(server, workspace)


def _workspaces_of(folder: str) -> Iterator[str]:
    """The workspaces of the runs of a folder: the folder for runs of plugins, the root of its workspace for logs."""
    yield folder
    with suppress(OSError, ValueError, RuntimeError):
        yield str(workspace_root(Path(folder)))


def folders_changed(server: Server) -> None:
    """Follows the session logs of the folders that are open now."""

    def on_event(workspace: Path, logged: LoggedEvent, live: bool) -> None:
        folder = logged.header.workspace if logged.header is not None else ""
        key = RunKey(str(workspace), str(logged.log))
        is_announced = run_recording.record_logged(server, str(workspace), logged, live=live)
        shown_runs.show_record(server, key, folder or str(workspace), logged.record, live=live and is_announced)

    def on_cleared(workspace: Path, logs: Path, marks: ClearedMarks) -> None:
        shown_runs.apply_clearing(server, str(workspace), logs, marks.triggers)
        run_recording.apply_clearing(server, logs, marks.runs)

    def on_silenced(logs: Path, silenced: Mapping[str, SilencedRules]) -> None:
        run_recording.apply_silences(server, logs, silenced)

    def on_live(log: Path, deltas: tuple[LiveDelta, ...]) -> bool:
        return run_recording.record_live(server, log, deltas)

    server.stop_following()
    stop_following = follow(on_event, server.current.folders, on_cleared, on_live, on_silenced)
    hook_server_watch = server.start(watch_hook_server(server.current.folders, server.notify_user))

    def stop() -> None:
        stop_following()
        hook_server_watch.cancel()

    server.stop_following = stop
    server.start(_read_project_configuration(server))


def configuration_changed(server: Server) -> None:
    """Requests the client's settings, if it supports such requests."""
    if server.client.answers_configuration:
        server.start(_fetch_configuration(server))


def use_options(server: Server, options: Options) -> None:
    """Applies the settings of the editor, and refreshes everything that depends on them."""
    before, server.options = server.options, options
    if before.inlay_hints is not options.inlay_hints and server.client.refreshes_hints:
        server.workspace_inlay_hint_refresh(None)
    changes_lenses = (before.lenses, before.match_counts) != (options.lenses, options.match_counts)
    if changes_lenses and server.client.refreshes_lenses:
        server.workspace_code_lens_refresh(None)


async def _read_project_configuration(server: Server) -> None:
    """Reads the rule folders of the configurations, and warns of invalid configurations and of unreadable rules."""
    before = server.current
    configurations = await server.run_in_thread(read_configurations, before.folders)
    for mistake in configurations.mistakes:
        _warn_once(server, mistake)
    is_newest = (before.folders, before.disk_changes) == (server.current.folders, server.current.disk_changes)
    if is_newest and configurations.rule_folders != server.current.rule_folders:
        server.current = server.current.with_rule_folders(configurations.rule_folders)
        publishing.everything_changed(server)
    for folder in before.folders:
        warning = await server.run_in_thread(unreadable_rules_warning, folder)
        if warning is not None:
            _warn_once(server, warning)


def _warn_once(server: Server, message: str) -> None:
    if message not in server.logged_mistakes:
        server.logged_mistakes.add(message)
        server.notify_user(types.MessageType.Warning, message)


async def _fetch_configuration(server: Server) -> None:
    params = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    answer = await server.workspace_configuration_async(params)
    settings_received(server, answer[0] if answer else None)


def settings_received(server: Server, sent: object) -> None:
    """Applies the client's settings, and notifies the user of invalid ones, each once."""
    use_options(server, read_options(sent))
    for mistake in option_mistakes(sent):
        if mistake not in server.logged_mistakes:
            server.logged_mistakes.add(mistake)
            logger.warning("%s", mistake)
            server.notify_user(types.MessageType.Warning, mistake)
