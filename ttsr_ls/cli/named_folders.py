"""The folders and rules that a user names: by `--cwd`, `--rules` and `--rule`, and in the configuration."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ttsr_ls.cli.argument_types import path_argument
from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.errors import UsageError

if TYPE_CHECKING:
    from ttsr_ls.store.settings.config_file import ProjectConfig


def add_rules_argument(parser: argparse._ActionsContainer) -> None:
    """Adds `--rules`, which names further folders of rules."""
    parser.add_argument(
        "--rules",
        type=path_argument,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder with additional rules, which have priority; may be repeated",
    )


def named_folders(args: argparse.Namespace) -> tuple[Path, ...]:
    """The folders of the command line, then those of the project's configuration, without repeats.

    Warns of configured folders that do not exist. Raises `UsageError` for one on the command line that does
    not, `ConfigError` for a wrong configuration.
    """
    # Imported lazily: the help of a command reads no configuration.
    from ttsr_ls.store.settings.config_file import ConfigFinder

    for folder in args.rules:
        if folder.is_file():
            raise UsageError(f"--rules names a folder, and {folder} is a file: name the folder that it is in")
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder} with rules")
    config = ConfigFinder().config_for(Path.cwd())
    report_missing_folders([config])
    return tuple(dict.fromkeys((*(folder.absolute() for folder in args.rules), *config.rule_folders)))


def add_cwd_argument(parser: argparse._ActionsContainer, purpose: str) -> None:
    """Adds `--cwd`, a folder for the purpose that the help states."""
    parser.add_argument("--cwd", type=path_argument, metavar="DIR", help=f"{purpose} (default: the current one)")


def working_folder(args: argparse.Namespace) -> Path:
    """The folder of `--cwd`, else the current one. Raises `UsageError` if there is no such folder."""
    folder = Path.cwd() if args.cwd is None else Path(args.cwd.resolve())
    if not folder.is_dir():
        raise UsageError(f"there is no folder {args.cwd}")
    return folder


def named_rule_file(name: str, args: argparse.Namespace) -> Path:
    """The file of a rule that `--rule` names by its path, else by its name.

    Of several files with the name, the one in force is chosen. Raises `UsageError` if there is none.
    """
    # Imported lazily: the help of a command reads no rules.
    from ttsr_ls.store.agent_environment import AgentEnvironment
    from ttsr_ls.store.discovery.local_rules import rules_at
    from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES
    from ttsr_ls.syntax.nearest_word import nearest_word

    path = Path(name)
    if path.is_file() or name.endswith(RULE_SUFFIXES) or path.name != name:
        return path
    rules = rules_at(AgentEnvironment.current(), named_folders(args))
    found = [item.found for item in rules.loaded]
    found += [*(unseen.rule.found for unseen in rules.unseen), *(file.found for file in rules.unreadable)]
    paths = [str(rule.path) for rule in found if rule.name == name]
    if paths:
        in_force = {rule.path for rule in rules.session_rules().rules}
        file_path = Path(next((path for path in paths if path in in_force), paths[0]))
        return file_path.relative_to(Path.cwd()) if file_path.is_relative_to(Path.cwd()) else file_path
    if path.exists():
        return path
    nearest = nearest_word(name, [rule.found.name for rule in rules.loaded])
    advice = "'ttsr-ls list --all' shows all rules" if nearest is None else f"did you mean '{nearest}'?"
    raise UsageError(f"there is no rule file {name}, and no rule of this name here; {advice}")


def report_missing_folders(configs: Iterable[ProjectConfig]) -> None:
    """Warns of rule folders that a configuration file names and that do not exist."""
    for config in configs:
        for sentence in config.missing_folders:
            write_error(sentence)
