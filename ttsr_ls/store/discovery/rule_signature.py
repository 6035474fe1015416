"""Whether rules or settings on the disk may have changed: a few hundred calls of `stat`, no file is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ttsr_ls.rules.providers import PI_TTSR, PROVIDERS
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS

Signature = tuple[tuple[int, int] | None, ...]
"""Equal as long as no file or folder that was looked at has changed."""

_MOST_PARENTS = 64


def rule_paths_at(place: AgentEnvironment, files: Iterable[Path]) -> tuple[Path, ...]:
    """The paths that tell whether the rules at `place` changed. `files` are the rule files that were found."""
    return tuple(dict.fromkeys(_paths(place, files)))


def signature(paths: Iterable[Path]) -> Signature:
    """What is there now."""
    return tuple(_state(path) for path in paths)


def _paths(place: AgentEnvironment, files: Iterable[Path]) -> Iterator[Path]:
    places = [
        location.folders for provider in (*PROVIDERS, PI_TTSR) for location in (*provider.project, *provider.user)
    ]
    for root in (*(place.cwd, *place.cwd.parents)[:_MOST_PARENTS], place.home):
        yield root
        for folders in places:
            # A folder that is made or removed shows in the one that it is in.
            for length in range(1, len(folders) + 1):
                yield root.joinpath(*folders[:length])
        for location in SETTINGS_LOCATIONS:
            yield root.joinpath(*location.folders, location.name)
    for file in files:
        yield file.parent
        yield file


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size
