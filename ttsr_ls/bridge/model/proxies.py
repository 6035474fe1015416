"""Finds the HTTP proxy for an address in the environment and the system's settings, and reads nothing else of them.

The HTTP library would read credentials for any host from `~/.netrc` along with the proxies; a model's endpoint gets no
key but the one that is meant for it.
"""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str | None:
    """The URL of the proxy for `url`; None where it is asked directly."""
    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    found = getproxies()
    return found.get(parts.scheme) or found.get("all")
