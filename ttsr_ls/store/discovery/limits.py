"""The limits of discovery: a rule folder may come with an untrusted repository."""

from __future__ import annotations

from msgspec import Struct


class DiscoveryLimits(Struct, frozen=True):
    """The limits of searching one location for rules."""

    rules: int = 10_000
    """How many rule files are taken."""
    characters: int = 64 * 1024 * 1024
    """How many characters of rule files are read."""
    folder_entries: int = 10_000
    """How many entries of a folder, and of those below it where these count, are looked at."""
    folder_depth: int = 32
    """How many folders deep rules are looked for below a folder."""
    plugins: int = 500
    """How many plugins from marketplaces are looked at."""
    packages: int = 500
    """How many extension packages are looked at."""


DISCOVERY_LIMITS = DiscoveryLimits()
"""The bounds in use."""
