"""Runs as JSON for the client. Names and texts are escaped, so that the client can show them unchanged."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from ttsr_ls.escaping import one_line
from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.runs.run_trigger import RunTrigger
from ttsr_ls.ide.runs.session_run import RunTurn, SessionRun
from ttsr_ls.ide.runs.transcript_text import TranscriptMark, TranscriptPart
from ttsr_ls.ide.triggers.trigger_text import (
    notification_of_trigger,
    outcome_word,
    trigger_surface,
    with_visible_line_ends,
)
from ttsr_ls.lsp.runs.transcript_links import transcript_uri
from ttsr_ls.lsp.runs.workspace_uris import workspace_uri
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.transport.message_text import message_text
from ttsr_ls.session.history.turn_events import Extent
from ttsr_ls.text import Encoding, LineIndex

_MAX_TITLE_LENGTH = 120


def runs_tree(server: Server) -> dict[str, Any]:
    """All sessions by workspace folder, the newest first, and whether sessions were cleared.

    `displayedTriggers` counts the triggers with marks: those of finished runs and cleared ones have none.
    """
    return {
        "cleared": bool(server.cleared_runs),
        "displayedTriggers": len(server.board.triggers),
        "workspaces": [
            {
                "uri": file_uri(folder),
                "name": one_line(PurePath(folder).name or folder),
                "sessions": [_session(server, run) for run in server.runs.of(folder)],
            }
            for folder in server.runs.folders
        ],
    }


def transcript(server: Server, run: SessionRun, part: TranscriptPart) -> dict[str, Any]:
    """A part of a transcript, with all triggers of the session."""
    return {
        "uri": transcript_uri(run),
        "session": run.id,
        "epoch": part.epoch,
        "first": part.first,
        "stable": part.stable,
        "lines": list(part.lines),
        "marks": [_mark(mark, run, server.client.encoding) for mark in part.marks],
        "folds": [[fold.first, fold.last] for fold in part.folds],
        "triggers": [_trigger(server, run, trigger) for trigger in run.triggers],
    }


def _session(server: Server, run: SessionRun) -> dict[str, Any]:
    return {
        "id": run.id,
        "agent": one_line(run.agent)[:_MAX_TITLE_LENGTH],
        "started": run.started,
        "lastEvent": run.last_event,
        "state": run.state.value,
        "transcript": transcript_uri(run),
        "triggers": run.trigger_count,
        "coverage": run.coverage,
        "uninspected": run.uninspected,
        "silenced": sorted({one_line(rule) for rule, _ in server.runs.silenced_in(run.id)}),
        "turns": [_turn(server, run, turn) for turn in run.turns],
    }


def _turn(server: Server, run: SessionRun, turn: RunTurn) -> dict[str, Any]:
    return {
        "id": turn.id,
        "title": one_line(turn.title)[:_MAX_TITLE_LENGTH],
        "started": turn.started,
        "state": turn.state.value,
        "outcome": None if turn.outcome is None else one_line(turn.outcome)[:_MAX_TITLE_LENGTH],
        "triggers": [_trigger(server, run, trigger) for trigger in turn.triggers],
    }


def _trigger(server: Server, run: SessionRun, run_trigger: RunTrigger) -> dict[str, Any]:
    trigger = run_trigger.trigger
    event = trigger.event
    target = event.target
    folders = server.current.folders
    return {
        "number": run_trigger.number,
        "time": run_trigger.time,
        "rule": one_line(event.rule),
        "ruleUri": workspace_uri(folders, trigger.rule_path),
        "condition": one_line(event.condition),
        "message": message_text(notification_of_trigger(trigger)),
        "surface": one_line(trigger_surface(trigger)),
        "matched": one_line(with_visible_line_ends(run_trigger.matched))[:_MAX_TITLE_LENGTH],
        "interrupts": event.interrupts,
        "outcome": outcome_word(trigger),
        "live": run_trigger.is_live,
        "silenced": server.runs.is_silenced(run.id, event.rule, trigger.rule_path),
        "targetUri": workspace_uri(folders, trigger.target_path) if trigger.target_path is not None else None,
        "targetLine": target.start.line if target is not None and target.extent is Extent.WHOLE else None,
        "line": run.transcript.line_of(run_trigger.number),
    }


def _mark(mark: TranscriptMark, run: SessionRun, encoding: Encoding) -> dict[str, int]:
    index = LineIndex(run.transcript.line(mark.line))
    start, end = index.position(mark.start, encoding), index.position(mark.end, encoding)
    return {"line": mark.line, "start": start.character, "end": end.character, "trigger": mark.trigger}
