"""The locations of rules, with paths that are in them."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.rules.providers import PI_TTSR, PROVIDERS
from ttsr_ls.syntax.dialects.locations import RuleLocation
from ttsr_ls.syntax.dialects.table import DIALECTS

OF_DIALECTS = tuple(dict.fromkeys(location for dialect in DIALECTS for location in dialect.locations))
"""The locations whose files are checked as rules wherever they are."""

OF_PROVIDERS = tuple(
    dict.fromkeys(location for provider in (*PROVIDERS, PI_TTSR) for location in (*provider.project, *provider.user))
)
"""The locations that the reference agent and pi-ttsr read."""

LOCATIONS = tuple(dict.fromkeys((*OF_DIALECTS, *OF_PROVIDERS)))


def sample_paths(location: RuleLocation) -> Iterator[str]:
    """A path of each kind that is read there: for each name, directly in the folder and further down if it is deep."""
    for name in location.names:
        file_name = name.replace("*", "a-rule")
        yield "/".join((*location.folders, file_name))
        if location.is_deep:
            yield "/".join((*location.folders, "web", "forms", file_name))
