"""`--rules`, and the configuration: folders with rules that a person names, for the commands that use rules."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttsr_ls.errors import UsageError
from ttsr_ls.store.config_file import ConfigFinder


def add_rules_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `--rules`, by which a person names further folders."""
    parser.add_argument(
        "--rules",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder with rules, before those that are found; may be given again",
    )


def named_folders(args: argparse.Namespace) -> tuple[Path, ...]:
    """The folders that were named, and then those that the project's configuration names.

    Raises `UsageError` for one on the command line that does not exist, `ConfigError` for a wrong configuration.
    """
    for folder in args.rules:
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder} with rules")
    configured = ConfigFinder().config_for(Path.cwd()).rule_folders
    return tuple(dict.fromkeys((*(folder.absolute() for folder in args.rules), *configured)))
