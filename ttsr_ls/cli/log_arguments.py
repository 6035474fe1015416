"""The argument `--strict` of every command that writes a session log."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttsr_ls.bridge.host.recorder import LogFailurePolicy


def add_strict_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `--strict`, which stops the command if it cannot write its session log."""
    parser.add_argument(
        "--strict",
        action="store_true",
        help="stop if the session log cannot be written (default: print a warning and continue)",
    )


def on_log_failure(args: argparse.Namespace) -> LogFailurePolicy:
    """The reaction to a failing log that `--strict` selects."""
    # Imported lazily: the help of a command does not need it.
    from ttsr_ls.bridge.host.recorder import LogFailurePolicy

    return LogFailurePolicy.STOP if args.strict else LogFailurePolicy.GO_ON
