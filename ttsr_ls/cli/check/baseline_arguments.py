"""The arguments `--baseline` and `--write-baseline`."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import path_argument
from ttsr_ls.errors import UsageError


def add_baseline_arguments(parser: argparse._ActionsContainer) -> None:
    """Adds `--baseline` and `--write-baseline`."""
    parser.add_argument(
        "--baseline", type=path_argument, metavar="FILE", help="do not report the findings that this file lists"
    )
    parser.add_argument("--write-baseline", action="store_true", help="write the current findings to the baseline file")


def refuse_unnamed_baseline(args: argparse.Namespace) -> None:
    """Raises `UsageError` for `--write-baseline` without the file of the baseline."""
    if args.write_baseline and args.baseline is None:
        raise UsageError("--write-baseline needs a file: add --baseline FILE")
