"""Runs `replay`: finds sessions, replays them, and reports."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.loading_notes import print_notes
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import is_quiet, write_error, write_line, write_note
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.replay.chat_file import is_chat_name
from ttsr_ls.cli.replay.command import SESSION_SUFFIXES, SUFFIX_LIST
from ttsr_ls.cli.replay.duplicates import duplicate_logs
from ttsr_ls.cli.replay.idle_rules import idle_rules
from ttsr_ls.cli.replay.replaying import ReplayedFile, RuleSource, replay_all
from ttsr_ls.cli.replay.report import Comparison, print_json, print_report
from ttsr_ls.cli.sessions.kept_sessions import kept_sessions, print_unread_database
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import rules_at
from ttsr_ls.store.git_program import commit_of
from ttsr_ls.store.log.session_dirs import log_folder_of, session_files
from ttsr_ls.store.opencode.database import is_database
from ttsr_ls.store.opencode.sessions import is_stored_session, sessions_in, stored_sessions

Engine = Callable[[Iterable[Path], RuleSource], Iterator[ReplayedFile]]


def run_replay(args: argparse.Namespace) -> int:
    """Replays the sessions and prints a report. The status is 2 if a named file could not be replayed, else 0.

    Raises UsageError if there is nothing to replay.
    """
    if args.scheduler is not None and args.engine != "dask":
        raise UsageError("--scheduler needs --engine dask")
    cwd = Path.cwd()
    paths = _paths(args, cwd)
    rules = rules_at(AgentEnvironment(cwd, Path.home(), os.environ), named_folders(args))
    is_for_subagents = any(rule.registration.agents for rule in rules.loaded)
    if not rules.session_rules(MAIN_AGENT).rules and not is_for_subagents and args.against is None:
        raise UsageError(
            f"no rules apply in {cwd}; `ttsr-ls list --all` shows which files were found, --rules names a folder"
        )
    print_notes(rules)
    source = RuleSource.here(cwd, tuple(named_folders(args)))
    earlier = None if args.against is None else replace(source, named=(), commit=commit_of(cwd, args.against))
    with _engine(args) as engine:
        results = _replayed(paths, source, engine, args)
        duplicates = duplicate_logs(results)
        results = [result for result in results if result.path not in duplicates]
        paths = [path for path in paths if path not in duplicates]
        before = None if earlier is None else Comparison(args.against, _replayed(paths, earlier, engine, args))
    idle = idle_rules(rules, str(cwd))
    if args.format == "json":
        print_json(results, before, duplicates, idle)
    else:
        print_report(results, before, args.examples, len(duplicates), idle)
    failed = [result for result in results if result.session is None and result.path in args.paths]
    for result in failed:
        write_error(one_line(f"cannot replay {result.path}: {result.problem}"))
    return ExitCode.USAGE if failed else ExitCode.OK


def _paths(args: argparse.Namespace, cwd: Path) -> list[Path]:
    paths: list[Path] = []
    for path in args.paths:
        if not path.exists() and not is_stored_session(path):
            raise UsageError(f"cannot replay {path}: there is no such file")
        paths += _sessions_in(path) if path.is_dir() else _sessions_at(path)
    if not args.paths:
        paths += [session.path for session in kept_sessions(of_all_folders=args.all)]
        if not args.all:
            paths += session_files(log_folder_of(cwd))
    if not paths:
        if args.paths:
            raise UsageError(f"no file in {', '.join(map(str, args.paths))} ends in {SUFFIX_LIST}; name other files")
        raise UsageError("there is no session to replay; name files or folders, or --all for those of all folders")
    return list(dict.fromkeys(paths))


def _sessions_at(path: Path) -> list[Path]:
    """The file itself, or the sessions in a database of opencode. Raises UsageError."""
    if not is_database(path):
        return [path]
    try:
        return [session.path for session in sessions_in(path)]
    except OSError as error:
        raise UsageError(f"cannot replay {path}: {error.strerror}") from error


def _sessions_in(folder: Path) -> list[Path]:
    """The files below a folder that may be sessions. Prints how many other files there are."""
    opencode = [session.path for session in stored_sessions(folder, report=print_unread_database)]
    files = sorted(path for path in _files_below(folder) if path.is_file())
    paths = [path for path in files if path.name.endswith(SESSION_SUFFIXES) or is_chat_name(path)]
    other_count = len(files) - len(paths)
    if opencode:
        return [*opencode, *paths]
    if other_count:
        write_note(f"{folder}: skipped {count(other_count, 'file')} with a suffix other than {SUFFIX_LIST}")
    return paths


def _files_below(folder: Path) -> Iterator[Path]:
    """Yields the paths below a folder, without following links. Prints which folders cannot be read."""

    def report(error: OSError) -> None:
        write_error(one_line(f"cannot read {error.filename}: {error.strerror}"))

    for parent, _, names in os.walk(folder, onerror=report):
        yield from (Path(parent, name) for name in names)


@contextmanager
def _engine(args: argparse.Namespace) -> Iterator[Engine]:
    """Yields the engine that replays: this process, other processes, or a cluster. Raises UsageError if it cannot be
    used."""
    if args.engine == "processes":
        yield partial(replay_all, processes=args.jobs)
        return
    from ttsr_ls.cli.replay.cluster import Cluster, local_cluster, replay_on_cluster

    named_cluster = None if args.scheduler is None else Cluster(args.scheduler)
    with local_cluster(args.jobs) if named_cluster is None else nullcontext(named_cluster) as cluster:
        yield partial(replay_on_cluster, cluster=cluster)


def _replayed(paths: list[Path], source: RuleSource, engine: Engine, args: argparse.Namespace) -> list[ReplayedFile]:
    shows_progress = sys.stderr.isatty() and not is_quiet() and args.format == "text"
    results = []
    for number, result in enumerate(engine(paths, source), start=1):
        results.append(result)
        if shows_progress and number % 10 == 0:
            write_line(f"{number} of {len(paths)} sessions", sys.stderr)
    return results
