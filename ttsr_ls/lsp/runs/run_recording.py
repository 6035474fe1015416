"""Takes the events of followed session logs over into the sessions that the client shows."""

from __future__ import annotations

from ttsr_ls.ide.runs.session_run import SessionRun
from ttsr_ls.lsp.runs import trigger_view
from ttsr_ls.lsp.runs.run_changes import run_changed
from ttsr_ls.lsp.runs.transcript_links import session_id
from ttsr_ls.lsp.server import Server
from ttsr_ls.session.history.turn_events import RuleTriggered
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.follow import LoggedEvent

HOSTED = "hosted"
"""The first part of the id of a session that the client hosts."""


def record_logged(server: Server, workspace: str, logged: LoggedEvent, *, live: bool) -> bool:
    """Takes a record of a session log over. Returns whether the person wants to hear of it."""
    identity = session_of(logged)
    record, header = logged.record, logged.header
    run = server.runs.run(identity)
    if run is None or record.sequence == 1:
        agent, folder, started = (
            (header.agent, header.workspace, header.started) if header else ("agent", workspace, record.time)
        )
        run = SessionRun(identity, agent, folder or workspace, started, from_start=record.sequence == 1)
        run.log = str(logged.log)
        server.runs.begin(workspace, run)
    return _record(server, run, record, str(logged.log), live=live)


def record_hosted(server: Server, workspace: str, session: str, agent: str, record: Record, *, begins: bool) -> bool:
    """Takes an event over that the client tells of itself. Returns whether the person wants to hear of it."""
    identity = hosted_id(session)
    run = server.runs.run(identity)
    if run is None or begins:
        run = SessionRun(identity, agent, workspace, record.time, from_start=begins)
        server.runs.begin(workspace, run)
    return _record(server, run, record, "", live=True)


def hosted_id(session: str) -> str:
    """The id of a session that the client hosts, and names so."""
    return f"{HOSTED}/{session}"


def session_of(logged: LoggedEvent) -> str:
    """The id of the session whose log this is."""
    return session_id(str(logged.log))


def _record(server: Server, run: SessionRun, record: Record, log: str, *, live: bool) -> bool:
    heard = True
    event = record.event
    if isinstance(event, RuleTriggered):
        trigger = trigger_view.live_trigger(event, run.workspace, log, record.sequence)
        run.trigger(record.time, trigger, is_news=live)
        heard = not server.runs.is_silenced(run.id, event.rule)
    else:
        run.evolve(record.time, event)
    run_changed(server, run.id)
    return heard
