"""`ttsr-ls replay`: runs rules over the sessions that agents kept, and says how often each would have fired."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.named_folders import add_rules_argument, named_folders
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import is_quiet, write_line, write_note
from ttsr_ls.cli.replay.replaying import ReplayedFile, RuleSource, replay_all
from ttsr_ls.cli.replay.report import Comparison, print_json, print_report
from ttsr_ls.cli.replay.revision import rules_of_revision
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.agent_sessions import all_sessions, sessions_of
from ttsr_ls.store.discovery.local_rules import rules_at
from ttsr_ls.store.log.session_dirs import session_files, state_home, workspace_folder, workspace_root

_SUFFIXES = (".jsonl", ".ndjson", ".sse")
"""How the files of sessions end that are replayed of a folder. A file that is named may end otherwise."""

_SUFFIX_LIST = ", ".join(_SUFFIXES)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `replay`."""
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help=f"files of sessions, or folders with files that end in {_SUFFIX_LIST} (default: those kept here by Claude "
        "Code, Codex and ttsr-ls)",
    )
    parser.add_argument(
        "--all", action="store_true", help="the sessions of all folders that Claude Code and Codex kept"
    )
    add_rules_argument(parser)
    parser.add_argument("--against", metavar="REV", help="compare with the rules of a git revision")
    parser.add_argument("--examples", type=_number, default=3, metavar="N", help="matches to show (default: 3)")
    parser.add_argument(
        "--jobs", type=_number, default=os.cpu_count() or 1, metavar="N", help="processes (default: one for each core)"
    )
    add_format_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Replays and reports; the status is 0 whatever fired. Raises UsageError where there is nothing to replay."""
    cwd = Path.cwd()
    paths = _paths(args, cwd)
    here = rules_at(AgentEnvironment(cwd, Path.home(), os.environ), named_folders(args))
    if not here.session_rules(MAIN_AGENT).rules and args.against is None:
        raise UsageError(
            f"no rules apply in {cwd}; `ttsr-ls list --all` shows which files were found, --rules names a folder"
        )
    results = _replayed(paths, RuleSource(cwd, tuple(named_folders(args))), args)
    before = None
    if args.against is not None:
        with rules_of_revision(cwd, args.against) as folder:
            before = Comparison(args.against, _replayed(paths, RuleSource(folder, ()), args))
    if args.format == "json":
        print_json(results, before)
    else:
        print_report(results, before, args.examples)
    return ExitCode.OK


def _paths(args: argparse.Namespace, cwd: Path) -> list[Path]:
    found: list[Path] = []
    for path in args.paths:
        if not path.exists():
            raise UsageError(f"cannot replay {path}: there is no such file")
        found += _sessions_in(path) if path.is_dir() else [path]
    if not args.paths:
        home = Path.home()
        found += [session.path for session in (all_sessions(home) if args.all else sessions_of(cwd, home))]
        if not args.all:
            found += session_files(workspace_folder(state_home(os.environ, home), workspace_root(cwd)))
    if not found:
        if args.paths:
            raise UsageError(f"no file in {', '.join(map(str, args.paths))} ends in {_SUFFIX_LIST}; name other files")
        raise UsageError("there is no session to replay; name files or folders, or --all for those of all folders")
    return found


def _sessions_in(folder: Path) -> list[Path]:
    """The files of a folder and of those below it that may be sessions; says how many others there are."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    found = [path for path in files if path.name.endswith(_SUFFIXES)]
    others = len(files) - len(found)
    if others:
        write_note(f"{folder}: {count(others, 'file')} not replayed that end in none of {_SUFFIX_LIST}")
    return found


def _replayed(paths: list[Path], source: RuleSource, args: argparse.Namespace) -> list[ReplayedFile]:
    shows_progress = sys.stderr.isatty() and not is_quiet() and args.format == "text"
    results = []
    for number, result in enumerate(replay_all(paths, source, args.jobs), start=1):
        results.append(result)
        if shows_progress and number % 10 == 0:
            write_line(f"{number} of {len(paths)} sessions", sys.stderr)
    return results


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"a whole number is needed, not '{text}'")
    return int(text)
