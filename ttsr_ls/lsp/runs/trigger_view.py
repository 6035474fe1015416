"""Triggers for the client: diagnostics of the affected documents, and notifications."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterable
from pathlib import PurePath
from typing import Any

from lsprotocol import types

from ttsr_ls.escaping import one_line
from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.analysis import Analysis
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_detection import is_in_rule_folder
from ttsr_ls.ide.triggers.disabled_condition_marks import disabled_condition_marks
from ttsr_ls.ide.triggers.target_location import TargetText, locate_triggers
from ttsr_ls.ide.triggers.trigger_board import DisabledRuleCondition, LiveTrigger
from ttsr_ls.ide.triggers.trigger_marks import TriggerMark, TriggerOccurrence, marks_on_rule, marks_on_target
from ttsr_ls.lsp.convert import SEVERITIES, SOURCE, lsp_position, lsp_range
from ttsr_ls.lsp.options import Notifications
from ttsr_ls.lsp.runs.resolved_paths import resolved_path as _real
from ttsr_ls.lsp.runs.transcript_links import transcript_location
from ttsr_ls.lsp.runs.workspace_uris import workspace_uri
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import is_file, path_of
from ttsr_ls.session.history.turn_events import ConditionTooSlow, Extent, RuleTriggered, Target
from ttsr_ls.text import Encoding, LineIndex, Position, Span, from_first_visible_line

NOTIFICATION = "ttsr/triggered"
RUN_STARTED = "ttsr/runStarted"


def live_trigger(event: RuleTriggered, folder: str, log: str, sequence: int) -> LiveTrigger:
    """A trigger of a run in `folder` with its paths resolved; relative paths are relative to the folder."""
    target = os.path.join(folder, event.target.path) if event.target is not None else None  # noqa: PTH118
    rule = os.path.join(folder, event.rule_path)  # noqa: PTH118
    if target is None:
        return LiveTrigger(event, _real(rule), None, None, log, sequence)
    inner_text = os.path.relpath(target, folder)
    display = target if inner_text.startswith(os.pardir) else inner_text
    return LiveTrigger(event, _real(rule), _real(target), display, log, sequence)


def disabled_rule_condition(event: ConditionTooSlow, folder: str, sequence: int) -> DisabledRuleCondition:
    """A condition that was disabled in a run in `folder`, with the path of its rule resolved."""
    return DisabledRuleCondition(event, _real(os.path.join(folder, event.rule_path)), sequence)  # noqa: PTH118


def concerns(server: Server, uri: str) -> bool:
    """Returns whether there is a trigger to show on a document."""
    return is_file(uri) and _real(path_of(uri)) in server.board.paths()


def concerned_files(server: Server, trigger: LiveTrigger) -> list[str]:
    """The files on which a trigger is marked, open or not."""
    return files_at(server, {trigger.rule_path, trigger.target_path})


def files_at(server: Server, paths: Collection[str | None]) -> list[str]:
    """The open documents that lie at one of `paths`, which are resolved, and the files there that are not open."""
    documents = documents_at(server, paths)
    known_paths = {_real(path_of(uri)) for uri in documents}
    closed = [path for path in paths if path is not None and path not in known_paths and _may_be_read(server, path)]
    return [*documents, *(workspace_uri(server.current.folders, path) for path in closed)]


def marked_files_at(server: Server, paths: Iterable[str]) -> list[str]:
    """The files among `paths` with marks, open or not."""
    if server.board.is_empty:
        return []
    return files_at(server, server.board.paths() & {_real(path) for path in paths})


def uri_before_opening(server: Server, uri: str) -> str | None:
    """The URI with the marks of an open document before it was opened; None if it is the same, or open too."""
    twin = workspace_uri(server.current.folders, _real(path_of(uri))) if is_file(uri) else uri
    return twin if twin != uri and twin not in server.current.documents else None


def _may_be_read(server: Server, path: str) -> bool:
    """Returns whether a closed file may be read. Agents can name any file: only rules and workspace files are read."""
    inside = any(PurePath(path).is_relative_to(_real(folder)) for folder in server.current.folders)
    return inside or is_in_rule_folder(path)


def documents_at(server: Server, paths: Container[str | None]) -> list[str]:
    """The open documents that lie at one of `paths`, which are resolved."""
    return [uri for uri in server.current.documents if is_file(uri) and _real(path_of(uri)) in paths]


def diagnostics(server: Server, document: Document, analysis: Analysis | None) -> list[types.Diagnostic]:
    """The diagnostics for triggers on a document, which may be the rule that fired, the written file, or both."""
    if not is_file(document.uri) or server.board.is_empty:
        return []
    path = _real(document.path)
    marks = [*marks_on_target(_located(server, path, document.index), path, server.board.triggers)]
    if analysis is not None:
        marks += marks_on_rule(analysis.file, path, server.board.triggers)
        marks += disabled_condition_marks(analysis.file, path, server.board.disabled)
    return [_diagnostic(server, document, mark) for mark in marks]


def rules_of_target(server: Server, uri: str) -> list[str]:
    """Returns the open rules that fired for a file: their diagnostics link to positions in it."""
    path = _real(path_of(uri)) if is_file(uri) else None
    rules = {trigger.rule_path for trigger in server.board.triggers if trigger.target_path == path}
    # This is called at each keystroke, and there may be a thousand open documents.
    return documents_at(server, rules) if rules else []


def notify(server: Server, folder: str, trigger: LiveTrigger) -> None:
    """Notifies the client of a trigger: always by a notification of this server, and by a message if the user wants
    messages.
    """
    server.protocol.notify(NOTIFICATION, _payload(server, folder, trigger))
    if server.options.notifications is Notifications.TRIGGERS and not server.client.shows_runs:
        server.announcer.announce(trigger)


def announce_run(server: Server, workspace: str) -> None:
    """Notifies the client that a run began or was cleared, and of the number of displayed triggers in the workspace."""
    shown = sum(len(run.triggers) for run in server.board.of(workspace))
    server.protocol.notify(RUN_STARTED, {"workspace": file_uri(workspace), "triggers": shown})


def _located(server: Server, path: str, index: LineIndex) -> TargetText:
    """The current text at `path`, with the positions of its triggers."""
    triggers = [trigger for trigger in server.board.triggers if trigger.target_path == path]
    if not triggers:
        server.target_texts.pop(path, None)
        return TargetText()
    target_text = server.target_texts[path] = locate_triggers(
        server.target_texts.get(path, TargetText()), index, triggers
    )
    return target_text


def _payload(server: Server, folder: str, trigger: LiveTrigger) -> dict[str, Any]:
    event = trigger.event
    target = event.target
    folders = server.current.folders
    return {
        "workspace": file_uri(folder),
        "rule": event.rule,
        "ruleUri": workspace_uri(folders, trigger.rule_path),
        "condition": event.condition,
        "source": event.source.value,
        "tool": event.tool,
        "targetUri": workspace_uri(folders, trigger.target_path) if trigger.target_path is not None else None,
        "targetLine": target.start.line if target is not None and target.extent is Extent.WHOLE else None,
        "excerpt": {"text": event.excerpt.text, "start": event.excerpt.start, "end": event.excerpt.end},
        "interrupts": event.interrupts,
        "turn": event.turn,
    }


def _diagnostic(server: Server, document: Document, mark: TriggerMark) -> types.Diagnostic:
    related = [_related(server, document, mark, occurrence) for occurrence in mark.occurrences]
    in_transcript = transcript_location(server, mark.trigger) if mark.trigger is not None else None
    if in_transcript is not None:
        related.append(types.DiagnosticRelatedInformation(in_transcript, "in the transcript of the run"))
    return types.Diagnostic(
        range=lsp_range(mark.span, document.index, server.client.encoding),
        message=one_line(mark.message),
        severity=SEVERITIES[mark.severity],
        code=mark.code,
        source=SOURCE,
        related_information=related if related and server.client.shows_related_information else None,
    )


def _related(
    server: Server, document: Document, mark: TriggerMark, occurrence: TriggerOccurrence
) -> types.DiagnosticRelatedInformation:
    """An occurrence in the written file, else in the transcript, else in the condition itself."""
    trigger = occurrence.trigger
    message = one_line(occurrence.message)
    if trigger.event.target is None or trigger.target_path is None:
        location = types.Location(document.uri, lsp_range(mark.span, document.index, server.client.encoding))
        return types.DiagnosticRelatedInformation(transcript_location(server, trigger) or location, message)
    text_range = _range_in_target(server, trigger, trigger.target_path, trigger.event.target)
    target_uri = workspace_uri(server.current.folders, trigger.target_path)
    return types.DiagnosticRelatedInformation(types.Location(target_uri, text_range), message)


def _range_in_target(server: Server, trigger: LiveTrigger, path: str, target: Target) -> types.Range:
    """Returns the range of a trigger in its file: in the text of the editor, else in the text that the agent wrote."""
    for uri in documents_at(server, {path}):
        document = server.current.documents[uri]
        if document.version is not None:
            span = _located(server, path, document.index).span(trigger)
            return lsp_range(span or Span(0, 0), document.index, server.client.encoding)
    start = _column_in_line(target.start, target, server.client.encoding)
    if target.extent is Extent.WHOLE:
        end = _end_of_match(trigger.event, target, server.client.encoding)
        return types.Range(lsp_position(start), lsp_position(end))
    position = types.Position(0, 0)
    if target.in_file is not None:
        # The text of the file before the written part is not known; mostly it is indentation.
        before = target.in_file.character - target.start.character
        position = types.Position(target.in_file.line, max(0, before) + start.character)
    return types.Range(position, position)


def _end_of_match(event: RuleTriggered, target: Target, encoding: Encoding) -> Position:
    """The end of a match in the client's encoding.

    That of a match over several lines keeps its UTF-16 column where the recorded excerpt lacks a part of the match.
    """
    if target.end.line == target.start.line:
        return _column_in_line(target.end, target, encoding)
    visible = from_first_visible_line(event.excerpt.text, Span(event.excerpt.start, event.excerpt.end))
    matched_text = LineIndex(event.excerpt.text[visible.start : visible.end])
    length = len(matched_text.text)
    if matched_text.position(length) != Position(target.end.line - target.start.line, target.end.character):
        return target.end
    return Position(target.end.line, matched_text.position(length, encoding).character)


def _column_in_line(position: Position, target: Target, encoding: Encoding) -> Position:
    """A position of a target in the client's encoding; one outside of the recorded first line stays as it is."""
    if position.line != target.start.line:
        return position
    index = LineIndex(target.first_line)
    offset = index.offset(Position(0, position.character))
    behind = position.character - index.position(offset).character
    return Position(position.line, index.position(offset, encoding).character + behind)
