"""Runs `watch`: opens the agent's output and observes it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TextIO

from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.detection import AUTO, UTF16_MARKS, detect_source
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.cli.loading_notes import print_settings_notes
from ttsr_ls.cli.log_arguments import on_log_failure
from ttsr_ls.cli.named_folders import named_folders, working_folder
from ttsr_ls.cli.printing.output import is_quiet, write_bytes, write_line, write_note
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.watch.following import SessionAdapter, followed_chunks, running_session
from ttsr_ls.cli.watch.observation import Observation, SessionStart
from ttsr_ls.cli.watch.observing import new_session_log, observe
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.output.agent_events import Adapter
from ttsr_ls.store.agent_sessions import AgentSessionFile
from ttsr_ls.store.files.disk_reads import CHECK_AFTER
from ttsr_ls.store.log.session_dirs import state_home
from ttsr_ls.store.noise_file import noise_reader

_CHUNK = 64 * 1024


def run_watch(args: argparse.Namespace) -> int:
    """Watches until the stream ends. Raises UsageError where it cannot be read."""
    cwd = working_folder(args)
    log = None if args.no_log else (args.log or new_session_log(cwd))
    next_session: Callable[[], SessionStart | None] = _same_session
    # The stream is opened before the session log: after an error, editors would show an empty session.
    if args.stream is None and sys.stdin.isatty():
        name, adapter, chunks, next_session = _followed(args, cwd, log)
    else:
        name, chunks = _streamed(args)
        # Without --cwd, the stream names its folder: a recorded stream comes from another one.
        adapter = SOURCES[name].make(None if args.cwd is None else cwd)
    rules = ReloadingRules(cwd, Path.home(), os.environ, time.monotonic(), CHECK_AFTER, named_folders(args))
    local_rules = rules.found
    print_settings_notes(local_rules)
    output = sys.stderr if args.passthrough else sys.stdout
    observation = Observation(
        agent=name,
        workspace=cwd,
        rules=local_rules.registrations,
        settings=local_rules.settings,
        matching=Matching(args.matching),
        log=log,
        is_log_named=args.log is not None,
        on_log_failure=on_log_failure(args),
        output=output,
        format_name=args.format,
        is_live=args.format == "text" and not args.no_live and not is_quiet() and _can_repaint(output),
        changed_rules=lambda: (rules.rules_for, rules.settings) if rules.has_changed(time.monotonic()) else None,
        noise=partial(noise_reader, cwd, state_home(os.environ, Path.home())),
        unseen=SOURCES[name].unseen,
        next_session=next_session,
    )
    return observe(observation, adapter, chunks)


def _same_session() -> None:
    """A file or a pipe has one session."""


def _can_repaint(output: TextIO) -> bool:
    """Returns whether a view can be painted below the report, on the same terminal."""
    return output is sys.stdout and output.isatty() and os.environ.get("TERM") != "dumb"


def _followed(
    args: argparse.Namespace, cwd: Path, log: Path | None
) -> tuple[str, Adapter, Iterator[bytes], Callable[[], SessionStart | None]]:
    """The source, the adapter, and the bytes of the session that an agent keeps of the folder, and a function that
    returns the next session once it is followed. The first session has the log `log`, each later one a new log, unless
    the arguments name one for all.
    """
    if args.passthrough:
        raise UsageError("--passthrough needs output that is piped in")
    home = Path.home()
    session = running_session(cwd, home)
    if args.format == "text" and not is_quiet():
        write_line(one_line(f"Following {session.path}; its earlier records are skipped. Press Ctrl-C to stop."))
    adapter = SessionAdapter(session, cwd)

    logs = {session.path: log}
    pending: list[SessionStart] = []

    def switch(later: AgentSessionFile, is_new: bool) -> None:
        if later.path not in logs:
            logs[later.path] = log if args.no_log or args.log else new_session_log(cwd)
        pending.append(SessionStart(later.source, logs[later.path], partial(adapter.switch, later)))
        source = SOURCES[later.source]
        began = "A new session began" if is_new else "Another session continues"
        # To standard error, which the live view redirects to the lines above it.
        write_note(one_line(f"{began}: following {later.path}, {source.title}"))
        if later.source not in shown:
            shown.add(later.source)
            for sentence in source.unseen:
                write_note(sentence)

    shown = {session.source}
    chunks = followed_chunks(session, cwd, home, switch)
    return session.source, adapter, chunks, lambda: pending.pop() if pending else None


def _streamed(args: argparse.Namespace) -> tuple[str, Iterator[bytes]]:
    """The source and the bytes of the stream that is named or piped in."""
    chunks = _chunks(_opened(args.stream or "-"))
    if args.passthrough:
        chunks = _copied(chunks)
    if args.agent != AUTO:
        return str(args.agent), chunks
    name, chunks = detect_source(chunks)
    if name is None:
        if not any(chunk.strip() for chunk in chunks):
            raise UsageError("the input was empty: did the agent start? Run its command alone to see what it says")
        raise UsageError(f"cannot detect the format of this output; name it with --from ({', '.join(sorted(SOURCES))})")
    return name, chunks


def _opened(stream: str) -> int | None:
    """The descriptor to read the stream from; None for standard input."""
    if stream == "-":
        return None
    try:
        if Path(stream).is_dir():
            raise UsageError(f"cannot read {stream}: it is a folder; name the file that has the agent's output")
        return os.open(stream, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot read {stream}: {reason}") from error


def _chunks(opened: int | None) -> Iterator[bytes]:
    """The bytes of the stream, as soon as they are there. Raises UsageError for UTF-16."""
    descriptor = sys.stdin.fileno() if opened is None else opened
    is_first = True
    while data := os.read(descriptor, _CHUNK):
        if is_first and data.startswith(UTF16_MARKS):
            raise UsageError("cannot read UTF-16, which `>` in Windows PowerShell writes; save the output as UTF-8")
        is_first = False
        yield data


def _copied(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes. Each chunk is first written to standard output, so that its reader does not wait."""
    for data in chunks:
        write_bytes(data)
        yield data
