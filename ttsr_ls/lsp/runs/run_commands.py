"""The commands of the client about runs: `ttsr.runs`, `ttsr.transcript`, `ttsr.silence`."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from ttsr_ls.escaping import one_line
from ttsr_ls.ide.runs.run_state import RunState
from ttsr_ls.lsp.runs import run_view
from ttsr_ls.lsp.runs.resolved_paths import resolved_path
from ttsr_ls.lsp.runs.run_changes import run_changed
from ttsr_ls.lsp.runs.transcript_links import session_in
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import path_of
from ttsr_ls.store.log.session_dirs import are_being_written
from ttsr_ls.store.log.silenced_rules import store_silence, with_silence

_QUIET_MS = 5_000


async def runs(server: Server) -> dict[str, Any]:
    """Returns the tree that editors show: workspace folder, session, turn, trigger."""
    # Only quiet runs: a program that has just ended may have written events that are not read yet.
    quiet_since = time.time_ns() // 1_000_000 - _QUIET_MS
    working = [
        run
        for folder in server.runs.folders
        for run in server.runs.of(folder)
        if run.log is not None and run.state is RunState.WORKING and run.last_event < quiet_since
    ]
    if working:
        sequences = [run.last_sequence for run in working]
        written = await server.run_in_thread(are_being_written, tuple(run.log for run in working))
        for run, sequence, is_written in zip(working, sequences, written, strict=True):
            if run.last_sequence == sequence:  # An event during the check is newer than the result of the check.
                run.is_left = not is_written
    return run_view.runs_tree(server)


def transcript(server: Server, arguments: tuple[object, ...]) -> dict[str, Any]:
    """The lines from `first` on of the transcript at `uri`. Raises JsonRpcInvalidParams."""
    argument = _one_object("ttsr.transcript", arguments)
    uri, epoch, first = argument.get("uri"), argument.get("epoch", -1), argument.get("first", 0)
    if not isinstance(uri, str) or type(epoch) is not int or type(first) is not int:
        raise JsonRpcInvalidParams("ttsr.transcript takes {uri, epoch?, first?}: a string and two numbers")
    run = server.runs.run(session_in(uri))
    if run is None:
        raise JsonRpcInvalidParams("This session is not shown any more; its log may still be there: ttsr-ls replay")
    return run_view.transcript(server, run, run.transcript.part(epoch, first))


async def silence(server: Server, arguments: tuple[object, ...]) -> None:
    """Silences `rule` in `session`, in all windows, unless `silent` is false. Raises JsonRpcInvalidParams, OSError."""
    argument = _one_object("ttsr.silence", arguments)
    session, rule, silent = argument.get("session"), argument.get("rule"), argument.get("silent", True)
    uri = argument.get("ruleUri")
    if (
        not isinstance(session, str)
        or not isinstance(rule, str)
        or not isinstance(uri, str | None)
        or not isinstance(silent, bool)
    ):
        raise JsonRpcInvalidParams(
            "ttsr.silence takes {session, rule, ruleUri?, silent?}: three strings, and true or false"
        )
    run = server.runs.run(session)
    if run is None:
        return
    rule, path = one_line(rule), None if uri is None else resolved_path(path_of(uri))
    rules = with_silence(server.runs.silenced_in(session), rule, path, silent=silent)
    server.runs.set_silenced(session, rules)
    run_changed(server, session)
    if run.log is not None:
        await server.run_in_thread(partial(store_silence, silent=silent), Path(run.log), rule, path)


def _one_object(command: str, arguments: tuple[object, ...]) -> dict[str, Any]:
    if len(arguments) != 1 or not isinstance(arguments[0], dict):
        raise JsonRpcInvalidParams(f"{command} takes one object")
    return arguments[0]
