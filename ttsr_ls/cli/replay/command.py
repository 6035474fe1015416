"""`ttsr-ls replay`: runs rules over the sessions that agents kept, and counts how often each would have fired."""

from __future__ import annotations

import argparse
import os

from ttsr_ls.cli.argument_types import path_argument, whole_number
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples

SESSION_SUFFIXES = (".jsonl", ".ndjson", ".sse")
"""The suffixes of the files in a folder that are replayed. A file that is named may have another one."""

ENGINES = ("processes", "dask")
"""The values of `--engine`."""

SUFFIX_LIST = ", ".join(SESSION_SUFFIXES)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `replay`."""
    add_examples(
        parser,
        "[PATH ...] [options]",
        ("replay", "the sessions of this folder"),
        ("replay --against HEAD~1", "compared with the rules of a git revision"),
        ("replay --engine dask", "on a Dask cluster"),
    )
    parser.add_argument(
        "paths",
        nargs="*",
        type=path_argument,
        metavar="PATH",
        help=f"files of sessions, or folders with files that end in {SUFFIX_LIST} (default: those kept here by Claude "
        "Code, Codex, Gemini CLI, pi, oh-my-pi, opencode and ttsr-ls)",
    )
    parser.add_argument("--all", action="store_true", help="replay the sessions that these agents kept of all folders")
    add_rules_argument(parser)
    parser.add_argument("--against", metavar="REV", help="compare with the rules of a git revision")
    parser.add_argument(
        "--examples",
        type=whole_number(0, 999_999),
        default=3,
        metavar="N",
        help="show N matches of each rule (default: 3)",
    )
    parser.add_argument(
        "--jobs",
        type=whole_number(1, 999_999),
        default=os.cpu_count() or 1,
        metavar="N",
        help="use N processes (default: one for each core)",
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default=ENGINES[0],
        help="where the work is done: processes of this program (default), or a Dask cluster",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="the scheduler of a Dask cluster, as tcp://HOST:PORT (default: a cluster of --jobs processes here)",
    )
    add_format_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Replays the sessions and prints a report. The status is 2 if a named file could not be replayed, else 0.

    Raises UsageError if there is nothing to replay.
    """
    from ttsr_ls.cli.replay.run_replay import run_replay

    return run_replay(args)
