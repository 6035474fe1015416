"""Runs `sessions`: finds the logs, and lists, shows, exports or deletes them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import opened_output
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_exact, write_json, write_line
from ttsr_ls.cli.printing.terminal import TextStyle, one_line, palette_for, printable
from ttsr_ls.cli.sessions.entries import (
    SessionCounts,
    SessionEntry,
    TriggerEntry,
    TurnEntry,
    counts_of,
    entries_of,
    shown_moment,
)
from ttsr_ls.cli.sessions.kept_sessions import list_kept_sessions
from ttsr_ls.cli.sessions.page import session_page
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import LogContent, read_log
from ttsr_ls.store.log.session_dirs import (
    Retention,
    all_session_files,
    is_being_written,
    logs_to_prune,
    prune,
    prune_all,
    session_files,
    state_home,
    workspace_folder,
    workspace_root,
)

_MAX_SHOWN_LINES = 5


class _Session(Struct, frozen=True):
    path: Path
    header: Header
    content: LogContent


def run_sessions(args: argparse.Namespace) -> int:
    """Runs the action. Raises UsageError where there is no such session, or it cannot be read."""
    state = state_home(os.environ, Path.home())
    folder = workspace_folder(state, workspace_root(Path.cwd()))
    match args.action:
        case "list" if args.agents:
            list_kept_sessions(args)
        case "list":
            paths = all_session_files(state) if args.all else session_files(folder)
            _list(sorted(paths, key=lambda path: path.name, reverse=True), args)
        case "show":
            _show(_read(_found(args.name, folder)), args.full)
        case "export":
            session = _read(_found(args.name, folder))
            records, problems = session.content.records, len(session.content.problems)
            counts = counts_of(records, session.header.started)
            _export(session_page(session.header, entries_of(records), counts, problems), args.output)
        case _:
            _prune(args, state, folder)
    return ExitCode.OK


def _export(parts: Iterable[str], path: Path | None) -> None:
    """Writes the page. Raises UsageError if standard output is a terminal and no file is named."""
    if path is None:
        if sys.stdout.isatty():
            raise UsageError("the page is HTML, which a terminal does not show; name its file: -o page.html")
        for part in parts:
            write_exact(part)
        return
    with opened_output(path) as page:
        page.writelines(parts)


def _list(paths: list[Path], args: argparse.Namespace) -> None:
    shown = [(session, _counts(session)) for path in paths[: args.most] if (session := _readable(path)) is not None]
    if args.format == "json":
        write_json([_session_json(session, counts) for session, counts in shown], indent=2)
        return
    palette = palette_for(sys.stdout)
    for session, counts in shown:
        started = shown_moment(session.header.started)
        live = palette.paint(" (under way)", TextStyle.GOOD) if is_being_written(session.path) else ""
        place = f"  {one_line(session.header.workspace)}" if args.all else ""
        write_line(
            f"{started}  {one_line(session.path.stem)}  {one_line(session.header.agent)}  {counts.shown}{live}{place}"
        )
    if not paths:
        write_line("There are no sessions." if args.all else "There are no sessions of this folder.")
    elif len(paths) > args.most:
        write_line(palette.paint(f"{len(paths) - args.most} more; list them with -n.", TextStyle.FAINT))


def _session_json(session: _Session, counts: SessionCounts) -> dict[str, Any]:
    header = session.header
    return {
        "session": session.path.stem,
        "path": str(session.path),
        "agent": header.agent,
        "workspace": header.workspace,
        "started": header.started,
        "ended": counts.ended,
        "turns": counts.turns,
        "triggers": counts.triggers,
        "interrupts": counts.interrupts,
        "denied": counts.denied,
        "suppressed": counts.suppressed,
        "underWay": is_being_written(session.path),
    }


def _counts(session: _Session) -> SessionCounts:
    return counts_of(session.content.records, session.header.started)


def _show(session: _Session, is_full: bool) -> None:
    palette = palette_for(sys.stdout)
    header = session.header
    write_line(palette.paint(one_line(f"{header.agent} in {header.workspace}"), TextStyle.STRONG))
    for entry in entries_of(session.content.records):
        _show_entry(entry, header.started, is_full)
    for problem in session.content.problems[:20]:
        write_line(palette.paint(one_line(problem.message), TextStyle.WARNING))


def _show_entry(entry: SessionEntry, started_at: int, is_full: bool) -> None:
    palette = palette_for(sys.stdout)
    if isinstance(entry, TriggerEntry):
        excerpt = entry.event.excerpt
        outcome = f": {entry.outcome}" if entry.outcome else ""
        match = one_line(excerpt.text[excerpt.start : excerpt.end])
        write_line(palette.paint(f"⚡ {one_line(entry.event.rule)} fired on »{match}«{outcome}", TextStyle.ERROR))
        return
    if isinstance(entry, TurnEntry):
        seconds = (entry.time - started_at) / 1000
        write_line(palette.paint(f"{one_line(entry.turn)} after {seconds:.1f} s", TextStyle.INFO))
    block = entry.block
    write_line(one_line(block.title))
    lines = printable(block.body or "").rstrip("\n").split("\n") if (block.body or "").strip() else []
    limit = _MAX_SHOWN_LINES if block.folded and not is_full else len(lines)
    for line in lines[:limit]:
        write_line(f"    {line}")
    if len(lines) > limit:
        write_line(palette.paint(f"    … {len(lines) - limit} more lines", TextStyle.FAINT))


def _found(name: str | None, folder: Path) -> Path:
    if name is not None and Path(name).is_file():
        return Path(name)
    known = session_files(folder)
    if not known:
        raise UsageError("there are no sessions of this folder; name the file of a log")
    if name is None:
        return known[-1]
    paths = [path for path in known if path.stem == name or path.stem.endswith(name)]
    if len(paths) != 1:
        raise UsageError(
            f"{'several sessions match' if paths else 'there is no session'} {name}; 'ttsr-ls sessions list' lists them"
        )
    return paths[0]


def _read(path: Path) -> _Session:
    try:
        content = read_log(path)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
    if content.header is None:
        raise UsageError(f"cannot read {path}: it is no session log")
    return _Session(path, content.header, content)


def _readable(path: Path) -> _Session | None:
    try:
        return _read(path)
    except UsageError:
        return None


def _prune(args: argparse.Namespace, state: Path, folder: Path) -> None:
    retention = Retention(sessions=args.keep, days=args.days)
    now = epoch_ms()
    if args.dry_run:
        folders = sorted({log.parent for log in all_session_files(state)}) if args.all else [folder]
        logs = tuple(
            log for each in folders for log in logs_to_prune(each, retention, now) if not is_being_written(log)
        )
    else:
        logs = prune_all(state, retention, now) if args.all else prune(folder, retention, now)
    for log in logs:
        write_line(one_line(str(log)))
    write_line(f"{count(len(logs), 'log')} {'would be deleted' if args.dry_run else 'deleted'}.")
