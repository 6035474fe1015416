"""Rules in the pi-ttsr dialect (spec P1), which the reference agent does not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.rules.providers import PI_TTSR, Level
from ttsr_ls.store.gitignore.ignores import Ignores
from ttsr_ls.store.listing import list_folder
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule, RuleSearch, left_out, rule_name, unlistable
from ttsr_ls.syntax.dialects.locations import PI_RULES


def find_pi(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """`.pi/rules` of the folder that the agent runs in, then `~/.pi/rules`."""
    yield from _in(search, search.environment.cwd, Level.PROJECT)
    if search.environment.home != search.environment.cwd:
        yield from _in(search, search.environment.home, Level.USER)


def _in(search: RuleSearch, root: Path, level: Level) -> Iterator[DiscoveredRule]:
    folder = root / PI_RULES.path
    yield from unlistable(folder, PI_TTSR.id, level)
    # The extension reads all files of the folder, including those that git ignores.
    listing = list_folder(folder, PI_RULES.suffixes, Ignores(folder, ()), search.limits)
    for file in listing.files:
        yield DiscoveredRule(file.path, rule_name(file.path.name, PI_RULES.suffixes), PI_TTSR.id, level)
    yield from left_out(folder, listing, PI_TTSR.id, level)
