"""`--rules`, and the configuration: folders with rules that a person names, for the commands that use rules."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.errors import UsageError

if TYPE_CHECKING:
    from ttsr_ls.store.settings.config_file import ProjectConfig


def add_rules_argument(parser: argparse._ActionsContainer) -> None:
    """Adds `--rules`, by which a person names further folders."""
    parser.add_argument(
        "--rules",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder with additional rules, which have priority; may be repeated",
    )


def named_folders(args: argparse.Namespace) -> tuple[Path, ...]:
    """The folders that were named, and then those that the project's configuration names.

    A person is told of configured ones that do not exist. Raises `UsageError` for one on the command line that does
    not, `ConfigError` for a wrong configuration.
    """
    # Here and not above: the help of a command reads no configuration.
    from ttsr_ls.store.settings.config_file import ConfigFinder

    for folder in args.rules:
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder} with rules")
    config = ConfigFinder().config_for(Path.cwd())
    report_missing_folders([config])
    return tuple(dict.fromkeys((*(folder.absolute() for folder in args.rules), *config.rule_folders)))


def report_missing_folders(configs: Iterable[ProjectConfig]) -> None:
    """Warns of missing rule folders that a configuration names."""
    for config in configs:
        for sentence in config.missing_folders:
            write_error(sentence)
