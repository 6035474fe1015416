"""The rules of the current folder, read and registered: what `list` and `test` work on."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ttsr_ls.engine.registration import Registration, register
from ttsr_ls.engine.rule_set import MAIN_AGENT, RuleSet
from ttsr_ls.engine.settings import Settings
from ttsr_ls.errors import UsageError
from ttsr_ls.store.discovery import RuleUnreadableError, discover, read_file, rule_name
from ttsr_ls.syntax.reader import decode, read_rule
from ttsr_ls.syntax.rule_file import RuleFile


@dataclass(frozen=True, slots=True)
class LoadedRule:
    """A rule file that was found and read."""

    file: RuleFile
    registration: Registration


@dataclass(frozen=True, slots=True)
class RulesHere:
    """All rule files in the order of discovery, which of them watch the stream, and which could not be read."""

    loaded: tuple[LoadedRule, ...]
    rule_set: RuleSet
    unreadable: tuple[str, ...]


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


def load_rules(cwd: Path, home: Path, named: Iterable[Path] = (), agent: str = MAIN_AGENT) -> RulesHere:
    """Finds and reads the rules for an agent that runs in `cwd`, and before them those in the folders that are `named`.

    Raises `UsageError` for a named folder that does not exist.
    """
    folders = tuple(folder.absolute() for folder in named)
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder} with rules")
    loaded: list[LoadedRule] = []
    unreadable: list[str] = []
    for found in discover(cwd, home, folders):
        try:
            loaded.append(load_rule(found.path, found.provider))
        except RuleUnreadableError as error:
            unreadable.append(str(error))
    rule_set = RuleSet.build((rule.registration for rule in loaded), Settings(), agent)
    return RulesHere(tuple(loaded), rule_set, tuple(unreadable))


def load_rule(path: Path, provider: str) -> LoadedRule:
    """Reads one rule file. Raises `RuleUnreadableError`."""
    text, _ = decode(read_file(path))
    file = read_rule(text, name=rule_name(path.name), path=str(path))
    return LoadedRule(file, register(file, provider))
