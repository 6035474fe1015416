"""GitHub Copilot's `*.instructions.md`, in the project and in the folders that the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.rules.providers import GITHUB, Level
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule, RuleSearch
from ttsr_ls.syntax.dialects.locations import COPILOT_INSTRUCTIONS

VARIABLE = "COPILOT_CUSTOM_INSTRUCTIONS_DIRS"


def find_instructions(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """Instructions of the project, in all folders below `.github/instructions`, then those of the named folders."""
    yield from search.rules(search.environment.cwd, COPILOT_INSTRUCTIONS, GITHUB, Level.PROJECT)
    for name in search.environment.environ.get(VARIABLE, "").split(","):
        if name.strip():
            folder = Path(os.path.normpath(search.environment.cwd / name.strip()))
            yield from search.rules(folder, COPILOT_INSTRUCTIONS, GITHUB, Level.USER)
