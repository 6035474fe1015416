"""The limits of discovery: a rule folder may come with an untrusted repository."""

from __future__ import annotations

from msgspec import Struct


class DiscoveryLimits(Struct, frozen=True):
    """The limits of searching one location for rules."""

    rules: int = 10_000
    """The most rule files."""
    characters: int = 64 * 1024 * 1024
    """The most characters of all rule files together."""
    folder_entries: int = 10_000
    """The most entries of a folder, with its subfolders if these are listed, too."""
    folder_depth: int = 32
    """The deepest level of subfolders."""
    plugins: int = 500
    """The most plugins from marketplaces."""
    packages: int = 500
    """The most extension packages."""


DISCOVERY_LIMITS = DiscoveryLimits()
"""The limits that discovery uses."""
