"""Finds the HTTP proxy for an address in the environment and the system's settings.

The HTTP library would also read credentials for any host from `~/.netrc`, but an endpoint must get only its own key.
"""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str | None:
    """The URL of the proxy for `url`; None for a direct connection."""
    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    found = getproxies()
    return found.get(parts.scheme) or found.get("all")
