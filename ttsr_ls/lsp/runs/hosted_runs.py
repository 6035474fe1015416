"""Runs that an editor plugin hosts and reports by `ttsr/event` and `ttsr/events`, without a session log."""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from ttsr_ls.ide.runs.run_state import RunState
from ttsr_ls.ide.triggers.trigger_board import RunKey
from ttsr_ls.lsp.runs import run_recording, shown_runs
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import is_file, path_of
from ttsr_ls.session.history.turn_events import VERSION
from ttsr_ls.store.log.codec import CodecError, Record, decode_record

MAX_NAME_LENGTH = 200
"""The most characters of the name of a session, and of an agent."""

logger = logging.getLogger(__name__)


def folder_of(server: Server, workspace: object) -> str:
    """The workspace folder that a plugin names by its URI; the first where it names none."""
    if isinstance(workspace, str) and is_file(workspace):
        return path_of(workspace)
    return next(iter(server.current.folders), "")


def is_valid_name(name: object) -> bool:
    """Returns whether a value is a valid name of a session or an agent."""
    return isinstance(name, str) and 0 < len(name) <= MAX_NAME_LENGTH


def receive_event(server: Server, session: str, agent: str, folder: str, event: object) -> None:
    """Adds one event, in the form of the records of a session log but without number and time."""
    identity = run_recording.hosted_id(session)
    is_first = server.runs.run(identity) is None
    # All sessions of plugins share one list of triggers. A new session clears it if no other one is working.
    runs = [run for run in server.runs.of(folder) if run.id.startswith(f"{run_recording.HOSTED}/")]
    begins = is_first and all(run.state is not RunState.WORKING for run in runs)
    number = 1 if begins else server.hosted_events.last.get(folder, 0) + 1
    server.hosted_events.last[folder] = number
    line = {"v": VERSION, "seq": number, "t": time.time_ns() // 1_000_000, "event": event}
    try:
        record = decode_record(json.dumps(line).encode())
    except CodecError as error:
        logger.warning("an event of ttsr/event %s", error)
        return
    receive_record(server, session, agent, folder, record, begins=is_first)


def receive_record(server: Server, session: str, agent: str, folder: str, record: Record, *, begins: bool) -> None:
    """Adds a record that is in no session log."""
    is_announced = run_recording.record_hosted(server, folder, session, agent, record, begins=begins)
    shown_runs.show_record(server, RunKey(folder, shown_runs.PLUGIN_LOG), folder, record, live=is_announced)


def check_params(params: Any, method: str, needed: str) -> dict[str, Any] | None:
    """Returns the params of a plugin's notification; None, with a logged warning, if session or agent are invalid."""
    if (
        not isinstance(params, dict)
        or not is_valid_name(params.get("session"))
        or not is_valid_name(params.get("agent", "agent"))
    ):
        logger.warning("%s needs %s; names have 1 to %d characters", method, needed, MAX_NAME_LENGTH)
        return None
    return params
