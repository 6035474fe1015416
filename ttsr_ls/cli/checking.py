"""Checks one rule file after another for `check`: reads it, finds what it is compared with and how it is configured."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ttsr_ls.cli.check_report import Unreadable
from ttsr_ls.cli.rule_paths import rule_paths
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.context import LintContext, NamedRule
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Finding
from ttsr_ls.store.bounded_file import MAX_RULE_BYTES, RuleUnreadableError, read_file
from ttsr_ls.store.config_file import ConfigFinder, ProjectConfig
from ttsr_ls.store.load_order import load_order_in
from ttsr_ls.store.providers.found import rule_name
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.reader import decode, read_rule

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Opened:
    """A rule file that was read, and all that a check of its text needs. `path` is as people named it."""

    path: str
    data: bytes
    text: str
    decoding: tuple[Problem, ...]
    context: LintContext

    def check(self, text: str) -> tuple[Finding, ...]:
        """What would be found in the file if it had this text."""
        file = read_rule(text, name=rule_name(Path(self.path).name), path=self.path)
        return check_file(file, self.context, self.decoding if text == self.text else ())


class Checking:
    """One run: it sees one state of the disk, and looks at each folder once."""

    def __init__(self, config: ProjectConfig | None) -> None:
        """`config` holds for all files; without one, the nearest upwards from each counts."""
        self._config = config
        self._finder = ConfigFinder()
        self._load_orders: dict[Path, tuple[NamedRule, ...]] = {}

    def paths(self, named: list[str]) -> Iterator[Path]:
        """The files to check. Raises `UsageError` for a path that does not exist."""
        if STDIN in named:
            if len(named) > 1:
                raise UsageError(
                    "'-' reads the text of one rule from standard input, so it cannot be mixed with other paths"
                )
            yield Path(STDIN)
            return
        by_name = {Path(name) for name in named}
        for path in rule_paths(named):
            if path in by_name or not self._config_for(path).excludes(path):
                yield path

    def open(self, path: Path) -> Opened | Unreadable:
        """Reads a file."""
        try:
            data = read_file(path)
        except RuleUnreadableError as error:
            return Unreadable(str(path), str(error))
        return self._opened(str(path), data, self._load_order(path.parent))

    def open_stdin(self, name: str) -> Opened | Unreadable:
        """Reads standard input as the text of a file of that name, which is compared with no others."""
        data = sys.stdin.buffer.read(MAX_RULE_BYTES + 1)
        if len(data) > MAX_RULE_BYTES:
            return Unreadable(name, f"cannot check standard input: it is larger than {MAX_RULE_BYTES // 1024} KiB")
        return self._opened(name, data, ())

    def _opened(self, path: str, data: bytes, load_order: tuple[NamedRule, ...]) -> Opened | Unreadable:
        if b"\0" in data and not data.startswith(b"\xff\xfe"):
            return Unreadable(path, f"cannot check {path}: it is a binary file")
        text, decoding = decode(data)
        selection = self._config_for(Path(path)).selection(Path(path))
        return Opened(path, data, text, decoding, LintContext(load_order=load_order, selection=selection))

    def _config_for(self, path: Path) -> ProjectConfig:
        return self._finder.config_for(path.parent) if self._config is None else self._config

    def _load_order(self, folder: Path) -> tuple[NamedRule, ...]:
        if folder not in self._load_orders:
            self._load_orders[folder] = _load_order_in(folder)
        return self._load_orders[folder]


def _load_order_in(folder: Path) -> tuple[NamedRule, ...]:
    """The rules that are loaded with those in a folder, with their paths written as that of the folder is."""
    absolute = folder.absolute()
    shown: list[NamedRule] = []
    for rule in load_order_in(absolute):
        path = Path(rule.path)
        if path.parent == absolute:
            path = folder / path.name
        elif not folder.is_absolute():
            path = Path(os.path.relpath(path))
        shown.append(replace(rule, path=str(path)))
    return tuple(shown)
