"""Lists the sessions that agents kept themselves, which `replay` reads."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ttsr_ls.cli.printing.output import write_error, write_json, write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.sessions.entries import shown_moment
from ttsr_ls.store.agent_sessions import AgentSessionFile, all_sessions, sessions_of
from ttsr_ls.store.opencode.sessions import data_folder, stored_sessions


def kept_sessions(*, of_all_folders: bool) -> list[AgentSessionFile]:
    """The sessions that agents kept of the current folder, or of all folders; the last modified first.

    Prints which databases cannot be read.
    """
    cwd, home = Path.cwd(), Path.home()
    files = all_sessions(home) if of_all_folders else sessions_of(cwd, home)
    opencode = stored_sessions(
        data_folder(home, os.environ), None if of_all_folders else cwd, report=print_unread_database
    )
    return sorted([*files, *opencode], key=lambda session: session.changed, reverse=True)


def print_unread_database(path: Path, error: OSError) -> None:
    """Prints that the sessions of a database cannot be listed."""
    write_error(one_line(f"{path} has sessions that cannot be listed: {error.strerror}"))


def list_kept_sessions(args: argparse.Namespace) -> None:
    """Prints of each session when it last changed, its agent, and its path, which `replay` takes."""
    files = kept_sessions(of_all_folders=args.all)
    if args.format == "json":
        write_json(
            [
                {"path": str(file.path), "source": file.source, "changed": int(file.changed * 1000)}
                for file in files[: args.most]
            ],
            indent=2,
        )
        return
    for file in files[: args.most]:
        write_line(f"{shown_moment(int(file.changed * 1000))}  {file.source}  {one_line(str(file.path))}")
    if not files:
        write_line(f"Agents kept no sessions{'' if args.all else ' of this folder'}.")
    elif len(files) > args.most:
        write_line(f"{len(files) - args.most} more; list them with -n.")
