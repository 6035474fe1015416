"""Adds the events of followed session logs to the sessions that the client displays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lsprotocol import types

from ttsr_ls.escaping import one_line
from ttsr_ls.ide.runs.inspection_text import not_inspected_text
from ttsr_ls.ide.runs.live_stream import LiveStream
from ttsr_ls.ide.runs.run_state import RunState
from ttsr_ls.ide.runs.session_run import SessionRun
from ttsr_ls.lsp.runs import trigger_view
from ttsr_ls.lsp.runs.run_changes import run_changed
from ttsr_ls.lsp.runs.transcript_links import session_id
from ttsr_ls.lsp.server import Server
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import RequestNotInspected, RuleTriggered
from ttsr_ls.store.log.cleared_runs import ClearedMarks, mark_cleared
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.follow import LoggedEvent
from ttsr_ls.store.log.live_output import LiveDelta
from ttsr_ls.store.log.silenced_rules import SilencedRules

_SOURCES = {source.value: source for source in Source}
HOSTED = "hosted"
"""The first part of the id of a session that the client hosts."""


def record_logged(server: Server, workspace: str, logged: LoggedEvent, *, live: bool) -> bool:
    """Adds a record of a session log. Returns whether a trigger in it is announced to the user."""
    identity = session_of(logged)
    record, header = logged.record, logged.header
    if record.sequence <= server.cleared_runs.get(str(logged.log), 0):
        return False
    run = server.runs.run(identity)
    if run is None or record.sequence == 1:
        agent, folder, started_at = (
            (header.agent, header.workspace, header.started) if header else ("agent", workspace, record.time)
        )
        run = SessionRun(identity, agent, folder or workspace, started_at, from_start=record.sequence == 1)
        run.log = str(logged.log)
        server.runs.begin(workspace, run)
    run.last_sequence = record.sequence
    return _record(server, run, record, str(logged.log), live=live)


def record_live(server: Server, log: Path, deltas: Iterable[LiveDelta]) -> bool:
    """Shows the unfinished answers in a session. Returns whether the session is known."""
    run = server.runs.run(session_id(str(log)))
    if run is None:
        return False
    streams: dict[tuple[str, int, str, str], list[LiveDelta]] = {}
    for delta in deltas:
        stream = streams.setdefault((delta.turn, delta.step, delta.agent, delta.stream), [])
        if delta.replaces:
            stream.clear()
        stream.append(delta)
    run.transcript.live(tuple([_live_stream(stream) for stream in streams.values()]))
    run_changed(server, run.id)
    return True


def _live_stream(deltas: list[LiveDelta]) -> LiveStream:
    first = deltas[0]
    source = _SOURCES.get(first.source, Source.TEXT)
    text = "".join(delta.text for delta in deltas)
    return LiveStream(first.turn, first.step, first.agent, source, first.call, first.name, text)


async def clear_finished(server: Server) -> None:
    """Removes the sessions whose agent is not working, permanently and in all windows. Raises OSError."""
    finished = [
        run for folder in server.runs.folders for run in server.runs.of(folder) if run.state is not RunState.WORKING
    ]
    marks: dict[Path, dict[str, int]] = {}
    for run in finished:
        server.runs.forget(run.id)
        if run.log is not None:
            server.cleared_runs[run.log] = run.last_sequence
            log = Path(run.log)
            marks.setdefault(log.parent, {})[log.name] = run.last_sequence
    run_changed(server, None)
    for folder, cleared in marks.items():
        await server.run_in_thread(mark_cleared, folder, ClearedMarks(runs=cleared))


def forget_workspace(server: Server, workspace: str) -> None:
    """Removes the sessions of a workspace that the client closed."""
    if server.runs.of(workspace):
        server.runs.forget_folder(workspace)
        run_changed(server, None)


def apply_clearing(server: Server, logs: Path, marks: Mapping[str, int]) -> None:
    """Removes the sessions that the user cleared in another window, or before the server started."""
    for name, mark in marks.items():
        log = str(logs / name)
        server.cleared_runs[log] = mark
        run = server.runs.run(session_id(log))
        if run is not None and run.last_sequence <= mark:
            server.runs.forget(run.id)
            run_changed(server, None)


def apply_silences(server: Server, logs: Path, silenced: Mapping[str, SilencedRules]) -> None:
    """Replaces the silenced rules of sessions, which the user changed in a window, or before the server started."""
    for name, rules in silenced.items():
        identity = session_id(str(logs / name))
        server.runs.set_silenced(identity, rules)
        if server.runs.run(identity) is not None:
            run_changed(server, identity)


def record_hosted(server: Server, workspace: str, session: str, agent: str, record: Record, *, begins: bool) -> bool:
    """Adds an event from the client. Returns whether a trigger in it is announced to the user."""
    identity = hosted_id(session)
    run = server.runs.run(identity)
    if run is None or begins:
        run = SessionRun(identity, agent, workspace, record.time, from_start=begins, replaced=run)
        server.runs.begin(workspace, run)
    return _record(server, run, record, "", live=True)


def hosted_id(session: str) -> str:
    """The id of a session that the client hosts under this name."""
    return f"{HOSTED}/{session}"


def session_of(logged: LoggedEvent) -> str:
    """The id of the session of a logged event."""
    return session_id(str(logged.log))


def _record(server: Server, run: SessionRun, record: Record, log: str, *, live: bool) -> bool:
    is_announced = True
    event = record.event
    if isinstance(event, RuleTriggered):
        trigger = trigger_view.live_trigger(event, run.workspace, log, record.sequence)
        run.trigger(record.time, trigger, is_live=live)
        is_announced = not server.runs.is_silenced(run.id, event.rule, trigger.rule_path)
    else:
        run.evolve(record.time, event)
        if live and isinstance(event, RequestNotInspected) and run.uninspected == 1:
            text = f"{run.agent} behind the proxy: {not_inspected_text(event)}"
            server.notify_user(types.MessageType.Warning, one_line(text))
    run_changed(server, run.id)
    return is_announced
