"""`.agent/rules` and `.agents/rules`, from the folder that the agent runs in upwards, and at home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.rules.providers import AGENTS, Level
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule, RuleSearch


def find_agent_folders(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """Yields the rules of the project, the innermost folder's first, then those of the user."""
    for folder in _project_folders(search.environment):
        for location in AGENTS.project:
            yield from search.rules(folder, location, AGENTS, Level.PROJECT)
    for location in AGENTS.user:
        yield from search.rules(search.environment.home, location, AGENTS, Level.USER)


def _project_folders(environment: AgentEnvironment) -> Iterator[Path]:
    """Yields the folders up to the root of the repository; without one, the folders below the home folder."""
    last = environment.repository or environment.home
    for folder in (environment.cwd, *environment.cwd.parents):
        if folder != environment.home:
            yield folder
        if folder == last:
            break
