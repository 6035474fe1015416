"""Rules in the pi-ttsr dialect (seed 002), which the reference agent does not read."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.engine.providers import PI_TTSR, Level
from ttsr_ls.store.providers.found import DiscoveredRule, Search


def find_pi(search: Search) -> Iterator[DiscoveredRule]:
    """`.pi/rules` of the folder that the agent runs in, then `~/.pi/rules`."""
    yield from search.folder(search.place.cwd / ".pi" / "rules", PI_TTSR, Level.PROJECT)
    if search.place.home != search.place.cwd:
        yield from search.folder(search.place.home / ".pi" / "rules", PI_TTSR, Level.USER)
