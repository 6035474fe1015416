"""`ttsr-ls sessions`: lists, shows, exports and deletes the session logs of a folder."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import name_argument, path_argument, whole_number
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.printing.help_text import add_action, add_examples


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `sessions`."""
    add_examples(
        parser,
        "ACTION [NAME] [options]",
        ("sessions list", "the sessions of this folder, newest first"),
        ("sessions show", "what happened in the latest one"),
        ("sessions export 4f0c -o page.html", "a page of the session whose name ends with 4f0c"),
        ("sessions prune --days 7 --dry-run", "which logs are older than a week?"),
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION", prog=parser.prog)
    list_parser = add_action(actions, "list", "list the sessions, newest first")
    list_parser.add_argument("--all", action="store_true", help="list the sessions of all folders")
    list_parser.add_argument(
        "--agents", action="store_true", help="list the sessions that agents kept, which `ttsr-ls replay` reads"
    )
    list_parser.add_argument(
        "-n", "--most", type=whole_number(0, 999_999), default=20, metavar="N", help="list at most N (default: 20)"
    )
    add_format_arguments(list_parser)
    show_parser = add_action(actions, "show", "show what happened in a session, and which rules fired")
    _add_name(show_parser)
    show_parser.add_argument("--full", action="store_true", help="show results and injected texts in full")
    export_parser = add_action(actions, "export", "write a session as an HTML page that needs no other file")
    _add_name(export_parser)
    export_parser.add_argument(
        "-o", "--output", type=path_argument, metavar="FILE", help="the page (default: standard output)"
    )
    prune_parser = add_action(actions, "prune", "delete logs; those that are being written stay")
    prune_parser.add_argument("--all", action="store_true", help="delete logs of all folders")
    prune_parser.add_argument(
        "--days", type=whole_number(0, 999_999), default=30, metavar="N", help="delete older logs (default: 30)"
    )
    prune_parser.add_argument(
        "--keep", type=whole_number(0, 999_999), default=200, metavar="N", help="keep N of a folder (default: 200)"
    )
    prune_parser.add_argument("--dry-run", action="store_true", help="only list the logs that would be deleted")


def run(args: argparse.Namespace) -> int:
    """Runs the action. Raises UsageError if there is no such session."""
    from ttsr_ls.cli.sessions.run_sessions import run_sessions

    return run_sessions(args)


def _add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        nargs="?",
        type=name_argument,
        metavar="NAME",
        help="its name or the end of it, or a file (default: the latest)",
    )
