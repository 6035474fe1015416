"""What goes on beside requests: following the session logs of the workspace, and asking the client for its settings."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from ttsr_ls.lsp import publishing, trigger_view
from ttsr_ls.lsp.configuration import read_configurations
from ttsr_ls.lsp.following import follow
from ttsr_ls.lsp.options import SECTION, read_options
from ttsr_ls.lsp.runs import run_recording
from ttsr_ls.lsp.server import Server
from ttsr_ls.session.history.turn_events import ConditionTooSlow, RuleTriggered, StepAppended, StepUpdated, TurnEvent
from ttsr_ls.store.log.follow import LoggedEvent


def rules_changed(server: Server) -> None:
    """Checks all open rules again, after rule files on the disk changed."""
    server.current = server.current.with_changed_disk()
    server.start(_read_project_configuration(server))
    publishing.everything_changed(server)


def folders_changed(server: Server) -> None:
    """Follows the session logs of the folders that are open now."""

    def on_events(workspace: Path, events: tuple[LoggedEvent, ...], live: bool) -> None:
        for logged in events:
            folder = logged.header.workspace if logged.header is not None else ""
            if logged.record.sequence == 1:
                run_started(server, str(workspace))
            is_heard = run_recording.record_logged(server, str(workspace), logged)
            event = logged.record.event
            event_happened(server, str(workspace), folder or str(workspace), event, live=live and is_heard)

    server.stop_following()
    server.stop_following = follow(on_events, server.current.folders)
    server.start(_read_project_configuration(server))


def configuration_changed(server: Server) -> None:
    """Asks the client for its settings, where it answers such questions."""
    if server.client.answers_configuration:
        server.start(_fetch_configuration(server))


def run_started(server: Server, workspace: str) -> None:
    """Clears what the run before showed in a workspace."""
    shown = [uri for trigger in server.board.of(workspace) for uri in trigger_view.concerned_documents(server, trigger)]
    shown += trigger_view.documents_at(server, {slow.rule_path for slow in server.board.slow_of(workspace)})
    server.board = server.board.cleared(workspace)
    trigger_view.announce_run(server, workspace)
    for uri in dict.fromkeys(shown):
        publishing.document_changed(server, uri)


def event_happened(server: Server, workspace: str, folder: str, event: TurnEvent, *, live: bool) -> None:
    """Shows an event of a run in a workspace, whose agent works in `folder`.

    That is a trigger, a condition that was too slow, or that a tool may have run.

    A trigger that is not live, because it happened before we looked, is shown but not announced.
    """
    if isinstance(event, StepAppended | StepUpdated):
        _place_again(server, workspace)
    if isinstance(event, ConditionTooSlow):
        slow = trigger_view.slow_rule_condition(event, folder)
        server.board = server.board.slowed(workspace, slow)
        for uri in trigger_view.documents_at(server, {slow.rule_path}):
            publishing.document_changed(server, uri)
    if not isinstance(event, RuleTriggered):
        return
    trigger = trigger_view.live_trigger(event, folder)
    server.board = server.board.added(workspace, trigger)
    for uri in trigger_view.concerned_documents(server, trigger):
        publishing.document_changed(server, uri)
    if live:
        trigger_view.notify(server, workspace, trigger)


def _place_again(server: Server, workspace: str) -> None:
    """A rule fires before the agent writes to the disk; only after that can the line that broke the rule be found."""
    targets = {trigger.target_path for trigger in server.board.of(workspace)} - {None}
    for uri in trigger_view.documents_at(server, targets):
        publishing.document_changed(server, uri)


async def _read_project_configuration(server: Server) -> None:
    """Learns which folders have rules by the projects' configurations, and tells the person of a wrong one."""
    folders = server.current.folders
    read = await server.off_loop(read_configurations, folders)
    for mistake in read.mistakes:
        if mistake not in server.told_mistakes:
            server.told_mistakes.add(mistake)
            server.notify_user(types.MessageType.Warning, mistake)
    if folders == server.current.folders and read.rule_folders != server.current.rule_folders:
        server.current = server.current.with_rule_folders(read.rule_folders)
        publishing.everything_changed(server)


async def _fetch_configuration(server: Server) -> None:
    question = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    answer = await server.workspace_configuration_async(question)
    server.options = read_options(answer[0] if answer else None)
